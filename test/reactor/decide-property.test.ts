import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Reason} from '../../source/domain/reason.ts';
import {isTerminal} from '../../source/domain/task.ts';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import {decide} from '../../source/reactor/decide.ts';
import type {Machine, PendingRun} from '../../source/reactor/machine.ts';
import type {Step} from '../../source/reactor/steps.ts';
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
	reduceLater,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {builder, colonyOf, guard, machineOf, mason, pendingRun, receiver, rootGuard, scout} from './scene.ts';

const colony = colonyOf([builder, mason, scout, guard, rootGuard, receiver]);

const task = fc.constantFrom('a', 'b', 'c', 'gate', 'absent');
const agent = fc.constantFrom('r1', 'r2', 'r3');
const bees = fc.constantFrom('builder', 'mason', 'scout', 'leaver', 'guard');
const status = fc.constantFrom('waiting_review', 'failed', 'blocked', 'ready', 'cancelled');

const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
	fc
		.tuple(bees, bees, fc.constantFrom('none' as const, 'required' as const))
		.map(([one, other, review]) =>
			planOf({...item('a'), bee: one, review}, {...item('b', 'a'), bee: other}, {...item('c'), bee: one}),
		),
	fc.constant(planOf({...item('gate'), review: 'final'})),
	fc.constant(killOf()),
	fc.tuple(agent, task, bees).map(([by, id, bee]) => claimOf(by, id, {bee})),
	fc.tuple(agent, task).map(([by, id]) => claimOf(by, id, {bee: 'guard', trigger: 2})),
	fc.tuple(agent, fc.constantFrom('completed', 'failed')).map(([by, how]) => finishOf(by, how)),
	fc.tuple(task, status).map(([id, to]) => statusOf(id, to)),
	fc.tuple(task, agent).map(([id, by]) => completedOf(id, {agentId: by})),
	task.map(id => completedOf(id)),
	task.map(id => readyOf(id)),
	fc.tuple(task, agent).map(([id, replaces]) => readyOf(id, {replaces})),
	fc
		.tuple(agent, task, fc.constantFrom('isolated', 'root'))
		.map(([by, id, where]) => proposalOf(by, id, where)),
	fc
		.tuple(agent, task)
		.map(([by, id]) =>
			createEvent('VERIFICATION', {kind: 'verification.success', taskId: id, summary: 'fine'}, {agentId: by}),
		),
	fc.constant(addOf(1)),
	task.map(taskId => createEvent('SIGNAL', {kind: 'merge.started', taskId, tree: 't', by: 'human'})),
	task.map(taskId => createEvent('SIGNAL', {kind: 'merge.abandoned', taskId, reason: 'no'})),
	fc.constant(createEvent('SIGNAL', {kind: 'update.started', head: 'h', by: 'human'})),
	fc.constant(createEvent('SIGNAL', {kind: 'update.finished', summary: 'no'})),
);

const traceAfter = (begun: readonly NewEvent[]): fc.Arbitrary<Trace> =>
	fc
		.tuple(fc.integer({min: 1, max: 4}), fc.array(anyEvent, {maxLength: 25}))
		.map(([energyBudget, events]) =>
			reduceAll(...[...begun, ...events].map(event => ({...event, energyBudget}))),
		);

const anyTrace = traceAfter([]);

/** A merge is open at the start, because random events rarely open one. */
const mergingTrace = traceAfter([
	planOf({...item('a'), review: 'required'}, item('c'), item('b', 'a')),
	claimOf('r0', 'a'),
	finishOf('r0'),
	statusOf('a', 'waiting_review'),
	readyOf('c'),
	createEvent('SIGNAL', {kind: 'merge.started', taskId: 'a', tree: 't', by: 'human'}),
]);

const anyPending: fc.Arbitrary<PendingRun> = fc
	.tuple(fc.constantFrom('guard', 'root-guard', 'receiver', 'leaver'), fc.integer({min: 1, max: 25}), task)
	.map(([role, trigger, taskId]) => pendingRun('code.proposal.isolated', role, {trigger, taskId}));

const anyMachine = fc
	.record({
		checkout: fc.constantFrom('here', 'there'),
		isAttended: fc.boolean(),
		freeSlots: fc.integer({min: 0, max: 2}),
		root: fc.record({writers: fc.integer({min: 0, max: 1}), readers: fc.integer({min: 0, max: 1})}),
		pending: fc.array(anyPending, {maxLength: 3}),
		branchDiffers: fc.boolean(),
	})
	.map(machineOf);

/** The state of every open run is unknown, as if all runs were busy. */
const next = (trace: Trace, machine: Machine) =>
	decide(trace, colony, machine).steps.find(
		step => step.do === 'append' || step.do === 'claim' || step.do === 'drop',
	);

const isSameBut = (one: Trace, other: Trace): boolean =>
	JSON.stringify({...one, sequence: 0, updatedAt: '', tasks: [...one.tasks], runs: [...one.runs]}) ===
	JSON.stringify({...other, sequence: 0, updatedAt: '', tasks: [...other.tasks], runs: [...other.runs]});

describe('decisions over any log and any machine state', () => {
	test('every decision moves the trace, and after finitely many decisions nothing is left to decide', () => {
		fc.assert(
			fc.property(anyTrace, anyMachine, (start, machine) => {
				let trace = start;
				let {pending} = machine;
				for (let round = 0; round < 60; round++) {
					const step = next(trace, {...machine, pending});
					if (step === undefined) return;
					if (step.do === 'drop') {
						pending = pending.filter(one => one.trigger !== step.trigger || one.bee !== step.bee);
						continue;
					}
					const before = trace;
					trace = reduceLater(trace, step.do === 'append' ? {...step.event, traceId} : claimed(step, round));
					expect(isSameBut(before, trace), JSON.stringify(step)).toBe(false);
					expect(trace.problems).toEqual(before.problems);
				}
				expect.unreachable('the same things are decided for ever');
			}),
			{numRuns: 500},
		);
	});

	test('no run is claimed in a killed trace, during a merge, for another checkout, without a slot, or twice for one task', () => {
		fc.assert(
			fc.property(anyTrace, anyMachine, (trace, machine) => {
				for (const step of decide(trace, colony, machine).steps) {
					if (step.do !== 'claim') continue;
					expect(trace.killed).toBe(false);
					expect(trace.merge).toBeUndefined();
					expect([machine.checkout, undefined]).toContain(trace.place);
					expect(machine.slots.taken).toBeLessThan(machine.slots.total);
					if (step.trigger !== undefined) continue;
					expect(trace.tasks.get(step.taskId ?? '')?.status).toBe('ready');
					const own = openRuns(trace).filter(
						({taskId, trigger}) => taskId === step.taskId && trigger === undefined,
					);
					expect(own).toEqual([]);
				}
			}),
			{numRuns: 500},
		);
	});
});

describe('unfinished work that does not move', () => {
	test('has a step that is due, an open run, or a reason to wait', () => {
		fc.assert(
			fc.property(fc.oneof(anyTrace, mergingTrace), anyMachine, (trace, machine) => {
				const {steps, waits} = decide(trace, colony, machine);
				for (const task of trace.tasks.values()) {
					if (task.status === 'completed' || task.status === 'cancelled') continue;
					const isDue = steps.some(step => taskOf(step) === task.taskId);
					const isRunning = openRuns(trace).some(({agentId}) => agentId === task.agentId);
					const why = waits.task(task);
					expect(isDue || isRunning || why.length > 0, JSON.stringify(task)).toBe(true);
					const isClaimed = steps.some(step => step.do === 'claim' && step.taskId === task.taskId);
					if (isClaimed && task.status === 'ready') expect(why).toEqual([]);
				}
				for (const {run, reasons} of waits.runs()) {
					const isDue = steps.some(
						step =>
							(step.do === 'claim' || step.do === 'drop') &&
							step.trigger === run.trigger &&
							step.bee === run.bee,
					);
					expect(isDue || reasons.length > 0, JSON.stringify(run)).toBe(true);
				}
			}),
			{numRuns: 1000},
		);
	});

	test('loses a wait reason once the missing thing is supplied', () => {
		const supplied = new Set<string>();
		fc.assert(
			fc.property(fc.oneof(anyTrace, mergingTrace), anyMachine, (trace, machine) => {
				for (const task of trace.tasks.values()) {
					for (const reason of decide(trace, colony, machine).waits.task(task)) {
						const [after, changed] = supply(reason, trace, machine);
						if (after === trace && changed === machine) continue;
						supplied.add(reason.for);
						const {waits} = decide(after, colony, changed);
						const left = [...after.tasks.values()].find(({taskId}) => taskId === task.taskId);
						expect(left && waits.task(left)).not.toContainEqual(reason);
					}
				}
			}),
			{numRuns: 1000},
		);
		expect([...supplied].sort()).toEqual([
			'dependency',
			'honey',
			'merge',
			'queue',
			'reactor',
			'run',
			'slot',
			'workspace',
		]);
	});
});

const taskOf = (step: Step): unknown => {
	if (step.do === 'claim') return step.taskId;
	return step.do === 'append' ? step.event.payload.taskId : undefined;
};

/** Returns the state with the missing thing supplied, or the same state if no single thing would help. */
const supply = (reason: Reason, trace: Trace, machine: Machine): readonly [Trace, Machine] => {
	switch (reason.for) {
		case 'dependency':
		case 'queue':
			return isTerminal(reason.status)
				? [trace, machine]
				: [reduceLater(trace, completedOf(reason.taskId)), machine];
		case 'honey':
			return [reduceLater(trace, addOf(1)), machine];
		case 'merge':
			return [reduceLater(trace, endOf(reason)), machine];
		case 'run':
			return [reduceLater(trace, finishOf(reason.run.agentId)), machine];
		case 'workspace':
			return [
				reduceLater(trace, finishOf(reason.agentId)),
				{...machine, root: machine.root.filter(({agentId}) => agentId !== reason.agentId)},
			];
		case 'slot':
			return [trace, {...machine, slots: {taken: reason.total - 1, total: reason.total}}];
		case 'reactor':
			return [trace, {...machine, isAttended: true, checkout: reason.checkout ?? machine.checkout}];
		default:
			return [trace, machine];
	}
};

const endOf = ({taskId}: Extract<Reason, {for: 'merge'}>): NewEvent =>
	taskId === undefined
		? createEvent('SIGNAL', {kind: 'update.finished', summary: 'no'})
		: createEvent('SIGNAL', {kind: 'merge.abandoned', taskId, reason: 'no'});

const claimed = ({bee, taskId, trigger}: Extract<Step, {do: 'claim'}>, round: number): NewEvent => ({
	...claimOf(`claimed-${round}`, taskId ?? '', {bee, ...(trigger === undefined ? {} : {trigger})}),
	energyBudget: 2,
});
