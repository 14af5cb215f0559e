import type {Colony} from '../../colony/colony.ts';
import type {Payload, StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {PutOff} from '../../ledger/cursors.ts';
import type {Bus} from '../../ports/bus.ts';
import type {PendingInvite, PendingRun} from '../machine.ts';
import {considerAnew, type Pending} from '../pending.ts';

/** What a trace that was taken from another checkout brings along. */
export type Adoption = {
	readonly traceId: string;
	/** What that checkout had put off. */
	readonly putOff: PutOff<PendingRun, PendingInvite>;
	/** Events of the trace that it had not looked at. */
	readonly left: readonly StoredEvent[];
};

/** Events by which a checkout takes a trace. */
export const takingsOf = (checkout: string, events: readonly StoredEvent[]): readonly StoredEvent[] =>
	events.filter(({payload}) => payload.kind === 'trace.taken' && payload.place === checkout);

/**
 * By sequence of the event that takes a trace; nothing of one on a log that is of one checkout. A checkout
 * that was gone before it looked at its own taking of the trace hands on what it was to adopt.
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

/** It is for this checkout to do, given the trace as it is with the event folded. */
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
