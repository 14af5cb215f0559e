import {expect, it} from 'vitest';
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
