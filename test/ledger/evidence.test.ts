import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {runEventId} from '../../source/domain/run.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {repeatableRun} from '../../source/ledger/direct-run.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {workOnRecord} from '../../source/ledger/work-on-record.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	stored,
	taskOf,
	traceId,
	wholeProposal,
} from '../helpers/events.ts';

const tree = 'a'.repeat(40);
const inWorktree = {workspace: 'isolated'} as const;

/** Appends a proposal as the runtime, or as an agent if `id` is given. */
const propose = (trace: Trace, agentId: string, verification: string, id?: string): Trace => {
	const event = wholeProposal(trace, agentId, verification);
	return applyEvents(trace, [{...event, id: id ?? event.id}]).trace;
};

const begun = reduceAll(planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a', inWorktree));
const proposedWith = (verification: string) =>
	reduceLater(propose(begun, 'r1', verification), finishOf('r1'));
const proposal = (trace: Trace): number => taskOf(trace, 'a').proposal?.sequence ?? 0;

const verifying = (trace: Trace, agentId = 'v1', trigger = proposal(trace)): Trace =>
	reduceLater(
		trace,
		createEvent('SIGNAL', {
			...{kind: 'energy.consume', reason: 'proposal.verify', agentId, bee: 'hive.verify', taskId: 'a'},
			...{place: 'here', trigger, verifies: 'builder'},
		}),
	);

const ended = (agentId: string, status: string, evidence: object = {ran: true, output: 'out', seconds: 12}) =>
	createEvent('SIGNAL', {
		...{kind: 'run.finished', agentId, bee: 'hive.verify', taskId: 'a', status},
		...{exitCode: status === 'completed' ? 0 : 1, summary: 'npm test (exit 1)', evidence},
	});
const evidenceIn = (trace: Trace) => taskOf(trace, 'a').evidence;
const problems = (trace: Trace): string[] => trace.problems.map(({message}) => message);

test('a verification is a run of the task that costs no honey and does not hold the task', () => {
	const trace = verifying(proposedWith('optional'));
	expect(trace.energyRemaining).toBe(11);
	expect(trace.runs.get('v1')).toMatchObject({status: 'running', verifies: 'builder', announced: true});
	expect(taskOf(trace, 'a').agentId).toBe('r1');
});

test('the end of a verification is evidence on its proposal while that is the newest', () => {
	const trace = reduceLater(verifying(proposedWith('optional')), ended('v1', 'failed'));
	expect(evidenceIn(trace)).toEqual({
		...{sequence: trace.sequence, proposal: proposal(trace), passed: false, ran: true, exitCode: 1},
		...{summary: 'npm test (exit 1)', output: 'out', seconds: 12, agentId: 'v1'},
	});
	expect(taskOf(trace, 'a').status).toBe('running');
	const again = reduceLater(
		trace,
		statusOf('a', 'waiting_review'),
		statusOf('a', 'ready'),
		claimOf('r2', 'a', inWorktree),
	);
	expect(evidenceIn(again)?.agentId).toBe('v1');
	const newer = propose(again, 'r2', 'optional');
	expect(evidenceIn(newer)).toBeUndefined();
	const late = reduceLater(verifying(newer, 'v2', proposal(trace)), ended('v2', 'completed'));
	expect(evidenceIn(late)).toBeUndefined();
});

test('a stopped verification leaves no evidence', () => {
	expect(
		evidenceIn(reduceLater(verifying(proposedWith('required')), ended('v1', 'cancelled'))),
	).toBeUndefined();
});

test('only the runtime can set the verification of a proposal', () => {
	const trace = propose(begun, 'r1', 'required', 'event-of-an-agent');
	expect(taskOf(trace, 'a').proposal).not.toHaveProperty('verification');
});

test("an agent's own proposal does not remove the required verification", () => {
	const trace = propose(proposedWith('required'), 'r1', 'none', 'event-of-an-agent');
	expect(taskOf(trace, 'a').proposal).toMatchObject({verification: 'required'});
	expect(taskOf(trace, 'a').proposal).not.toHaveProperty('tree');
});

test('a verification claim costs no honey, even with an amount', () => {
	const claim = (more: object): NewEvent => claimOf('x', 'a', {...more, verifies: 'builder'});
	const trace = reduceLater(proposedWith('required'), claim({trigger: 5, amount: 7}));
	expect(trace.energyRemaining).toBe(11);
});

test.each([
	['is missing', [], 'nothing has verified its newest proposal'],
	['failed', [ended('v1', 'failed')], 'verify failed: npm test (exit 1)'],
	['could not be', [ended('v1', 'failed', {ran: false})], 'verify could not run: npm test (exit 1)'],
])('a bee does not complete a task whose required evidence %s', (_, more, why) => {
	const waiting = reduceLater(verifying(proposedWith('required')), ...more, statusOf('a', 'waiting_review'));
	const receiver = claimOf('c1', 'a', {bee: 'receiver', trigger: proposal(waiting), ...inWorktree});
	const said = reduceLater(waiting, receiver, completedOf('a', {agentId: 'c1'}));
	expect(taskOf(said, 'a').status).toBe('waiting_review');
	expect(problems(said)).toEqual([`receiver said that a is complete: ${why}`]);
	const approved = reduceLater(waiting, completedOf('a', {agentId: 'human'}));
	expect(taskOf(approved, 'a').status).toBe('completed');
});

test('a bee completes a task whose verification passed or is optional', () => {
	for (const [verification, more] of [
		['required', [ended('v1', 'completed')]],
		['optional', [ended('v1', 'failed')]],
	] as const) {
		const waiting = reduceLater(
			verifying(proposedWith(verification)),
			...more,
			statusOf('a', 'waiting_review'),
		);
		const receiver = claimOf('c1', 'a', {bee: 'receiver', trigger: proposal(waiting), ...inWorktree});
		const said = reduceLater(waiting, receiver, completedOf('a', {agentId: 'c1'}));
		expect(taskOf(said, 'a').status).toBe('completed');
	}
});

test('a verification run can neither judge nor complete its task', () => {
	const waiting = reduceLater(verifying(proposedWith('optional')), statusOf('a', 'waiting_review'));
	const verdict = createEvent(
		'VERIFICATION',
		{kind: 'verification.success', taskId: 'a', summary: 'x'},
		{agentId: 'v1'},
	);
	const said = reduceLater(waiting, verdict, completedOf('a', {agentId: 'v1'}));
	expect(taskOf(said, 'a')).toMatchObject({status: 'waiting_review'});
	expect(taskOf(said, 'a').verdict).toBeUndefined();
	expect(problems(said)).toHaveLength(2);
});

test('a task that its own run called complete waits for required verification, in the root too', () => {
	const said = reduceLater(begun, completedOf('a', {agentId: 'r1'}));
	const payload = {
		kind: 'code.proposal.root',
		taskId: 'a',
		summary: 'a change',
		tree,
		verification: 'required',
	};
	const [event] = stored([createEvent('MUTATION', payload, {agentId: 'r1'})], said.sequence + 1);
	if (event === undefined) throw new Error('nothing to fold');
	const id = runEventId(traceId, 'r1', 'proposal');
	const proposed = applyEvents(said, [{...event, id}]).trace;
	expect(taskOf(reduceLater(proposed, finishOf('r1')), 'a').status).toBe('running');
});

test('the log knows of work in the worktree with and without a verification', () => {
	const trees = {before: 'b'.repeat(40), after: tree};
	const left = reduceLater(
		propose(begun, 'r1', 'optional'),
		createEvent('SIGNAL', {...finishOf('r1').payload, trees}),
	);
	expect(workOnRecord(left)).toBe('some');
	expect(workOnRecord(reduceLater(verifying(left), ended('v1', 'completed')))).toBe('some');
});

test('a retry of a waiting task repeats its failed verification, even if a guard ran later', () => {
	const failed = reduceLater(verifying(proposedWith('required')), ended('v1', 'failed'));
	const guard = claimOf('g1', 'a', {bee: 'guard', trigger: proposal(failed), ...inWorktree});
	const waiting = reduceLater(failed, guard, finishOf('g1'), statusOf('a', 'waiting_review'));
	expect(repeatableRun(waiting, taskOf(waiting, 'a'))?.agentId).toBe('v1');
	const retried = reduceLater(waiting, readyOf('a', {replaces: 'v1'}));
	expect(retried.runs.get('v1')?.replaced).toBe(true);
	expect(taskOf(retried, 'a').status).toBe('waiting_review');
	const passed = reduceLater(verifying(retried, 'v2'), ended('v2', 'completed'));
	expect(repeatableRun(passed, taskOf(passed, 'a'))).toBeUndefined();
});
