import type {Colony} from '../../colony/colony.ts';
import type {Payload, StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Deferred} from '../../ledger/cursors.ts';
import type {Bus} from '../../ports/bus.ts';
import type {PendingInvite, PendingRun} from '../machine.ts';
import {considerMissed, type Pending} from '../pending.ts';

/** The pending work that comes with a trace taken from another checkout. */
export type TakeOver = {
	readonly traceId: string;
	/** The requests that the other checkout had deferred. */
	readonly deferred: Deferred<PendingRun, PendingInvite>;
	/** Events of the trace that the other checkout had not considered. */
	readonly missed: readonly StoredEvent[];
};

/** The events by which this checkout takes traces. */
export const takingsOf = (checkout: string, events: readonly StoredEvent[]): readonly StoredEvent[] =>
	events.filter(({payload}) => payload.kind === 'trace.taken' && payload.place === checkout);

/**
 * Reads adoptions by sequence of the `trace.taken` event; empty for a log of a single checkout. If the other
 * checkout had not considered its own taking of the trace, its adoption is passed on too.
 */
export const readTakeOvers = async (
	bus: Pick<Bus, 'read'>,
	takings: readonly StoredEvent[],
): Promise<ReadonlyMap<number, readonly TakeOver[]>> => {
	const takeOvers = new Map<number, readonly TakeOver[]>();
	for (const taking of takings) takeOvers.set(taking.sequence, await readTakeOver(bus, taking));
	return takeOvers;
};

const readTakeOver = async (
	bus: Pick<Bus, 'read'>,
	{traceId, sequence, payload}: StoredEvent,
): Promise<readonly TakeOver[]> => {
	const deferred = readDeferred(payload);
	if (deferred === undefined) return [];
	const missed: StoredEvent[] = [];
	for await (const batch of bus.read({traceId, after: deferred.considered}))
		missed.push(...batch.filter(event => event.sequence < sequence));
	const earlier = await readTakeOvers(bus, takingsOf(String(payload.from), missed));
	return [{traceId, deferred, missed}, ...[...earlier.values()].flat()];
};

/** Makes the adopted work pending here. `trace` must have the event folded. */
export const takeOver = (
	pending: Pending,
	{traceId, deferred, missed}: TakeOver,
	trace: Trace,
	colony: Colony,
): void => {
	pending.takeOver(traceId, deferred);
	for (const event of missed) considerMissed(pending, event, trace, colony);
};

const readDeferred = ({putOff}: Payload): Deferred<PendingRun, PendingInvite> | undefined => {
	const {considered, runs, invites}: Partial<Deferred> = {...Object(putOff)};
	if (!Number.isSafeInteger(considered) || !Array.isArray(runs) || !Array.isArray(invites)) return undefined;
	return {
		considered: Number(considered),
		runs: runs.filter(run => Number.isSafeInteger(run?.trigger) && isText(run.bee) && isText(run.kind)),
		invites: invites.filter(invite => isText(invite?.inviteId) && isText(invite.bee)),
	};
};

const isText = (value: unknown): value is string => typeof value === 'string';
