import type {ActionContext} from '../../source/actions/context.ts';
import {emitEvent} from '../../source/actions/emit-event.ts';
import type {Colony} from '../../source/colony/colony.ts';
import {badIdMessage} from '../../source/domain/event-ids.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import type {Fold} from './invariants.ts';
import type {FakeMachine} from './machine.ts';
import type {Random} from './random.ts';

type Straying = {
	readonly bus: Bus;
	readonly clock: Clock;
	readonly random: Random;
	readonly colony: Colony;
	readonly traceIds: readonly string[];
	/** Is called for each trace that a run tries to start. */
	readonly begins: (traceId: string) => void;
};

/** Lets some bees start traces. */
export const withStarters = (colony: Colony, random: Random): Colony => ({
	...colony,
	bees: new Map(
		[...colony.bees].map(([role, bee]) => [
			role,
			random.chance(0.5) ? {...bee, mayStartTraces: true as const} : bee,
		]),
	),
});

/**
 * Creates agents that misuse `event emit`: foreign traces, new traces, foreign agent ids, and ids with path
 * parts.
 */
export const createStrays = ({bus, clock, random, colony, traceIds, begins}: Straying) => {
	const ids = createIdSource(clock.now, random.hex);
	return (machine: FakeMachine, {env, runDir}: Launch): void => {
		const {HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId = ''} = env;
		const context = {
			...{
				bus: expectNoSecrets(bus),
				clock,
				ids,
				colony,
				checkout: machine.checkout,
				files: filesInMemory().files,
			},
			failpoint: () => {},
			insideRun: {traceId, agentId},
		} as unknown as ActionContext;
		const emit = (): void => {
			if (machine.runs.get(runDir)?.state !== 'alive') return;
			const raw = rawFrom(random, traceIds, begins);
			void emitEvent(context, raw, {traceId, agentId}).catch(() => {});
		};
		for (let left = random.between(0, 4); left > 0; left--) clock.after(random.below(15_000), emit);
	};
};

const rawFrom = (random: Random, traceIds: readonly string[], begins: (traceId: string) => void): object => {
	const note = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'astray'}};
	const traceId = `begun-${random.below(6)}`;
	return random.pick<() => object>([
		() => note,
		() => ({...note, traceId: random.pickAny(traceIds)}),
		() => ({...note, agentId: random.pickAny(['human', 'runtime', '../run'])}),
		() => ({...note, traceId: '../../elsewhere'}),
		() => ({
			type: 'INSIGHT',
			payload: {kind: 'task.plan', tasks: [{taskId: '../../t', title: 'T', bee: 'builder'}]},
		}),
		() => {
			begins(traceId);
			const payload = {kind: 'feature.requested', title: 'More'};
			return {traceId, type: 'SIGNAL', payload, energyBudget: random.between(1, 5)};
		},
	])();
};

/**
 * A run emits only into its own trace. A trace that it starts has the honey that its own trace gave, once. No
 * id leads out of its folder (docs/reliability.md I13, I33).
 */
export const misspoken = (folds: readonly Fold[]): string[] => {
	const homes = new Map(
		folds.flatMap(({event, after}) =>
			[...after.runs.keys()].map(agentId => [agentId, event.traceId] as const),
		),
	);
	const given = new Map<string, number>();
	return folds.flatMap(({event, before}) => {
		const {sequence, traceId, agentId = '', payload, energyBudget} = event;
		const flaw = badIdMessage(event);
		if (flaw !== undefined) return [`${sequence}: ${flaw}`];
		const start = typeof payload.starts === 'string' ? `${traceId} ${payload.starts}` : undefined;
		if (start !== undefined) given.set(start, (given.get(start) ?? 0) + Number(payload.amount));
		const home = homes.get(agentId);
		if (home === undefined || home === traceId) return [];
		if (before.sequence > 0) return [`${sequence}: run ${agentId} of ${home} spoke in ${traceId}`];
		const seed = given.get(`${home} ${traceId}`);
		given.delete(`${home} ${traceId}`);
		return seed === energyBudget
			? []
			: [`${sequence}: ${traceId} began with ${energyBudget}, and was given ${seed}`];
	});
};
