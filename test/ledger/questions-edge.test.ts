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
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	stored,
	taskOf,
	wholeProposal,
} from '../helpers/events.ts';
import {builder, colonyOf, guard, isolated, machineOf, pendingRun, planner} from '../reactor/scene.ts';

const askOf = (agentId: string, questionId = 'q1'): NewEvent =>
	createEvent('SIGNAL', {kind: 'human.question', questionId, text: 'Which one?'}, {agentId});
const answerOf = (text: string, questionId = 'q1'): NewEvent =>
	createEvent('INSIGHT', {kind: 'human.answer', questionId, text}, {agentId: 'human'});
const told = (text: string): string => `You asked: Which one?\nThe answer: ${text}`;
const pausedOf = (agentId: string): NewEvent => {
	const {payload} = finishOf(agentId, 'failed', 'a limit');
	return createEvent('SIGNAL', {...payload, pausedUntil: '2026-01-01T00:10:00.000Z'});
};

const colony = colonyOf([builder, guard, planner]);
const inWorktree = {workspace: 'isolated'} as const;
const begun = reduceAll(planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a', inWorktree));
const asked = reduceLater(begun, askOf('r1'));
const task = (trace: Trace) => taskOf(trace, 'a');

/** Returns the trace after one more event, and the direct runs that this event requests. */
const asks = (trace: Trace, event: NewEvent | StoredEvent) => {
	const [one] = 'sequence' in event ? [event] : stored([event], trace.sequence + 1);
	if (one === undefined) throw new Error('nothing is stored');
	const after = applyEvents(trace, [one]).trace;
	return {after, runs: directRunsFor(one, after, colony)};
};

describe('an answer to a question while its run is open', () => {
	const answered = reduceLater(asked, answerOf('the left one'));

	test('changes nothing before the run ends', () => {
		expect(task(answered)).toMatchObject({status: 'running', attempt: task(begun).attempt});
	});

	test('makes a task ready again with the answer when its run succeeds', () => {
		const over = reduceLater(answered, finishOf('r1'));
		expect(task(over)).toMatchObject({status: 'ready', feedback: told('the left one'), announced: false});
	});

	test('prevents a run that reported completion from completing its task', () => {
		const over = reduceLater(asked, completedOf('a', {agentId: 'r1'}), answerOf('no'), finishOf('r1'));
		expect(task(over)).toMatchObject({status: 'ready', feedback: told('no')});
	});

	test('is not used before the other questions of the run are answered', () => {
		const over = reduceLater(answered, askOf('r1', 'q2'), finishOf('r1'));
		expect(task(over).status).toBe('running');
		expect(task(reduceLater(over, answerOf('both', 'q2'))).status).toBe('ready');
	});

	test('leaves the task of a failed run to a retry', () => {
		expect(task(reduceLater(answered, finishOf('r1', 'failed'))).status).toBe('failed');
	});

	test('repeats a planner that succeeds', () => {
		const request = reduceAll(
			createEvent('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12}),
			claimOf('p1', '', {bee: 'planner', trigger: 1, answers: 'feature.requested'}),
			askOf('p1'),
			answerOf('yes'),
		);
		const {after, runs} = asks(request, finishOf('p1'));
		expect(after.runs.get('p1')?.replaced).toBe(true);
		expect(runs).toMatchObject([{trigger: 1, kind: 'feature.requested', bee: 'planner'}]);
	});

	test('leaves a planner that failed to a person', () => {
		const request = reduceAll(
			createEvent('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12}),
			claimOf('p1', '', {bee: 'planner', trigger: 1, answers: 'feature.requested'}),
			askOf('p1'),
			answerOf('yes'),
		);
		expect(asks(request, finishOf('p1', 'failed')).runs).toEqual([]);
	});
});

describe('an answer', () => {
	const over = reduceLater(asked, finishOf('r1'));
	const waiting = reduceLater(over, statusOf('a', 'waiting_review', 'Which one?'));

	test('is awaited however the review of its task is announced', () => {
		expect(task(waiting).waitsFor).toBe('question');
		expect(decide(waiting, colony, machineOf()).steps).toEqual([]);
	});

	test('changes nothing in a killed trace', () => {
		const killed = reduceLater(waiting, killOf(), answerOf('yes'));
		expect(task(killed).status).toBe('cancelled');
		expect(waitingRuns(killed)).toEqual([]);
	});

	test('does not change a task that a person has completed', () => {
		const approved = reduceLater(waiting, completedOf('a', {agentId: 'human'}), answerOf('too late'));
		expect(task(approved).status).toBe('completed');
	});

	test('does not wake a paused task before its time', () => {
		const paused = reduceLater(asked, pausedOf('r1'), answerOf('yes'));
		expect(task(paused)).toMatchObject({status: 'blocked', pausedUntil: '2026-01-01T00:10:00.000Z'});
	});

	test('and the retry that delivers it count as one attempt', () => {
		const retried = reduceLater(over, answerOf('yes'), readyOf('a', {replaces: 'r1', feedback: told('yes')}));
		expect(task(retried)).toMatchObject({attempt: task(over).attempt + 1, announced: true});
		expect(task(retried).feedback).toBe(told('yes'));
	});

	test('to a run whose task a retry took over changes nothing more', () => {
		const retried = reduceLater(
			asked,
			answerOf('yes'),
			readyOf('a', {replaces: 'r1', feedback: told('yes')}),
		);
		expect(task(reduceLater(retried, finishOf('r1'))).attempt).toBe(task(retried).attempt);
	});

	test('counts after the trace was taken by another checkout', () => {
		const taken = reduceLater(
			waiting,
			createEvent('SIGNAL', {kind: 'trace.taken', place: 'there', from: 'here'}),
		);
		expect(task(reduceLater(taken, answerOf('yes'))).status).toBe('ready');
	});

	test('makes its task ready during a merge of the base into the worktree, but nothing is claimed meanwhile', () => {
		const updating = reduceLater(
			waiting,
			createEvent('SIGNAL', {kind: 'update.started', head: '', by: 'human'}),
		);
		const answered = reduceLater(updating, answerOf('yes'));
		expect(task(answered).status).toBe('ready');
		expect(decide(answered, colony, machineOf()).steps.map(step => step.do)).not.toContain('claim');
	});
});

describe('a guard that asks', () => {
	const proposed = reduceLater(begun, proposalOf('r1', 'a'), finishOf('r1'));
	const proposal = task(proposed).proposal?.sequence ?? 0;
	const looks = {bee: 'guard', trigger: proposal, answers: isolated.kind, ...inWorktree};
	const guarded = reduceLater(proposed, claimOf('g1', 'a', looks), askOf('g1'), finishOf('g1'));

	test('is started again with the answer', () => {
		const {after, runs} = asks(guarded, answerOf('yes'));
		expect(runs).toMatchObject([{trigger: proposal, bee: 'guard', taskId: 'a'}]);
		expect(waitingRuns(after)).toEqual([]);
	});

	test('no longer waits once the task has a newer proposal', () => {
		const newer = reduceLater(guarded, proposalOf('r1', 'a'));
		expect(waitingRuns(guarded).map(({agentId}) => agentId)).toEqual(['g1']);
		expect(waitingRuns(newer)).toEqual([]);
		expect(asks(newer, answerOf('yes')).runs).toEqual([]);
	});

	test('is not started twice by a second answer', () => {
		const once = reduceLater(asks(guarded, answerOf('yes')).after, claimOf('g2', 'a', looks));
		const {after, runs} = asks(once, answerOf('no'));
		const pending = runs.map(run => pendingRun(run.kind, run.bee, run));
		expect(decide(after, colony, machineOf({pending})).steps.map(step => step.do)).not.toContain('claim');
	});
});

test('a task with required verification waits for an answer once the verification is over', () => {
	const proposed = applyEvents(asked, [wholeProposal(asked, 'r1', 'required')]).trace;
	const trigger = task(proposed).proposal?.sequence ?? 0;
	const verification = {bee: '_verifier', verifies: 'builder', trigger};
	const verifying = reduceLater(proposed, finishOf('r1'), claimOf('v1', 'a', verification));
	const waitsIn = (trace: Trace) =>
		decide(trace, colonyOf([builder]), machineOf({runs: new Map([['v1', 'busy']])})).steps.flatMap(step =>
			step.do === 'append' ? [step.event.payload.waitsFor] : [],
		);
	expect(waitsIn(verifying)).toEqual([]);
	expect(waitsIn(reduceLater(verifying, finishOf('v1')))).toEqual(['question']);
});
