import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {maxQuestions} from '../../source/domain/question.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {formatRepeatFeedback, waitingRuns} from '../../source/ledger/questions.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {
	announcedOf,
	claimOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	reduceAll,
	reduceLater,
	stored,
	taskOf,
} from '../helpers/events.ts';
import {builder, colonyOf, scout} from '../reactor/scene.ts';

const asking = (agentId: string, questionId: string, more: object = {}): NewEvent =>
	createEvent('SIGNAL', {kind: 'human.question', questionId, text: 'A or B?', ...more}, {agentId});
const answering = (questionId: string, more: object = {text: 'B, please'}): NewEvent =>
	createEvent('INSIGHT', {kind: 'human.answer', questionId, ...more}, {agentId: 'human'});
const waiting = (waitsFor: string, summary = 'A or B?'): NewEvent =>
	createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', summary, waitsFor});

const running = reduceAll(planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a'));
const asked = reduceLater(running, asking('r1', 'q1', {options: ['A', 'B']}));
const ended = reduceLater(asked, finishOf('r1', 'completed', 'I asked.'));
const waits = reduceLater(ended, waiting('question'));
const problems = (trace: Trace): string[] => trace.problems.map(({message}) => message);

describe('a question', () => {
	test('is stored with the run that asks it', () => {
		expect(asked.runs.get('r1')?.questions).toEqual([
			{questionId: 'q1', sequence: asked.sequence, text: 'A or B?', options: ['A', 'B']},
		]);
	});

	test.each([
		['of no run', asking('nobody', 'q1'), 'human.question q1: only a run can ask'],
		['without words', asking('r1', 'q1', {text: ' '}), 'human.question asks nothing'],
		['without an id', asking('r1', ''), 'human.question asks nothing'],
	])('%s is a problem and nothing else', (_, event, problem) => {
		const trace = reduceLater(running, event);
		expect(problems(trace)).toEqual([problem]);
		expect(trace.runs.get('r1')?.questions).toBeUndefined();
	});

	test('that is asked after the end of its run is a problem', () => {
		const trace = reduceLater(reduceLater(running, finishOf('r1')), asking('r1', 'q1'));
		expect(problems(trace)).toEqual(['human.question q1: run r1 is over']);
	});

	test('counts once, and a second one with its id is a problem', () => {
		const trace = reduceLater(asked, asking('r1', 'q1', {text: 'another'}));
		expect(trace.runs.get('r1')?.questions).toEqual(asked.runs.get('r1')?.questions);
		expect(problems(trace)).toEqual(['human.question q1: this questionId is taken in the trace']);
	});

	test('is a problem beyond twenty per run', () => {
		const many = Array.from({length: maxQuestions + 1}, (_, index) => asking('r1', `q${index}`));
		const trace = reduceLater(running, ...many);
		expect(trace.runs.get('r1')?.questions).toHaveLength(maxQuestions);
		expect(problems(trace)).toEqual([`human.question q${maxQuestions}: a run asks at most 20 questions`]);
	});

	test('keeps its run from completing the task, though the run reported completion', () => {
		const said = createEvent(
			'VERIFICATION',
			{kind: 'task.completed', taskId: 'a', status: 'completed'},
			{agentId: 'r1'},
		);
		const trace = reduceLater(asked, said, finishOf('r1'));
		expect(taskOf(trace, 'a').status).toBe('running');
	});

	test('of a run that failed is the summary of its task', () => {
		const trace = reduceLater(asked, finishOf('r1', 'failed', 'exit code 1'));
		expect(taskOf(trace, 'a')).toMatchObject({status: 'failed', summary: 'A or B?'});
		expect(trace.runs.get('r1')?.summary).toBe('exit code 1');
	});
});

describe('an answer', () => {
	test('returns a waiting task to ready, with question and answer for the next prompt', () => {
		expect(taskOf(waits, 'a')).toMatchObject({status: 'waiting_review', waitsFor: 'question'});
		const task = taskOf(reduceLater(waits, answering('q1', {option: 'B'})), 'a');
		expect(task).toMatchObject({status: 'ready', feedback: 'You asked: A or B?\nThe answer: B'});
		expect(task.waitsFor).toBeUndefined();
	});

	test('counts once: the first one wins', () => {
		const trace = reduceLater(waits, answering('q1', {option: 'A'}), answering('q1', {option: 'B'}));
		expect(trace.runs.get('r1')?.questions?.[0]?.answer).toMatchObject({option: 'A'});
		expect(problems(trace)).toEqual(['human.answer: q1 was answered before']);
		expect(taskOf(trace, 'a').attempt).toBe(2);
	});

	test('to one of two questions leaves the task waiting for the other one', () => {
		const two = reduceLater(
			asked,
			asking('r1', 'q2', {text: 'And then?'}),
			finishOf('r1'),
			waiting('question'),
		);
		const half = reduceLater(two, answering('q1', {option: 'A'}));
		expect(taskOf(half, 'a').status).toBe('waiting_review');
		const whole = taskOf(reduceLater(half, answering('q2', {text: 'stop'})), 'a');
		expect(whole).toMatchObject({
			status: 'ready',
			feedback: 'You asked: A or B?\nThe answer: A\n\nYou asked: And then?\nThe answer: stop',
		});
	});

	test('that arrives before the run ends makes the task ready again with the answer', () => {
		const said = createEvent(
			'VERIFICATION',
			{kind: 'task.completed', taskId: 'a', status: 'completed'},
			{agentId: 'r1'},
		);
		const trace = reduceLater(asked, answering('q1'), said, finishOf('r1'));
		expect(taskOf(trace, 'a')).toMatchObject({
			status: 'ready',
			feedback: expect.stringContaining('B, please'),
		});
	});

	test('to a question that was never asked is a problem', () => {
		expect(problems(reduceLater(running, answering('q9')))).toEqual(['human.answer: no run asked q9']);
	});

	test('is a note that later prompts contain', () => {
		const notes = reduceLater(waits, answering('q1', {option: 'B'})).notes.get('a')?.notes;
		expect(notes?.at(-1)).toMatchObject({kind: 'human.answer', text: 'A or B? B'});
	});
});

describe('a task that waits for an answer', () => {
	test('keeps waiting when its status is repeated without a reason', () => {
		const again = createEvent('SIGNAL', {
			kind: 'task.status',
			taskId: 'a',
			status: 'waiting_review',
			summary: 'x',
		});
		expect(taskOf(reduceLater(waits, again), 'a')).toMatchObject({waitsFor: 'question', summary: 'x'});
	});

	test('is completed only by a person', () => {
		const run = claimOf('r2', 'a', {trigger: 3, bee: 'receiver', workspace: 'isolated'});
		const done = {kind: 'task.completed', taskId: 'a', status: 'completed', summary: 'done'};
		const byBee = reduceLater(waits, run, createEvent('VERIFICATION', done, {agentId: 'r2'}));
		expect(taskOf(byBee, 'a').status).toBe('waiting_review');
		const byPerson = reduceLater(byBee, createEvent('VERIFICATION', done, {agentId: 'human'}));
		expect(taskOf(byPerson, 'a')).toMatchObject({status: 'completed', approved: true});
	});
});

describe('a run that changed nothing', () => {
	const without = (policy: string): Trace =>
		reduceLater(
			running,
			createEvent('SIGNAL', {
				...{kind: 'run.finished', agentId: 'r1', bee: 'builder', status: 'completed', exitCode: 0},
				...{summary: 'Changed nothing: why?', noChange: policy},
			}),
		);

	test('records the no-change policy of its configuration', () => {
		expect(without('ask').runs.get('r1')?.noChange).toBe('ask');
		expect(without('complete').runs.get('r1')?.noChange).toBe('complete');
		expect(without('whatever').runs.get('r1')?.noChange).toBeUndefined();
	});

	test('continues with the feedback of a person', () => {
		const trace = reduceLater(without('ask'), waiting('no_change', 'Changed nothing: why?'));
		const told = reduceLater(
			trace,
			createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'do it'}),
		);
		expect(taskOf(told, 'a')).toMatchObject({status: 'ready', feedback: 'do it'});
	});
});

describe('a direct run that asks a question', () => {
	const colony = colonyOf([builder, scout]);
	const claim = claimOf('s1', '', {bee: 'scout', trigger: 1, answers: 'feature.requested', taskId: ''});
	const requested = reduceAll(
		createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget: 12}),
		claim,
	);
	const open = reduceLater(requested, asking('s1', 'q1'), finishOf('s1'));

	test('waits for a person', () => {
		expect(waitingRuns(open).map(({agentId}) => agentId)).toEqual(['s1']);
	});

	test('is requested again by the answer, and its next prompt contains the answer', () => {
		const [event] = stored([answering('q1', {text: 'C'})], open.sequence + 1);
		const answered = reduceLater(open, answering('q1', {text: 'C'}));
		expect(answered.runs.get('s1')?.replaced).toBe(true);
		expect(waitingRuns(answered)).toEqual([]);
		if (event === undefined) throw new Error('nothing is stored');
		expect(directRunsFor(event, answered, colony)).toMatchObject([{bee: 'scout', trigger: 1}]);
		const again = reduceLater(answered, claimOf('s2', '', {bee: 'scout', trigger: 1, taskId: ''}));
		const next = again.runs.get('s2');
		expect(next && formatRepeatFeedback(again, next)).toBe('You asked: A or B?\nThe answer: C');
	});

	test('no longer waits once the trace is killed', () => {
		expect(waitingRuns(reduceLater(open, killOf()))).toEqual([]);
	});

	test('no longer waits once its proposal is superseded', () => {
		const proposed = reduceLater(running, proposalOf('r1', 'a'));
		const about = {bee: 'guard', trigger: proposed.sequence, answers: 'code.proposal.isolated'};
		const guarded = reduceLater(proposed, claimOf('g1', 'a', about), asking('g1', 'q1'), finishOf('g1'));
		expect(waitingRuns(guarded)).toHaveLength(1);
		expect(waitingRuns(reduceLater(guarded, proposalOf('r1', 'a')))).toEqual([]);
	});
});
