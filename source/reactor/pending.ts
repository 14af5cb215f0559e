import type {Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import {mostInvites} from '../ledger/invites.ts';
import type {Bucket} from '../ports/bus.ts';
import {inviteFor} from './auto-invites.ts';
import type {Asked, PendingInvite, PendingRun} from './machine.ts';
import {directRunsFor} from './subscribers.ts';

/**
 * The runs and invites that events ask for and that are put off, with the colony's `considered` cursor: events up to it have
 * been looked at, and what they asked for is kept beside it, so a rule added today does not run on last month's events.
 */
export type Pending = {
	/** Events after this sequence are still to be considered. */
	readonly considered: () => number;
	readonly of: (traceId: string) => readonly PendingRun[];
	readonly invitesOf: (traceId: string) => readonly PendingInvite[];
	readonly traces: () => string[];
	/** An event was considered and asks for these. */
	readonly consider: (
		traceId: string,
		sequence: number,
		asked: {readonly runs: readonly PendingRun[]; readonly invite: PendingInvite | undefined},
	) => void;
	/** Unless it was asked for once more since. */
	readonly drop: (traceId: string, run: Asked) => void;
	readonly dropInvite: (traceId: string, inviteId: string) => void;
	/** The cursor as it is now, to be saved once all that it covers is done. */
	readonly cursor: () => string;
	/** Writes a cursor that moved, unless another reactor is ahead. */
	readonly save: (cursor: string) => Promise<void>;
};

const key = 'considered';

/** The event has been looked at: what it asks for is pending, given the trace as it is with that event folded. */
export const consider = (pending: Pending, event: StoredEvent, trace: Trace, colony: Colony): void => {
	if (event.sequence <= pending.considered()) return;
	pending.consider(event.traceId, event.sequence, {
		runs: directRunsFor(event, trace, colony),
		invite: inviteFor(event, colony),
	});
};

export const loadPending = async (bucket: Bucket): Promise<Pending> => {
	const entry = await bucket.get(key);
	let {sequence, pending, invites} = parseCursor(entry?.value);
	let saved = entry?.value;
	return {
		considered: () => sequence,
		of: traceId => pending.get(traceId) ?? [],
		invitesOf: traceId => invites.get(traceId) ?? [],
		traces: () => [...new Set([...pending.keys(), ...invites.keys()])],
		consider: (traceId, considered, {runs, invite}) => {
			sequence = Math.max(sequence, considered);
			const known = pending.get(traceId) ?? [];
			const fresh = runs.filter(run => !known.some(other => covers(other, run)));
			const left = known.filter(other => !fresh.some(run => covers(run, other)));
			if (invite !== undefined) invites = withInvite(invites, traceId, invite);
			if (fresh.length > 0) pending = new Map(pending).set(traceId, [...left, ...fresh]);
		},
		drop: (traceId, run) => {
			const left = (pending.get(traceId) ?? []).filter(other => !covers(run, other));
			const others = [...pending].filter(([other]) => other !== traceId);
			pending = new Map(left.length === 0 ? others : [...others, [traceId, left]]);
		},
		dropInvite: (traceId, inviteId) => {
			const left = (invites.get(traceId) ?? []).filter(invite => invite.inviteId !== inviteId);
			const others = [...invites].filter(([other]) => other !== traceId);
			invites = new Map(left.length === 0 ? others : [...others, [traceId, left]]);
		},
		cursor: () =>
			JSON.stringify({sequence, owed: [...pending], ...(invites.size > 0 && {invites: [...invites]})}),
		save: async value => {
			if (value === saved) return;
			const {sequence: covered} = parseCursor(value);
			for (let written: number | undefined; written === undefined; ) {
				const present = await bucket.get(key);
				if (parseCursor(present?.value).sequence > covered) return;
				written = present
					? await bucket.update(key, value, present.revision)
					: await bucket.create(key, value);
			}
			saved = value;
		},
	};
};

type Invites = ReadonlyMap<string, readonly PendingInvite[]>;

/** A trace keeps no more than that, and no more are waited for. */
const withInvite = (invites: Invites, traceId: string, invite: PendingInvite): Invites => {
	const known = invites.get(traceId) ?? [];
	const isNew = known.length < mostInvites && known.every(({inviteId}) => inviteId !== invite.inviteId);
	return isNew ? new Map(invites).set(traceId, [...known, invite]) : invites;
};

/** The same run, asked for no earlier than the other. */
const covers = (run: Asked, other: Asked): boolean =>
	run.trigger === other.trigger && run.bee === other.bee && (run.asked ?? 0) >= (other.asked ?? 0);

type Cursor = {
	sequence: number;
	pending: ReadonlyMap<string, readonly PendingRun[]>;
	invites: Invites;
};

/**
 * In the store the runs are under `owed`. A torn cursor counts as none: everything is considered again, and runs that were
 * claimed are not claimed twice.
 */
const parseCursor = (text: string | undefined): Cursor => {
	const none: Cursor = {sequence: 0, pending: new Map(), invites: new Map()};
	if (text === undefined) return none;
	try {
		const value: {
			sequence: number;
			owed: [string, PendingRun[]][];
			invites?: [string, PendingInvite[]][];
		} = JSON.parse(text);
		return Number.isSafeInteger(value.sequence)
			? {sequence: value.sequence, pending: new Map(value.owed), invites: new Map(value.invites)}
			: none;
	} catch {
		return none;
	}
};
