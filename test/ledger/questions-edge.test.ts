import {describe, expect, test} from 'vitest';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {waitingRuns} from '../../source/ledger/questions.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {decide} from '../../source/reactor/decide.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	finishOf,
	folded,
	item,
	killOf,
	later,
	planOf,
	proposalOf,
	readyOf,
	say,
	statusOf,
	stored,
	taskOf,
	wholeProposal,
} from '../helpers/events.ts';
import {builder, colonyOf, guard, isolated, machineOf, pendingRun, planner} from '../reactor/scene.ts';

const askOf = (agentId: string, questionId = 'q1'): NewEvent =>
	say('SIGNAL', {kind: 'human.question', questionId, text: 'Which one?'}, {agentId});
const answerOf = (text: string, questionId = 'q1'): NewEvent =>
	say('INSIGHT', {kind: 'human.answer', questionId, text}, {agentId: 'human'});
const told = (text: string): string => `You asked: Which one?\nThe answer: ${text}`;
const pausedOf = (agentId: string): NewEvent => {
	const {payload} = finishOf(agentId, 'failed', 'a limit');
	return say('SIGNAL', {...payload, pausedUntil: '2026-01-01T00:10:00.000Z'});
};

const colony = colonyOf([builder, guard, planner]);
const inWorktree = {workspace: 'isolated'} as const;
const begun = folded(planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a', inWorktree));
const asked = later(begun, askOf('r1'));
const task = (trace: Trace) => taskOf(trace, 'a');

/** The trace with one more event, and the runs that it asks for. */
const asks = (trace: Trace, event: NewEvent | StoredEvent) => {
	const [one] = 'sequence' in event ? [event] : stored([event], trace.sequence + 1);
	if (one === undefined) throw new Error('nothing is stored');
	const after = applyEvents(trace, [one]).trace;
	return {after, runs: directRunsFor(one, after, colony)};
};

describe('a question that is answered while its run is open', () => {
	const answered = later(asked, answerOf('the left one'));

	test('moves nothing before the run is over', () => {
		expect(task(answered)).toMatchObject({status: 'running', attempt: task(begun).attempt});
	});

	test('has the task of a run that ends well done once more, with the answer', () => {
		const over = later(answered, finishOf('r1'));
		expect(task(over)).toMatchObject({status: 'ready', feedback: told('the left one'), announced: false});
	});

	test('keeps a run that said that its task is complete from completing it', () => {
		const over = later(asked, completedOf('a', {agentId: 'r1'}), answerOf('no'), finishOf('r1'));
		expect(task(over)).toMatchObject({status: 'ready', feedback: told('no')});
	});

	test('waits for the other questions of the run', () => {
		const over = later(answered, askOf('r1', 'q2'), finishOf('r1'));
		expect(task(over).status).toBe('running');
		expect(task(later(over, answerOf('both', 'q2'))).status).toBe('ready');
	});

	test('leaves a run that failed to a retry', () => {
		expect(task(later(answered, finishOf('r1', 'failed'))).status).toBe('failed');
	});

	test('has a planner that ends well asked once more', () => {
		const request = folded(
			say('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12}),
			claimOf('p1', '', {bee: 'planner', trigger: 1, answers: 'feature.requested'}),
			askOf('p1'),
			answerOf('yes'),
		);
		const {after, runs} = asks(request, finishOf('p1'));
		expect(after.runs.get('p1')?.replaced).toBe(true);
		expect(runs).toMatchObject([{trigger: 1, kind: 'feature.requested', bee: 'planner'}]);
	});

	test('has a planner that failed asked by no one but a person', () => {
		const request = folded(
			say('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12}),
			claimOf('p1', '', {bee: 'planner', trigger: 1, answers: 'feature.requested'}),
			askOf('p1'),
			answerOf('yes'),
		);
		expect(asks(request, finishOf('p1', 'failed')).runs).toEqual([]);
	});
});

describe('an answer', () => {
	const over = later(asked, finishOf('r1'));
	const waiting = later(over, statusOf('a', 'waiting_review', 'Which one?'));

	test('is waited for, however the review of its task is announced', () => {
		expect(task(waiting).waitsFor).toBe('question');
		expect(decide(waiting, colony, machineOf()).steps).toEqual([]);
	});

	test('moves nothing in a killed trace', () => {
		const killed = later(waiting, killOf(), answerOf('yes'));
		expect(task(killed).status).toBe('cancelled');
		expect(waitingRuns(killed)).toEqual([]);
	});

	test('leaves a task that a person has completed as it is', () => {
		const approved = later(waiting, completedOf('a', {agentId: 'human'}), answerOf('too late'));
		expect(task(approved).status).toBe('completed');
	});

	test('leaves a paused task to its time', () => {
		const paused = later(asked, pausedOf('r1'), answerOf('yes'));
		expect(task(paused)).toMatchObject({status: 'blocked', pausedUntil: '2026-01-01T00:10:00.000Z'});
	});

	test('and the retry that gives it make one attempt', () => {
		const retried = later(over, answerOf('yes'), readyOf('a', {replaces: 'r1', feedback: told('yes')}));
		expect(task(retried)).toMatchObject({attempt: task(over).attempt + 1, announced: true});
		expect(task(retried).feedback).toBe(told('yes'));
	});

	test('to a run from which a retry took the task moves nothing more', () => {
		const retried = later(asked, answerOf('yes'), readyOf('a', {replaces: 'r1', feedback: told('yes')}));
		expect(task(later(retried, finishOf('r1'))).attempt).toBe(task(retried).attempt);
	});

	test('counts after the trace was taken by another checkout', () => {
		const taken = later(waiting, say('SIGNAL', {kind: 'trace.taken', place: 'there', from: 'here'}));
		expect(task(later(taken, answerOf('yes'))).status).toBe('ready');
	});

	test('readies its task while the base is merged into the worktree, and nothing is claimed meanwhile', () => {
		const updating = later(waiting, say('SIGNAL', {kind: 'update.started', head: '', by: 'human'}));
		const answered = later(updating, answerOf('yes'));
		expect(task(answered).status).toBe('ready');
		expect(decide(answered, colony, machineOf()).steps.map(step => step.do)).not.toContain('claim');
	});
});

describe('a guard that asks', () => {
	const proposed = later(begun, proposalOf('r1', 'a'), finishOf('r1'));
	const proposal = task(proposed).proposal?.sequence ?? 0;
	const looks = {bee: 'guard', trigger: proposal, answers: isolated.kind, ...inWorktree};
	const guarded = later(proposed, claimOf('g1', 'a', looks), askOf('g1'), finishOf('g1'));

	test('is asked once more with the answer', () => {
		const {after, runs} = asks(guarded, answerOf('yes'));
		expect(runs).toMatchObject([{trigger: proposal, bee: 'guard', taskId: 'a'}]);
		expect(waitingRuns(after)).toEqual([]);
	});

	test('waits no more once the task has a newer proposal', () => {
		const newer = later(guarded, proposalOf('r1', 'a'));
		expect(waitingRuns(guarded).map(({agentId}) => agentId)).toEqual(['g1']);
		expect(waitingRuns(newer)).toEqual([]);
		expect(asks(newer, answerOf('yes')).runs).toEqual([]);
	});

	test('is not asked twice by a second answer', () => {
		const once = later(asks(guarded, answerOf('yes')).after, claimOf('g2', 'a', looks));
		const {after, runs} = asks(once, answerOf('no'));
		const pending = runs.map(run => pendingRun(run.kind, run.bee, run));
		expect(decide(after, colony, machineOf({pending})).steps.map(step => step.do)).not.toContain('claim');
	});
});

test('a task that has to be verified waits for its answer once that is over', () => {
	const proposed = applyEvents(asked, [wholeProposal(asked, 'r1', 'required')]).trace;
	const trigger = task(proposed).proposal?.sequence ?? 0;
	const verification = {bee: '_verifier', verifies: 'builder', trigger};
	const verifying = later(proposed, finishOf('r1'), claimOf('v1', 'a', verification));
	const waitsIn = (trace: Trace) =>
		decide(trace, colonyOf([builder]), machineOf({runs: new Map([['v1', 'busy']])})).steps.flatMap(step =>
			step.do === 'append' ? [step.event.payload.waitsFor] : [],
		);
	expect(waitsIn(verifying)).toEqual([]);
	expect(waitsIn(later(verifying, finishOf('v1')))).toEqual(['question']);
});
