import {describe, expect, it} from 'vitest';
import {
	claimOf,
	createEvent,
	finishOf,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	taskOf,
} from '../helpers/events.ts';

/** Questions of runs, answers of people, and runs that changed nothing. */
const asked = createEvent(
	'SIGNAL',
	{kind: 'human.question', questionId: 'q1', text: 'A or B?', options: ['A', 'B']},
	{agentId: 'r1'},
);
const answered = createEvent(
	'INSIGHT',
	{kind: 'human.answer', questionId: 'q1', option: 'B'},
	{agentId: 'human'},
);
const waits = (waitsFor: string) =>
	createEvent('SIGNAL', {
		kind: 'task.status',
		taskId: 'a',
		status: 'waiting_review',
		summary: 'A or B?',
		waitsFor,
	});
const running = reduceAll(planOf(item('a')), readyOf('a'), claimOf('r1', 'a'));

it('a task whose run asks a question waits for the first answer', () => {
	const waiting = reduceLater(running, asked, finishOf('r1'), waits('question'));
	expect(taskOf(waiting, 'a')).toMatchObject({status: 'waiting_review', waitsFor: 'question'});
	expect(taskOf(reduceLater(waiting, answered, answered), 'a')).toMatchObject({status: 'ready', attempt: 2});
});

it('a task whose run failed with a question has the question as its summary', () => {
	expect(taskOf(reduceLater(running, asked, finishOf('r1', 'failed', 'exit code 1')), 'a').summary).toBe(
		'A or B?',
	);
});

it('a task whose run changed nothing waits for a person', () => {
	const finished = createEvent('SIGNAL', {...finishOf('r1').payload, noChange: 'ask'});
	const waiting = reduceLater(running, finished, waits('no_change'));
	expect(taskOf(waiting, 'a').waitsFor).toBe('no_change');
	const told = createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'B'});
	expect(taskOf(reduceLater(waiting, told), 'a').feedback).toBe('B');
});

it('a direct run that asks a question is replaced by another with the answer', () => {
	const planning = reduceLater(
		reduceAll(createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add it'}, {energyBudget: 12})),
		createEvent('SIGNAL', {
			...{kind: 'energy.consume', amount: 1, reason: 'direct.dispatch', agentId: 'r1', bee: 'scout'},
			...{place: 'here', trigger: 1, answers: 'feature.requested'},
		}),
		asked,
		finishOf('r1'),
	);
	expect(reduceLater(planning, answered).runs.get('r1')?.replaced).toBe(true);
});

describe('a run that waits for an answer', () => {
	const permission = createEvent(
		'SIGNAL',
		{
			...{kind: 'human.question', questionId: 'q1', text: 'Allow Bash?', options: ['Allow', 'Deny']},
			...{source: 'permission', act: {tool: 'Bash', command: 'git push'}, waits: true, timeoutMs: 60_000},
		},
		{agentId: 'r1'},
	);
	const allowed = createEvent(
		'INSIGHT',
		{kind: 'human.answer', questionId: 'q1', option: 'Allow'},
		{agentId: 'human'},
	);
	const denied = createEvent(
		'INSIGHT',
		{kind: 'human.answer', questionId: 'q1', option: 'Deny', timedOut: true},
		{agentId: 'human'},
	);
	const ended = (delivered: boolean) =>
		createEvent('SIGNAL', {kind: 'ask.ended', questionId: 'q1', delivered}, {agentId: 'r1'});
	const waiting = reduceLater(running, permission);

	it('has its question open, with the act', () => {
		expect(waiting.runs.get('r1')?.questions).toMatchObject([{act: {command: 'git push'}, waits: {}}]);
	});

	it('goes on with the answer, and does not ask again in its next prompt', () => {
		const went = reduceLater(waiting, allowed, ended(true), finishOf('r1'));
		expect(taskOf(went, 'a').feedback).toBeUndefined();
	});

	it('that gave up has its answer in the next prompt', () => {
		const again = reduceLater(waiting, ended(false), finishOf('r1'), allowed);
		expect(taskOf(again, 'a')).toMatchObject({status: 'ready', feedback: expect.stringContaining('Allow')});
	});

	it('is denied when no person answers in time', () => {
		const over = reduceLater(waiting, denied, ended(true));
		expect(over.runs.get('r1')?.questions).toMatchObject([{answer: {timedOut: true}, delivered: true}]);
	});
});
