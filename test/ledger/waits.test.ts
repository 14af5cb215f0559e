import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {type WaitFacts, waitsOf} from '../../source/ledger/waits.ts';
import {
	addOf,
	claimOf,
	completedOf,
	finishOf,
	folded,
	item,
	killOf,
	planOf,
	proposalOf,
	say,
	statusOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';

const calm: WaitFacts = {honey: 5, reactor: 'here', holders: [], freePlaces: 4, receivers: []};

/** What a task waits for, as `for: what`. */
const waits = (taskId: string, events: readonly NewEvent[], facts: Partial<WaitFacts> = {}): string[] => {
	const trace = folded(...events);
	return waitsOf(trace, taskOf(trace, taskId), {...calm, ...facts}).map(wait => `${wait.for}: ${wait.what}`);
};

const gate = {...item('last'), review: 'final'} as const;

describe('a planned task', () => {
	it('waits for each dependency that is not completed, and is told how a failed one goes on', () => {
		const events = [
			planOf(item('a'), item('b'), item('c', 'a', 'b')),
			claimOf('run1', 'a'),
			finishOf('run1', 'failed'),
		];
		expect(waits('c', events)).toEqual(['dependency: a, which is failed', 'dependency: b, which is ready']);
		const trace = folded(...events);
		expect(waitsOf(trace, taskOf(trace, 'c'), calm)[0]?.next).toBe(
			`hive task retry --trace ${traceId} --task a`,
		);
	});

	it('waits for the head of the queue when it has no dependencies', () => {
		expect(waits('b', [planOf(item('a'), item('b'))])).toEqual([
			'queue: a is before it in the queue and is ready',
		]);
	});

	it('waits as a gate for every other task and open run', () => {
		expect(waits('last', [planOf(item('a'), gate)])).toEqual(['dependency: a, which is ready']);
	});

	it('waits as a gate for a task to review when the trace has no other', () => {
		const trace = folded(planOf(gate));
		expect(waitsOf(trace, taskOf(trace, 'last'), calm)).toEqual([
			{
				for: 'dependency',
				what: 'a task to review: this is a gate, which no bee works on, and the trace has no other task',
				next: `hive task create --trace ${traceId} --body "<what is to be done>"`,
			},
		]);
	});
});

describe('a ready task', () => {
	const events = [planOf(item('a'))];

	it('waits for nothing when a reactor is about to claim it', () => {
		expect(waits('a', events)).toEqual([]);
	});

	it.each<[string, Partial<WaitFacts>, string]>([
		['a reactor', {reactor: 'none'}, 'reactor: a reactor: none is alive for it in this checkout'],
		[
			'its checkout',
			{elsewhere: 'there'},
			'reactor: the reactor of the checkout there, where the trace belongs',
		],
		['honey', {honey: 0}, 'honey: the honey reserve is exhausted'],
		['a place', {freePlaces: 0}, 'places: a place: defaults.max_parallel_runs is reached'],
		['its bee', {problem: 'a bee "x", which is not there'}, 'configuration: a bee "x", which is not there'],
	])('waits for %s', (_, facts, expected) => {
		expect(waits('a', events, facts)).toEqual([expected]);
	});

	it('waits for the run that holds its workspace, named with its trace', () => {
		const [run] = folded(...events, claimOf('run1', 'a')).runs.values();
		const holders = run === undefined ? [] : [{...run, traceId: 'other'}];
		expect(waits('a', events, {holders})).toEqual([
			'workspace: its workspace, which builder (run1) of other holds',
		]);
	});
});

describe('a task further on', () => {
	const claimed = [planOf(item('a')), claimOf('run1', 'a')];

	it('waits for its run while it is running', () => {
		expect(waits('a', claimed)[0]).toMatch(/^run: the run run1 of builder, open since 2026-/);
	});

	it('waits for honey when it is blocked', () => {
		const spent = [
			{...planOf(item('a')), energyBudget: 1},
			claimOf('x', '', {trigger: 1}),
			statusOf('a', 'blocked', 'Honey reserve exhausted'),
		];
		expect(waits('a', spent)).toEqual(['honey: the honey reserve is exhausted']);
		expect(waits('a', [...spent, addOf(1)])).toEqual([]);
	});

	it('waits for a person when it failed', () => {
		expect(waits('a', [...claimed, finishOf('run1', 'failed')])[0]).toMatch(/^person: to retry it/);
	});

	it.each([
		['required', [], 'person: to approve it, or to reject it with what should be different'],
		['none', ['guard'], 'person: to approve it; guard may complete it first'],
	] as const)('waits for a person in review %s', (review, receivers, expected) => {
		const events = [
			planOf({...item('a'), review}),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			statusOf('a', 'waiting_review'),
		];
		expect(waits('a', events, {receivers})).toEqual([expected]);
	});

	it('waits first for the guard that looks at its proposal', () => {
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

	it('can have its guard run again when that failed', () => {
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

	it('names the retry of its guard when that failed after it was completed, until a gate takes the work', () => {
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
		const trace = folded(...failed);
		expect(waitsOf(trace, taskOf(trace, 'a'), calm)).toEqual([
			{
				for: 'person',
				what: 'to retry the run guard1 of guard, which failed: exit code 9',
				next: `hive task retry --trace ${traceId} --task a`,
			},
		]);
		const merging = [
			...failed,
			say('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
		];
		expect(waits('a', merging)).toEqual([]);
		expect(waits('a', [...merging, completedOf('last')])).toEqual([]);
		expect(waits('a', [...failed, killOf()])).toEqual([]);
	});

	it('waits for the merge that somebody started', () => {
		const events = [
			planOf(gate),
			statusOf('last', 'waiting_review'),
			say('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
		];
		expect(waits('last', events)).toEqual(['merge: the merge that human started']);
	});

	it('waits for nothing when it is over', () => {
		expect(waits('a', [planOf(item('a')), killOf()], {reactor: 'none'})).toEqual([]);
	});
});
