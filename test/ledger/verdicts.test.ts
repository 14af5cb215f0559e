import {describe, expect, test} from 'vitest';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import {runEventId} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {unjudgedRuns} from '../../source/ledger/verdicts.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	stored,
	taskOf,
	traceId,
} from '../helpers/events.ts';

const inWorktree = {workspace: 'isolated'} as const;
const verdict = (by: string, kind: 'success' | 'failed' = 'success', more: object = {}): NewEvent =>
	createEvent(
		'VERIFICATION',
		{kind: `verification.${kind}`, taskId: 'a', summary: 'looked', ...more},
		{agentId: by},
	);
const feedback = createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'again'});

const proposed = reduceAll(
	planOf(item('a'), item('b')),
	...announcedOf('a'),
	claimOf('r1', 'a', inWorktree),
	proposalOf('r1', 'a'),
	finishOf('r1'),
	statusOf('a', 'waiting_review'),
);
const proposal = taskOf(proposed, 'a').proposal?.sequence ?? 0;
const guarded = reduceLater(proposed, claimOf('g1', 'a', {bee: 'guard', trigger: proposal, ...inWorktree}));
const task = (trace: Trace): Task => taskOf(trace, 'a');
const problems = (trace: Trace): string[] => trace.problems.map(({message}) => message);

describe('a verdict of a run', () => {
	test('counts when the run worked in the workspace of the proposal', () => {
		expect(task(reduceLater(guarded, verdict('g1'))).verdict).toMatchObject({passed: true, agentId: 'g1'});
	});

	test('does not count when the run worked in another workspace', () => {
		const elsewhere = reduceLater(
			proposed,
			claimOf('g1', 'a', {bee: 'guard', trigger: proposal, workspace: 'root'}),
		);
		const said = reduceLater(elsewhere, verdict('g1'));
		expect(task(said).verdict).toBeUndefined();
		expect(problems(said)).toEqual(['guard judged a in the root workspace, where its proposal is not']);
	});

	test('does not count when the run judges its own work', () => {
		const again = reduceLater(proposed, feedback, ...announcedOf('a'), claimOf('r2', 'a', inWorktree));
		const said = reduceLater(again, verdict('r2', 'success', {proposal}));
		expect(task(said).verdict).toBeUndefined();
		expect(problems(said)).toEqual(['builder judged its own work on a']);
	});
});

describe('a task.completed by a run for a waiting task', () => {
	const receives = (trace: Trace, trigger: number) =>
		reduceLater(trace, claimOf('c1', 'a', {bee: 'receiver', trigger, workspace: 'root'}));
	const say1 = completedOf('a', {agentId: 'c1'});
	const judged = reduceLater(guarded, verdict('g1'), finishOf('g1'));

	test('completes the task', () => {
		expect(task(reduceLater(receives(judged, judged.sequence - 1), say1)).status).toBe('completed');
	});

	test('has no effect when a guard failed the newest proposal', () => {
		const failed = reduceLater(guarded, verdict('g1', 'failed'), finishOf('g1'));
		const said = reduceLater(receives(failed, failed.sequence - 1), say1);
		expect(task(said).status).toBe('waiting_review');
		expect(problems(said)).toEqual(['receiver said that a is complete: a guard failed its newest proposal']);
	});

	test('has no effect when the run was triggered by something else and no guard passed the proposal', () => {
		const about = (trace: Trace, taskId: string) =>
			reduceLater(
				trace,
				claimOf('c1', taskId, {bee: 'receiver', trigger: trace.sequence, workspace: 'root'}),
				say1,
			);
		expect(problems(about(proposed, ''))).toEqual([
			'receiver said that a is complete: no guard passed its newest proposal',
		]);
		expect(task(about(proposed, 'b')).status).toBe('waiting_review');
		expect(task(about(proposed, 'a')).status).toBe('completed');
		expect(task(about(judged, 'b')).status).toBe('completed');
	});

	test('has no effect when the task was rejected in the meantime', () => {
		const said = reduceLater(receives(judged, judged.sequence - 1), feedback, say1);
		expect(task(said).status).toBe('ready');
		expect(problems(said)).toEqual(['receiver said that a is complete: it is ready']);
	});

	test('has no effect when the task has a newer proposal than the one that triggered the run', () => {
		const newer = reduceLater(
			receives(judged, judged.sequence - 1),
			...[
				feedback,
				...announcedOf('a'),
				claimOf('r2', 'a', inWorktree),
				proposalOf('r2', 'a'),
				finishOf('r2'),
			],
			...[statusOf('a', 'waiting_review'), say1],
		);
		expect(task(newer).status).toBe('waiting_review');
		expect(problems(newer)).toEqual([
			'receiver said that a is complete: it has a newer proposal than the one it was asked about',
		]);
	});
});

test('a person completes a task whatever its guard said, and the approval is recorded', () => {
	const failed = reduceLater(guarded, verdict('g1', 'failed'), finishOf('g1'));
	expect(task(reduceLater(failed, completedOf('a', {agentId: 'cli'})))).toMatchObject({
		status: 'completed',
		approved: true,
	});
	expect(task(reduceLater(failed, completedOf('a', {agentId: 'runtime'})))).not.toHaveProperty('approved');
});

test('a wait for a commit gate is unattended until a new event concerns it', () => {
	const left = reduceLater(
		guarded,
		verdict('g1', 'failed'),
		finishOf('g1', 'failed'),
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', unattended: true}),
	);
	expect(task(left).unattended).toBe(true);
	expect(task(reduceLater(left, readyOf('a', {replaces: 'g1'}))).unattended).toBeUndefined();
	expect(task(reduceLater(left, verdict('g1', 'success', {proposal}))).unattended).toBeUndefined();
	expect(task(reduceLater(left, feedback)).unattended).toBeUndefined();
});

test('a task becomes ready once per attempt, and task.ready is reported once per attempt', () => {
	const ready = reduceAll(planOf(item('a')), ...announcedOf('a'));
	expect(task(ready)).toMatchObject({announced: true, reported: true});
	const retried = reduceLater(ready, claimOf('r1', 'a'), finishOf('r1', 'failed'), readyOf('a'));
	expect(task(retried)).toMatchObject({announced: true});
	expect(task(retried)).not.toHaveProperty('reported');
});

describe('the runs whose changes enter the next proposal', () => {
	const trees = (letter: string) => ({before: letter.repeat(40), after: 'f'.repeat(40)});
	const endOf = (agentId: string, status: string, letter: string): NewEvent => {
		const {payload, ...rest} = finishOf(agentId, status);
		return {...rest, payload: {...payload, trees: trees(letter)}};
	};
	const attempt = (agentId: string, letter: string, more: object = inWorktree): NewEvent[] => [
		readyOf('a'),
		claimOf(agentId, 'a', more),
		endOf(agentId, 'failed', letter),
	];
	const idsBefore = (trace: Trace, agentId: string): string[] => {
		const run = trace.runs.get(agentId);
		return run === undefined ? [] : unjudgedRuns(trace, run).map(one => one.agentId);
	};

	test('are the earlier runs of its task in its workspace that changed anything', () => {
		const trace = reduceAll(
			planOf(item('a'), item('b')),
			...attempt('r1', '1'),
			...[readyOf('a'), claimOf('r2', 'a', inWorktree), finishOf('r2', 'failed')],
			...attempt('r3', '3', {workspace: 'root'}),
			...[readyOf('b'), claimOf('other', 'b', inWorktree), endOf('other', 'completed', '4')],
			...[readyOf('a'), claimOf('r4', 'a', inWorktree)],
		);
		expect(idsBefore(trace, 'r4')).toEqual(['r1']);
	});

	test.each([
		['are those since the last proposal that a guard judged', verdict('human', 'failed'), ['r3']],
		['are those of a proposal too that only a person sent back', feedback, ['r1', 'r2', 'r3']],
	])('%s, when hive made the proposal of all changes of its run', (_, word, expected) => {
		const before: NewEvent[] = [
			planOf(item('a')),
			...attempt('r1', '1'),
			...[readyOf('a'), claimOf('r2', 'a', inWorktree), endOf('r2', 'completed', '2')],
		];
		const [, ...own] = stored([...before, proposalOf('r2', 'a')], 1).slice(before.length - 1);
		const whole = own.map(
			(event): StoredEvent => ({
				...event,
				id: runEventId(traceId, 'r2', 'proposal'),
				payload: {...event.payload, tree: 'f'.repeat(40)},
			}),
		);
		const thenRetried = (events: readonly StoredEvent[]) =>
			reduceLater(
				applyEvents(emptyTrace(traceId), [...stored(before), ...events]).trace,
				...[statusOf('a', 'waiting_review'), word, statusOf('a', 'ready'), readyOf('a')],
				...attempt('r3', '3').slice(1),
				...[readyOf('a'), claimOf('r4', 'a', inWorktree)],
			);
		expect(idsBefore(thenRetried(whole), 'r4')).toEqual(expected);
		expect(idsBefore(thenRetried(own), 'r4')).toEqual(['r1', 'r2', 'r3']);
	});

	test('are none when their recorded trees are invalid', () => {
		const {payload, ...rest} = finishOf('r1', 'failed');
		const trace = reduceAll(
			planOf(item('a')),
			...[readyOf('a'), claimOf('r1', 'a', inWorktree)],
			{...rest, payload: {...payload, trees: {before: '--help', after: 'f'.repeat(40)}}},
			...[readyOf('a'), claimOf('r2', 'a', inWorktree)],
		);
		expect(trace.runs.get('r1')).not.toHaveProperty('trees');
		expect(idsBefore(trace, 'r2')).toEqual([]);
	});
});
