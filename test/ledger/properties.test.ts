import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {decodeTrace, encodeTrace} from '../../source/ledger/checkpoint.ts';
import {applyEvents, reduce} from '../../source/ledger/reduce.ts';
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
	statusOf,
	stored,
	traceId,
} from '../helpers/events.ts';

const taskIds = ['a', 'b', 'c', 'd', '_review'];
const agents = ['r1', 'r2', 'r3', 'human'];
const task = fc.constantFrom(...taskIds);
const agent = fc.constantFrom(...agents);

/** Events of all kinds in any order, plausible or not, with malformed payloads. */
const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
	fc.constantFrom(
		planOf(item('a'), item('b', 'a'), item('c', 'a'), item('d', 'b', 'c')),
		planOf(item('a'), item('b')),
		planOf({...item('_review'), review: 'final'}),
		planOf({...item('c'), review: 'required'}),
		killOf('stop'),
	),
	fc.tuple(agent, task).map(([by, id]) => claimOf(by, id)),
	fc.tuple(agent, task, fc.integer({min: 1, max: 9})).map(([by, id, trigger]) => claimOf(by, id, {trigger})),
	fc
		.tuple(agent, fc.constantFrom('completed', 'failed', 'cancelled'))
		.map(([by, status]) => finishOf(by, status)),
	fc
		.tuple(
			task,
			fc.constantFrom('running', 'waiting_review', 'failed', 'blocked', 'ready', 'cancelled', 'completed'),
			agent,
		)
		.map(([id, status, by]) => statusOf(id, status, 's', by)),
	fc.tuple(task, agent).map(([id, agentId]) => completedOf(id, {agentId})),
	fc.tuple(task, agent).map(([id, replaces]) => readyOf(id, {replaces})),
	task.map(id => readyOf(id)),
	fc.tuple(agent, task).map(([by, id]) => proposalOf(by, id)),
	fc.integer({min: -2, max: 3}).map(addOf),
	task.map(taskId => createEvent('INSIGHT', {kind: 'human.feedback', taskId, message: 'again'})),
	fc
		.tuple(task, fc.constantFrom('merge.started', 'merge.abandoned'))
		.map(([taskId, kind]) => createEvent('SIGNAL', {kind, taskId, tree: 't', by: 'human', reason: 'x'})),
	fc
		.constantFrom('update.started', 'update.finished')
		.map(kind => createEvent('SIGNAL', {kind, head: 'h', by: 'human', summary: 'x'})),
	fc
		.tuple(
			fc.constantFrom('task.plan', 'task.ready', 'energy.consume', 'run.finished', 'task.status'),
			fc.dictionary(fc.string(), fc.anything()),
		)
		.map(([kind, payload]) => createEvent('SIGNAL', {...payload, kind})),
);
const history = fc.array(anyEvent, {maxLength: 40}).map(events => stored(events));

const fold = (events: ReturnType<typeof stored>): Trace => applyEvents(emptyTrace(traceId), events).trace;
const prefixes = (events: ReturnType<typeof stored>): Trace[] => {
	const states = [emptyTrace(traceId)];
	for (const event of events) states.push(reduce(states[states.length - 1]!, event));
	return states;
};
const steps = (events: ReturnType<typeof stored>): [Trace, Trace][] => {
	const states = prefixes(events);
	return states.slice(1).map((after, index) => [states[index]!, after]);
};

describe('for any events in any order', () => {
	test('folding one by one, in batches and from a checkpoint gives the same snapshot', () => {
		fc.assert(
			fc.property(history, fc.nat(40), (events, cut) => {
				const whole = fold(events);
				const half = decodeTrace(encodeTrace(fold(events.slice(0, cut))));
				expect(applyEvents(half!, events.slice(cut)).trace).toEqual(whole);
				expect(prefixes(events).at(-1)).toEqual(whole);
			}),
		);
	});

	test('folding does not modify the initial snapshot', () => {
		fc.assert(
			fc.property(history, fc.nat(40), (events, cut) => {
				const half = fold(events.slice(0, cut));
				const copy = encodeTrace(half);
				applyEvents(half, events.slice(cut));
				expect(encodeTrace(half)).toBe(copy);
			}),
		);
	});

	test('an event that is delivered twice counts once', () => {
		fc.assert(
			fc.property(history, events => {
				const echoed = events.flatMap(event => [event, event]);
				expect(fold(echoed)).toEqual(fold(events));
			}),
		);
	});

	test('the honey reserve is never negative, and equals budget plus additions minus one per run', () => {
		fc.assert(
			fc.property(history, events => {
				for (const [before, after] of steps(events)) {
					expect(after.energyRemaining).toBeGreaterThanOrEqual(0);
					const claimed = after.runs.size - before.runs.size;
					if (claimed === 1)
						expect(after.energyRemaining).toBeLessThan(before.energyRemaining + (after.energyBudget ?? 0));
				}
			}),
		);
	});

	test('a task is held by at most one open run, and a run is opened once', () => {
		fc.assert(
			fc.property(history, events => {
				for (const [before, after] of steps(events)) {
					for (const [agentId, run] of before.runs) {
						const now = after.runs.get(agentId);
						expect(now).toBeDefined();
						if (run.status !== 'running') expect(now?.status).toBe(run.status);
					}
				}
			}),
		);
	});

	test('a task starts only when all its dependencies are completed', () => {
		fc.assert(
			fc.property(history, events => {
				for (const [before, after] of steps(events)) {
					for (const now of after.tasks.values()) {
						if (now.status !== 'ready' || before.tasks.get(now.taskId)?.status === 'ready') continue;
						const needs = now.dependsOn.map(id => after.tasks.get(id)?.status);
						expect(needs.every(status => status === 'completed')).toBe(true);
					}
				}
			}),
		);
	});

	test('completed and cancelled tasks never change, and a killed trace starts nothing', () => {
		fc.assert(
			fc.property(history, events => {
				for (const [before, after] of steps(events)) {
					for (const task of before.tasks.values()) {
						if (task.status === 'completed' || task.status === 'cancelled') {
							expect(after.tasks.get(task.taskId)?.status).toBe(task.status);
						}
					}
					if (before.killed) {
						expect(after.killed).toBe(true);
						expect(after.runs.size).toBe(before.runs.size);
						expect(after.tasks.size).toBe(before.tasks.size);
					}
				}
			}),
		);
	});
});

test('a checkpoint that is torn, empty or of another version is ignored', () => {
	const text = encodeTrace(fold(stored([planOf(item('a'))])));
	for (const broken of [
		'',
		'null',
		'[]',
		text.slice(0, -5),
		text.replace(/"version":\d+/, '"version":999'),
	]) {
		expect(decodeTrace(broken)).toBeUndefined();
	}
	expect(decodeTrace(text)).toBeDefined();
});
