import {beeOf} from '../colony/colony.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type HiveEvent, runtimeAgent} from '../domain/event.ts';
import {
	isCount,
	lacking,
	type Part,
	partOf,
	reserveOf,
	type Spendable,
	topUpCommand,
} from '../domain/reserve.ts';
import {runEventId} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {fencing} from '../ledger/fencing.ts';
import {loadNewest} from '../ledger/ledger.ts';
import type {Appended, Bus} from '../ports/bus.ts';
import {withBeeOfRun} from '../runs/launch.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere, refuseKilled} from './decide-and-append.ts';

/** A new trace that a run begins. */
export type Start = {
	readonly own: RunName;
	readonly traceId: string;
	/** Honey for the new trace. */
	readonly honey: number;
};

type RunName = {readonly traceId: string; readonly agentId: string};

type Asked = {
	/** The trace that the event is for. */
	readonly target: Trace;
	/** The event's own budget; the colony's if it has none. */
	readonly energyBudget: unknown;
	/** Id of the event. */
	readonly id: string | undefined;
};

/**
 * Checks an event of a run for another trace than its own (docs/rules.md §5). Refused unless its bee may
 * begin traces, that trace is new, and the reserve of the run's own trace covers the seed.
 */
export const checkStart = async (
	context: ActionContext,
	own: RunName,
	{target: {traceId, sequence}, energyBudget, id}: Asked,
): Promise<Outcome<Start>> => {
	const {bus, colony, folded} = context;
	const trace = await loadNewest(bus, own.traceId, folded?.(own.traceId));
	const run = trace.runs.get(own.agentId);
	const bee = run && beeOf(await withBeeOfRun(context, colony, run), run.bee);
	if (run?.status !== 'running' || bee?.mayStartTraces !== true) return refuse('foreign_trace');
	const honey = energyBudget ?? colony.defaults.budget.energyBudget;
	if (!isCount(honey))
		return refuse('schema_validation_failed', {
			details: [{path: 'energyBudget', message: 'must be a positive whole number'}],
		});
	const start = {own, traceId, honey};
	// The event is offered again if its answer was lost.
	if (sequence > 0) return (await isBegunBy(bus, traceId, id)) ? accepted(start) : refuseBegun();
	const refused = refuseKilled(trace) ?? refuseElsewhere(trace, context.checkout);
	if (refused !== undefined) return refused;
	const part = partIn(context, trace, honey);
	const isTaken = async () => (await findTaken(bus, start)) !== undefined;
	return 'lacks' in part && !(await isTaken()) ? refuseLacking(start, part.lacks, trace) : accepted(start);
};

/** Takes the seed of the new trace from the run's own trace, then appends the event that begins it. */
export const beginFromRun = async (
	context: ActionContext,
	start: Start,
	event: HiveEvent,
	id: string,
): Promise<Outcome<Extract<Appended, {ok: true}>>> => {
	const taken = await take(context, start);
	if (!taken.ok) return taken;
	const {energyBudget, maxCost, maxTokens} = taken.value.seed;
	const seed = {energyBudget, ...(maxCost && {maxCost}), ...(maxTokens && {maxTokens})};
	const appended = await context.bus.append({...event, ...seed}, {id, after: 0});
	if (appended.ok) return accepted(appended);
	await giveBack(context, start, taken.value);
	return refuseBegun();
};

/** Attempts to take from the reserve while its trace moves. */
const maxAttempts = 16;

/** Takes once per trace that the run begins, however often the event is offered. */
const take = async (context: ActionContext, start: Start): Promise<Outcome<Part>> => {
	const {folded} = context;
	const bus = fencing(context.bus, context.checkout, folded);
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const trace = await loadNewest(bus, start.own.traceId, folded?.(start.own.traceId));
		const known = await findTaken(bus, start);
		if (known !== undefined) return accepted(known);
		const part = partIn(context, trace, start.honey);
		if ('lacks' in part) return refuseLacking(start, part.lacks, trace);
		const {taken, seed} = part;
		const payload = {
			...{kind: 'energy.consume', ...taken},
			reason: 'trace.started',
			starts: start.traceId,
			seed,
		};
		const event = {traceId: trace.traceId, agentId: runtimeAgent, type: 'SIGNAL' as const, payload};
		const appended = await bus.append(event, {id: idOf(start, 'start'), after: trace.sequence});
		if (appended.ok) return accepted(part);
	}
	return refuse('conflict');
};

/** Returns the seed when another actor began the trace in between. */
const giveBack = async ({bus}: ActionContext, start: Start, {taken}: Part): Promise<void> => {
	const payload = {kind: 'energy.add', ...taken, reason: `${start.traceId} was started by another run`};
	const event = {traceId: start.own.traceId, agentId: runtimeAgent, type: 'SIGNAL' as const, payload};
	await bus.append(event, {id: idOf(start, 'start-undone')});
};

const idOf = ({own, traceId}: Start, step: string): string =>
	runEventId(own.traceId, own.agentId, `${step}/${traceId}`);

const partIn = ({colony: {defaults}}: ActionContext, trace: Trace, honey: number) =>
	partOf(reserveOf(trace, defaults.budget), honey, defaults.budget);

/** Finds what an interrupted emit already took for the same trace. */
const findTaken = async (bus: Bus, start: Start): Promise<Part | undefined> => {
	const id = idOf(start, 'start');
	for await (const events of bus.read({traceId: start.own.traceId, after: 0})) {
		const {payload} = events.find(event => event.id === id) ?? {};
		if (payload === undefined) continue;
		const {amount, cost, tokens, seed} = payload as unknown as Part['taken'] & Pick<Part, 'seed'>;
		return {taken: {amount, ...(cost && {cost}), ...(tokens && {tokens})}, seed};
	}
	return undefined;
};

const isBegunBy = async (bus: Bus, traceId: string, id: string | undefined): Promise<boolean> => {
	for await (const [first] of bus.read({traceId, after: 0})) return first?.id === id;
	return false;
};

const refuseBegun = () =>
	refuse('foreign_trace', {
		message:
			'That trace exists already. A run may start a new trace, but may not emit into other existing traces.',
		hint: 'Name a trace that does not exist yet.',
	});

const refuseLacking = ({own, traceId, honey}: Start, lacks: Spendable, {energyRemaining}: Trace) =>
	refuse('honey_exhausted', {
		message: `${lacking[lacks].status}: ${traceId} needs ${honey} honey from ${own.traceId}, which has ${energyRemaining}.`,
		hint: `Ask for less with "energyBudget" beside the payload, or top up with "${topUpCommand(own.traceId, lacks)}".`,
	});
