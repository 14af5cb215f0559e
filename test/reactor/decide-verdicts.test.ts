import {describe, expect, test} from 'vitest';
import type {Colony} from '../../source/colony/colony.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {repeatableRun} from '../../source/ledger/direct-run.ts';
import {decide} from '../../source/reactor/decide.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
} from '../helpers/events.ts';
import {
	bee,
	builder,
	colonyOf,
	completion,
	direct,
	type Given,
	isolated,
	machineOf,
	pendingRun,
	receiver,
	root,
} from './scene.ts';

const verdicts = ['verification.success', 'verification.failed'].map(
	kind => ({type: 'VERIFICATION', kind}) as const,
);
/** A guard without a `worktree` setting, as people write guards. */
const guard = bee('guard', {subscribes: [direct(isolated)], publishes: verdicts});
const guarded = colonyOf([builder, guard, receiver]);

const payloads = (trace: Trace, given: Given = {}, colony: Colony = guarded) =>
	decide(trace, colony, machineOf(given)).steps.map(step =>
		step.do === 'append' ? step.event.payload : step,
	);

const verdictOf = (passed: boolean, by = 'g1'): NewEvent =>
	createEvent(
		'VERIFICATION',
		{kind: passed ? 'verification.success' : 'verification.failed', taskId: 'a', summary: 'looked'},
		{agentId: by},
	);

const begun = reduceAll(planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a', {workspace: 'isolated'}));
const proposed = reduceLater(begun, proposalOf('r1', 'a'), finishOf('r1', 'completed', 'well'));
const waiting = reduceLater(proposed, statusOf('a', 'waiting_review', 'well'));
const sequenceIn = (trace: Trace): number => taskOf(trace, 'a').proposal?.sequence ?? 0;
const guardClaim = (trace: Trace, agentId = 'g1') =>
	claimOf(agentId, 'a', {bee: 'guard', trigger: sequenceIn(trace), workspace: 'isolated'});

/**
 * The guard judged the work and its run is over. Then the task was sent back, and its next run changed
 * nothing.
 */
const judged = (passed: boolean) =>
	reduceLater(waiting, guardClaim(waiting), verdictOf(passed), finishOf('g1'));
const redone = (passed: boolean) =>
	reduceLater(
		judged(passed),
		createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'again'}),
		...announcedOf('a'),
		claimOf('r2', 'a', {workspace: 'isolated'}),
		finishOf('r2', 'completed', 'nothing to do'),
	);

describe('a direct run that a proposal starts', () => {
	test('works where the proposal is, whatever worktree setting its bee has', () => {
		const inRoot = bee('guard', {worktree: true, subscribes: [direct(root)], publishes: verdicts});
		const pending = (kind: string) => [pendingRun(kind, 'guard')];
		const claim = {do: 'claim', bee: 'guard'};
		expect(payloads(proposed, {pending: pending('code.proposal.isolated')})).toContainEqual(
			expect.objectContaining({...claim, workspace: 'isolated'}),
		);
		expect(
			payloads(proposed, {pending: pending('code.proposal.root')}, colonyOf([builder, inRoot])),
		).toContainEqual(expect.objectContaining({...claim, workspace: 'root'}));
	});

	test('waits for a writer in the same workspace, and for no writer elsewhere', () => {
		const pending = [
			pendingRun('code.proposal.isolated', 'guard', {taskId: 'a', trigger: sequenceIn(waiting)}),
		];
		const claims = (given: Given) => payloads(waiting, {pending, ...given}).length;
		expect(claims({root: {writers: 1, readers: 0}})).toBe(1);
		const occupied = reduceLater(
			waiting,
			claimOf('r9', '', {bee: 'builder', trigger: 1, workspace: 'isolated'}),
		);
		expect(payloads(occupied, {pending, runs: new Map([['r9', 'alive']])})).toEqual([]);
	});
});

describe('a task whose run changed nothing', () => {
	test('is not complete while its newest proposal has a failing verdict', () => {
		expect(payloads(redone(false))).toEqual([
			expect.objectContaining({status: 'waiting_review', summary: 'Guard failed: looked'}),
		]);
	});

	test('is complete if its newest proposal has a passing verdict', () => {
		expect(payloads(redone(true))).toEqual([expect.objectContaining({kind: 'task.completed'})]);
	});
});

describe('a task that waits for its commit gate', () => {
	test('is left to a person if no bee is going to judge it', () => {
		const pending = [
			pendingRun('code.proposal.isolated', 'guard', {taskId: 'a', trigger: sequenceIn(waiting)}),
		];
		expect(payloads(waiting, {pending, freeSlots: 0})).toEqual([]);
		const looking = reduceLater(waiting, guardClaim(waiting));
		expect(payloads(looking, {runs: new Map([['g1', 'alive']])})).toEqual([]);
		const left = payloads(judged(false));
		expect(left).toEqual([
			expect.objectContaining({status: 'waiting_review', summary: 'Guard failed: looked', unattended: true}),
		]);
		expect(
			payloads(reduceLater(judged(false), createEvent('SIGNAL', {kind: 'task.status', ...left[0]}))),
		).toEqual([]);
	});
});

describe('a run that declares its own task completed', () => {
	const solo = bee('solo', {worktree: true, publishes: [isolated, completion]});
	const said = reduceLater(
		begun,
		createEvent(
			'VERIFICATION',
			{kind: 'task.completed', taskId: 'a', summary: 'mine', commit: 'abc'},
			{agentId: 'r1'},
		),
		proposalOf('r1', 'a'),
		finishOf('r1', 'completed', 'well'),
	);

	test('completes the task if no guard judges its proposal', () => {
		expect(taskOf(said, 'a').status).toBe('running');
		expect(payloads(said, {}, colonyOf([solo]))).toEqual([
			expect.objectContaining({kind: 'task.completed', summary: 'mine', commit: 'abc'}),
		]);
	});

	test('completes the task after a guard has passed the proposal', () => {
		const colony = colonyOf([solo, guard]);
		expect(payloads(said, {}, colony)).toEqual([expect.objectContaining({status: 'waiting_review'})]);
		const seen = reduceLater(
			said,
			statusOf('a', 'waiting_review'),
			guardClaim(said),
			verdictOf(true),
			finishOf('g1'),
		);
		expect(payloads(seen, {}, colony)).toEqual([
			expect.objectContaining({kind: 'task.completed', summary: 'mine', commit: 'abc'}),
		]);
	});
});

describe('a completion that a run declared and that is applied once the run is over', () => {
	const late = (trace: Trace, by = 'r1') =>
		reduceLater(
			trace,
			createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'a', summary: 'mine'}, {agentId: by}),
		);

	test('does not complete the task if no guard has passed the proposal', () => {
		const said = late(waiting);
		expect(taskOf(said, 'a').status).toBe('waiting_review');
		expect(said.problems.at(-1)?.message).toContain('no guard passed its newest proposal');
	});

	test('completes the task if a guard has passed the proposal', () => {
		expect(taskOf(late(judged(true)), 'a').status).toBe('completed');
	});
});

test('a verdict on a task that a person completed starts no repeated run', () => {
	const answered = reduceLater(
		judged(true),
		claimOf('c1', 'a', {
			bee: 'receiver',
			trigger: taskOf(judged(true), 'a').verdict?.sequence ?? 0,
			workspace: 'root',
		}),
		finishOf('c1', 'failed'),
	);
	expect(repeatableRun(answered, taskOf(answered, 'a'))?.agentId).toBe('c1');
	const approved = reduceLater(answered, completedOf('a', {agentId: 'cli'}));
	expect(repeatableRun(approved, taskOf(approved, 'a'))).toBeUndefined();
});

describe('a verdict on a task that a person has completed', () => {
	const pendingFor = (trace: Trace) => [
		pendingRun('verification.success', 'receiver', {
			taskId: 'a',
			trigger: taskOf(trace, 'a').verdict?.sequence ?? 0,
		}),
	];

	test('starts no run', () => {
		const approved = reduceLater(judged(true), completedOf('a', {agentId: 'cli'}));
		expect(payloads(approved, {pending: pendingFor(approved)})).toContainEqual(
			expect.objectContaining({do: 'drop', bee: 'receiver'}),
		);
	});

	test('starts the runs that it asks for if the runtime completed the task', () => {
		const completed = reduceLater(judged(true), completedOf('a', {agentId: 'runtime'}));
		expect(payloads(completed, {pending: pendingFor(completed)})).toContainEqual(
			expect.objectContaining({do: 'claim', bee: 'receiver'}),
		);
	});
});
