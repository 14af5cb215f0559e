import {describe, expect, it} from 'vitest';
import type {Colony} from '../../source/colony/colony.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {type Wait, waitsOf} from '../../source/host/waits/waits.ts';
import {decide} from '../../source/reactor/decide.ts';
import {
	addOf,
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
	statusOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';
import {
	bee,
	builder,
	colonyOf,
	type Given,
	guard,
	machineOf,
	pendingRun,
	receiver,
	root,
	rootGuard,
} from '../reactor/scene.ts';

const usual = colonyOf([builder, guard]);

/** Returns the waits of a task. */
const waitsIn = (
	trace: Trace,
	taskId: string,
	given: Given = {},
	colony: Colony = usual,
): readonly Wait[] => {
	const task = taskOf(trace, taskId);
	return waitsOf(trace, task, decide(trace, colony, machineOf(given)).waits.task(task));
};

/** Returns the waits of a task as `for: what`. */
const waits = (taskId: string, events: readonly NewEvent[], given?: Given, colony?: Colony): string[] =>
	waitsIn(reduceAll(...events), taskId, given, colony).map(wait => `${wait.for}: ${wait.what}`);

const gate = {...item('last'), review: 'final'} as const;

describe('a planned task', () => {
	it('waits for each incomplete dependency, and has the next command for a failed one', () => {
		const events = [
			planOf(item('a'), item('b'), item('c', 'a', 'b')),
			claimOf('run1', 'a'),
			finishOf('run1', 'failed'),
		];
		expect(waits('c', events)).toEqual([
			'dependency: Title of a (a), which is failed',
			'dependency: Title of b (b), which is ready',
		]);
		const trace = reduceAll(...events);
		expect(waitsIn(trace, 'c')[0]?.next).toBe(`hive task retry --trace ${traceId} --task a`);
	});

	it('waits for its predecessor in the queue when it has no dependencies', () => {
		expect(waits('b', [planOf(item('a'), item('b'))])).toEqual([
			'queue: Title of a (a) is before it in the queue and is ready',
		]);
	});

	it('waits for every other task and open run, if it is a gate', () => {
		expect(waits('last', [planOf(item('a'), gate)])).toEqual(['dependency: Title of a (a), which is ready']);
	});
});

describe('a ready task', () => {
	const events = [planOf(item('a'))];

	it('waits for nothing when a reactor is about to claim it', () => {
		expect(waits('a', events)).toEqual([]);
	});

	it.each<[string, Given, string]>([
		['a reactor', {isAttended: false}, 'reactor: a reactor: none is alive for it in this checkout'],
		['a slot', {freeSlots: 0}, 'places: its turn: 4 of 4 agents running (defaults.max_parallel_runs)'],
	])('waits for %s', (_, given, expected) => {
		expect(waits('a', events, given)).toEqual([expected]);
	});

	it('of another checkout waits for the reactor there, whose slots are unknown here', () => {
		const elsewhere = [...events, claimOf('run1', '', {trigger: 1, place: 'there'}), finishOf('run1')];
		expect(waits('a', elsewhere, {freeSlots: 0})).toEqual([
			'reactor: the reactor of the checkout there, where the trace belongs',
		]);
	});

	it('waits for honey, however many slots are free', () => {
		const spent = [{...events[0]!, energyBudget: 1}, claimOf('run1', '', {trigger: 1}), finishOf('run1')];
		expect(waits('a', spent)).toEqual(['honey: the honey reserve is exhausted']);
		expect(waits('a', spent, {freeSlots: 0, isAttended: false}).map(wait => wait.split(':', 1)[0])).toEqual([
			'honey',
			'places',
			'reactor',
		]);
	});

	it('waits for missing configuration', () => {
		const lacking = (given: object) => waits('a', [planOf({...item('a'), ...given})]);
		expect(lacking({bee: 'x'})).toEqual(['configuration: There is no bee "x" in .hive/bees/']);
		expect(lacking({bee: 'guard'})).toEqual(['configuration: The bee "guard" does not take task.ready']);
		expect(lacking({sector: 'wbe'})).toEqual([
			'configuration: There is no sector "wbe" in .hive/colony.yaml',
		]);
	});

	it('waits for the run in its workspace, named with its trace', () => {
		const busy = [...events, claimOf('run1', 'x', {trigger: 1})];
		expect(waits('a', busy)).toEqual([`workspace: its workspace, which builder (run1) of ${traceId} is in`]);
		const inRoot = [planOf({...item('a'), bee: 'mason'})];
		const colony = colonyOf([bee('mason', {publishes: [root]})]);
		expect(waits('a', inRoot, {root: {writers: 0, readers: 1}}, colony)).toEqual([
			'workspace: its workspace, which somebody (reader-0) of other is in',
		]);
	});

	it('waits once for the run that a retry replaced', () => {
		const retried = [...events, claimOf('run1', 'a'), readyOf('a', {replaces: 'run1'})];
		expect(waits('a', retried)).toEqual([expect.stringMatching(/^run: the run run1 of builder, open since/)]);
	});

	it('waits for a merge in progress', () => {
		const merging = [
			planOf({...item('b'), review: 'required'}, item('a')),
			claimOf('run1', 'b'),
			finishOf('run1'),
			statusOf('b', 'waiting_review'),
			readyOf('a'),
			createEvent('SIGNAL', {kind: 'merge.started', taskId: 'b', tree: 'abc', by: 'human'}),
		];
		const trace = reduceAll(...merging);
		const next = {...taskOf(trace, 'a'), status: 'ready' as const};
		expect(waitsOf(trace, next, decide(trace, usual, machineOf()).waits.task(next))).toMatchObject([
			{for: 'merge', what: 'the merge that human started for b'},
		]);
	});

	it('waits for a merge of the base into its worktree', () => {
		const updating = createEvent('SIGNAL', {kind: 'update.started', head: 'abc', by: 'human'});
		expect(waits('a', [planOf(item('a')), updating])).toEqual([
			'merge: the merge of the base into the worktree that human started',
		]);
	});
});

describe('a task after its claim', () => {
	const claimed = [planOf(item('a')), claimOf('run1', 'a')];

	it('waits for its run while that is running', () => {
		expect(waits('a', claimed)[0]).toMatch(/^run: the run run1 of builder, open since 2026-/);
	});

	it('waits for honey when it is blocked', () => {
		const spent = [
			{...planOf(item('a')), energyBudget: 1},
			claimOf('x', '', {trigger: 1}),
			finishOf('x'),
			statusOf('a', 'blocked', 'Honey reserve exhausted'),
		];
		expect(waits('a', spent)).toEqual(['honey: the honey reserve is exhausted']);
		expect(waits('a', [...spent, addOf(1)])).toEqual([]);
	});

	it('waits for a person after it failed', () => {
		expect(waits('a', [...claimed, finishOf('run1', 'failed')])[0]).toMatch(/^person: to retry it/);
	});

	it.each([
		['required', [], 'person: to approve it, or to reject it with what should be different'],
		['none', [receiver], 'person: to approve it; receiver may complete it first'],
	] as const)('waits for a person with review %s', (review, receivers, expected) => {
		const colony = colonyOf([builder, ...receivers]);
		const events = [
			planOf({...item('a'), review}),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			statusOf('a', 'waiting_review'),
		];
		expect(waits('a', events, {}, colony)).toEqual([expected]);
	});

	it('waits only for a person at a commit gate that no bee will check', () => {
		const events = [
			planOf(item('a')),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', unattended: true}),
		];
		expect(waits('a', events, {}, colonyOf([builder, receiver]))).toEqual(['person: to approve it']);
	});

	it('waits first for the guard that checks its proposal', () => {
		const events = [
			planOf({...item('a'), review: 'required'}),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			statusOf('a', 'waiting_review'),
			claimOf('guard1', 'a', {trigger: 3, bee: 'guard'}),
		];
		expect(waits('a', events).map(wait => wait.split(' ', 1)[0])).toEqual(['run:', 'person:']);
	});

	it('offers a retry of its failed guard', () => {
		const events = [
			planOf({...item('a'), review: 'required'}),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			statusOf('a', 'waiting_review'),
			claimOf('guard1', 'a', {trigger: 3, bee: 'guard'}),
			finishOf('guard1', 'failed', 'exit code 9'),
		];
		const [again, decide] = waits('a', events);
		expect(again).toBe('person: to retry the run guard1 of guard, which failed: exit code 9');
		expect(decide).toMatch(/^person: to approve it/);
	});

	it('offers a retry of a guard that failed after completion, until a gate merges the work', () => {
		const failed = [
			planOf(item('a'), gate),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			completedOf('a'),
			claimOf('guard1', 'a', {trigger: 3, bee: 'guard'}),
			finishOf('guard1', 'failed', 'exit code 9'),
			statusOf('last', 'waiting_review'),
		];
		const trace = reduceAll(...failed);
		expect(waitsIn(trace, 'a')).toEqual([
			{
				for: 'person',
				what: 'to retry the run guard1 of guard, which failed: exit code 9',
				next: `hive task retry --trace ${traceId} --task a`,
			},
		]);
		const merging = [
			...failed,
			createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
		];
		expect(waits('a', merging)).toEqual([]);
		expect(waits('a', [...merging, completedOf('last')])).toEqual([]);
		expect(waits('a', [...failed, killOf()])).toEqual([]);
	});

	it('waits for a merge that a person started', () => {
		const events = [
			planOf(gate),
			statusOf('last', 'waiting_review'),
			createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
		];
		expect(waits('last', events)).toEqual(['merge: the merge that human started']);
	});

	it('waits for nothing when it is over', () => {
		expect(waits('a', [planOf(item('a')), killOf()], {isAttended: false})).toEqual([]);
	});

	it('waits for the guard of the root before a person, and for what blocks that guard', () => {
		const proposed = [
			{...planOf({...item('a'), bee: 'mason', review: 'required'}), energyBudget: 1},
			claimOf('run1', 'a', {bee: 'mason'}),
			proposalOf('run1', 'a', 'root'),
			finishOf('run1'),
		];
		const colony = colonyOf([bee('mason', {publishes: [root]}), rootGuard]);
		const pending = [pendingRun('code.proposal.root', 'root-guard', {trigger: 3, taskId: 'a'})];
		expect(waits('a', proposed, {pending}, colony)).toEqual([
			'run: its guard root-guard, which has still to begin',
			'honey: the honey reserve is exhausted',
		]);
		expect(waits('a', proposed, {}, colony)).toEqual([]);
	});

	it('names the guard that is working, also for its dependants', () => {
		const guarded = [
			planOf({...item('a'), review: 'required'}, item('b', 'a')),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			claimOf('guard1', 'a', {trigger: 3, bee: 'guard'}),
		];
		expect(waits('a', guarded)).toEqual([
			expect.stringMatching(/^run: its guard guard \(guard1\), at work since 2026-/),
		]);
		expect(waits('b', guarded)).toEqual(['dependency: Title of a (a), which is at its guard']);
	});
});

describe('a planned gate', () => {
	const done = [planOf(item('a'), gate), claimOf('run1', 'a'), finishOf('run1'), completedOf('a')];

	it('waits for nothing once everything is done and a reactor is about to open it', () => {
		expect(waits('last', done)).toEqual([]);
		expect(waits('last', done, {isAttended: false})).toEqual([
			'reactor: a reactor: none is alive for it in this checkout',
		]);
	});

	it('waits for open runs and for runs that events request', () => {
		const pending = [pendingRun('code.proposal.isolated', 'guard', {trigger: 9, taskId: 'b'})];
		expect(waits('last', done, {pending, freeSlots: 0})).toEqual([
			'run: a run of guard, which event 9 asks for',
			'places: its turn: 4 of 4 agents running (defaults.max_parallel_runs)',
		]);
		expect(waits('last', [...done, claimOf('g1', 'a', {trigger: 9, bee: 'guard'})])).toEqual([
			expect.stringMatching(/^run: the run g1 of guard, open since/),
		]);
	});
});
