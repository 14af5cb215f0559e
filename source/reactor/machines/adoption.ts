import type {Colony} from '../../colony/colony.ts';
import type {Payload, StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {PutOff} from '../../ledger/cursors.ts';
import type {Bus} from '../../ports/bus.ts';
import type {PendingInvite, PendingRun} from '../machine.ts';
import {considerAnew, type Pending} from '../pending.ts';

/** The pending work that comes with a trace taken from another checkout. */
export type Adoption = {
	readonly traceId: string;
	/** The requests that the other checkout had deferred. */
	readonly putOff: PutOff<PendingRun, PendingInvite>;
	/** Events of the trace that the other checkout had not considered. */
	readonly left: readonly StoredEvent[];
};

/** The events by which this checkout takes traces. */
export const takingsOf = (checkout: string, events: readonly StoredEvent[]): readonly StoredEvent[] =>
	events.filter(({payload}) => payload.kind === 'trace.taken' && payload.place === checkout);

/**
 * Reads adoptions by sequence of the `trace.taken` event; empty for a log of a single checkout. If the other
 * checkout had not considered its own taking of the trace, its adoption is passed on too.
 */
export const readAdoptions = async (
	bus: Pick<Bus, 'read'>,
	takings: readonly StoredEvent[],
): Promise<ReadonlyMap<number, readonly Adoption[]>> => {
	const adoptions = new Map<number, readonly Adoption[]>();
	for (const taking of takings) adoptions.set(taking.sequence, await readAdoption(bus, taking));
	return adoptions;
};

const readAdoption = async (
	bus: Pick<Bus, 'read'>,
	{traceId, sequence, payload}: StoredEvent,
): Promise<readonly Adoption[]> => {
	const putOff = putOffIn(payload);
	if (putOff === undefined) return [];
	const left: StoredEvent[] = [];
	for await (const batch of bus.read({traceId, after: putOff.considered}))
		left.push(...batch.filter(event => event.sequence < sequence));
	const earlier = await readAdoptions(bus, takingsOf(String(payload.from), left));
	return [{traceId, putOff, left}, ...[...earlier.values()].flat()];
};

/** Makes the adopted work pending here. `trace` must have the event folded. */
export const adopt = (
	pending: Pending,
	{traceId, putOff, left}: Adoption,
	trace: Trace,
	colony: Colony,
): void => {
	pending.adopt(traceId, putOff);
	for (const event of left) considerAnew(pending, event, trace, colony);
};

const putOffIn = ({putOff}: Payload): PutOff<PendingRun, PendingInvite> | undefined => {
	const {considered, runs, invites}: Partial<PutOff> = {...Object(putOff)};
	if (!Number.isSafeInteger(considered) || !Array.isArray(runs) || !Array.isArray(invites)) return undefined;
	return {
		considered: Number(considered),
		runs: runs.filter(run => Number.isSafeInteger(run?.trigger) && isText(run.bee) && isText(run.kind)),
		invites: invites.filter(invite => isText(invite?.inviteId) && isText(invite.bee)),
	};
};

const isText = (value: unknown): value is string => typeof value === 'string';
