import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import {decide} from '../../source/reactor/decide.ts';
import type {Machine, OwedRun} from '../../source/reactor/machine.ts';
import type {Step} from '../../source/reactor/steps.ts';
import {
	addOf,
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
	traceId,
} from '../helpers/events.ts';
import {builder, colonyOf, guard, machineOf, mason, owedRun, receiver, rootGuard, scout} from './scene.ts';

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
			say('VERIFICATION', {kind: 'verification.success', taskId: id, summary: 'fine'}, {agentId: by}),
		),
	fc.constant(addOf(1)),
	task.map(taskId => say('SIGNAL', {kind: 'merge.started', taskId, tree: 't', by: 'human'})),
	task.map(taskId => say('SIGNAL', {kind: 'merge.abandoned', taskId, reason: 'no'})),
);

const anyTrace = fc
	.tuple(fc.integer({min: 1, max: 4}), fc.array(anyEvent, {maxLength: 25}))
	.map(([energyBudget, events]) => folded(...events.map(event => ({...event, energyBudget}))));

const anyOwed: fc.Arbitrary<OwedRun> = fc
	.tuple(fc.constantFrom('guard', 'root-guard', 'receiver', 'leaver'), fc.integer({min: 1, max: 25}), task)
	.map(([role, trigger, taskId]) => owedRun('code.proposal.isolated', role, {trigger, taskId}));

const anyMachine = fc
	.record({
		place: fc.constantFrom('here', 'there'),
		freePlaces: fc.integer({min: 0, max: 2}),
		root: fc.record({writers: fc.integer({min: 0, max: 1}), readers: fc.integer({min: 0, max: 1})}),
		owed: fc.array(anyOwed, {maxLength: 3}),
		branchDiffers: fc.boolean(),
	})
	.map(machineOf);

/** Open runs of which nothing is known, as if all were busy. */
const next = (trace: Trace, machine: Machine) =>
	decide(trace, colony, machine).find(
		step => step.do === 'append' || step.do === 'claim' || step.do === 'drop',
	);

const isSameBut = (one: Trace, other: Trace): boolean =>
	JSON.stringify({...one, sequence: 0, updatedAt: '', tasks: [...one.tasks], runs: [...one.runs]}) ===
	JSON.stringify({...other, sequence: 0, updatedAt: '', tasks: [...other.tasks], runs: [...other.runs]});

describe('whatever the log holds and however the machine is', () => {
	test('every decision moves the trace, and after finitely many nothing is left to decide', () => {
		fc.assert(
			fc.property(anyTrace, anyMachine, (start, machine) => {
				let trace = start;
				let {owed} = machine;
				for (let round = 0; round < 60; round++) {
					const step = next(trace, {...machine, owed});
					if (step === undefined) return;
					if (step.do === 'drop') {
						owed = owed.filter(one => one.trigger !== step.trigger || one.bee !== step.bee);
						continue;
					}
					const before = trace;
					trace = later(trace, step.do === 'append' ? {...step.event, traceId} : claimed(step, round));
					expect(isSameBut(before, trace), JSON.stringify(step)).toBe(false);
					expect(trace.problems).toEqual(before.problems);
				}
				expect.unreachable('the same things are decided for ever');
			}),
			{numRuns: 500},
		);
	});

	test('nothing is claimed in a killed trace, during a merge, elsewhere, without a place, or twice for one task', () => {
		fc.assert(
			fc.property(anyTrace, anyMachine, (trace, machine) => {
				for (const step of decide(trace, colony, machine)) {
					if (step.do !== 'claim') continue;
					expect(trace.killed).toBe(false);
					expect(trace.merge).toBeUndefined();
					expect([machine.place, undefined]).toContain(trace.place);
					expect(machine.freePlaces).toBeGreaterThan(0);
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

const claimed = ({bee, taskId, trigger}: Extract<Step, {do: 'claim'}>, round: number): NewEvent => ({
	...claimOf(`claimed-${round}`, taskId ?? '', {bee, ...(trigger === undefined ? {} : {trigger})}),
	energyBudget: 2,
});
