import type {Colony} from '../colony/colony.ts';
import type {Payload, StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import type {PutOff} from '../ledger/cursors.ts';
import type {Bus} from '../ports/bus.ts';
import type {PendingInvite, PendingRun} from './machine.ts';
import {considerAnew, type Pending} from './pending.ts';

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

/** By sequence of the event that takes a trace; nothing of one on a log that is of one checkout. */
export const readAdoptions = async (
	bus: Pick<Bus, 'read'>,
	takings: readonly StoredEvent[],
): Promise<ReadonlyMap<number, Adoption>> => {
	const adoptions = new Map<number, Adoption>();
	for (const {traceId, sequence, payload} of takings) {
		const putOff = putOffIn(payload);
		if (putOff === undefined) continue;
		const left: StoredEvent[] = [];
		for await (const batch of bus.read({traceId, after: putOff.considered}))
			left.push(...batch.filter(event => event.sequence < sequence));
		adoptions.set(sequence, {traceId, putOff, left});
	}
	return adoptions;
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
