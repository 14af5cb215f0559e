import type {Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import {badIdMessage} from '../domain/event-ids.ts';
import type {Trace} from '../domain/trace.ts';
import {
	type Cursor,
	cursorKey,
	cursorsIn,
	type Deferred,
	decodeCursor,
	encodeCursor,
	mergedCursor,
} from '../ledger/cursors.ts';
import {maxInvites} from '../ledger/invites.ts';
import type {Bus} from '../ports/bus.ts';
import {inviteFor} from './auto-invites.ts';
import type {PendingInvite, PendingRun, RequestedRun} from './machine.ts';
import {directRunsFor} from './subscribers.ts';

/**
 * The deferred runs and invites that events ask for, with the `considered` cursor (a consumer offset). Events
 * up to the cursor are considered, and their requests are stored beside it. So a rule that is added today
 * does not run on last month's events. If checkouts share a log, each has its own cursor and leaves the
 * requests in a trace to the checkout that has it.
 */
export type Pending = {
	/** Events after this sequence are still to be considered. */
	readonly considered: () => number;
	readonly of: (traceId: string) => readonly PendingRun[];
	readonly invitesOf: (traceId: string) => readonly PendingInvite[];
	readonly traces: () => string[];
	/** True if the requests of the trace's events are served here, if anywhere. */
	readonly concerns: (trace: Pick<Trace, 'place'>) => boolean;
	/** Drops the requests of a trace that another checkout has. */
	readonly leave: (traceId: string) => void;
	/** Adds the deferred requests of the checkout from which the trace was taken. */
	readonly takeOver: (traceId: string, deferred: Deferred<PendingRun, PendingInvite>) => void;
	/**
	 * Records an event as considered, with its requests. A sequence that the cursor has passed does not move
	 * it.
	 */
	readonly consider: (
		traceId: string,
		sequence: number,
		asked: {readonly runs: readonly PendingRun[]; readonly invite: PendingInvite | undefined},
	) => void;
	/** Drops the run, unless it was requested once more since. */
	readonly drop: (traceId: string, run: RequestedRun) => void;
	readonly dropInvite: (traceId: string, inviteId: string) => void;
	/** The encoded cursor as it is now. Save it once all that it covers is done. */
	readonly cursor: () => string;
	/** Writes a changed cursor, unless another reactor is ahead. */
	readonly save: (cursor: string) => Promise<void>;
};

type Store = Pick<Bus, 'bucket' | 'isShared'>;
type PendingCursor = Cursor<PendingRun, PendingInvite>;

const noRequests = {runs: [], invite: undefined};

/** Considers an event: its requests become pending. `trace` must have the event folded. */
export const consider = (pending: Pending, event: StoredEvent, trace: Trace, colony: Colony): void => {
	const {traceId, sequence} = event;
	if (sequence <= pending.considered()) return;
	pending.consider(
		traceId,
		sequence,
		pending.concerns(trace) ? requestsOf(event, trace, colony) : noRequests,
	);
};

/**
 * As `consider`, for an event that another checkout should have considered but did not. It may be older than
 * events that were considered here, so it does not move the cursor.
 */
export const considerMissed = (pending: Pending, event: StoredEvent, trace: Trace, colony: Colony): void =>
	pending.consider(event.traceId, 0, requestsOf(event, trace, colony));

const requestsOf = (event: StoredEvent, trace: Trace, colony: Colony) =>
	badIdMessage(event) === undefined
		? {runs: directRunsFor(event, trace, colony), invite: inviteFor(event, colony)}
		: noRequests;

/** True if a run or an invite that the trace's events ask for is still due. */
export const hasPending = (pending: Pick<Pending, 'of' | 'invitesOf'>, traceId: string): boolean =>
	pending.of(traceId).length > 0 || pending.invitesOf(traceId).length > 0;

/** Calls back each time a reactor has written its cursor, until the signal. */
export const watchPending = async (
	bus: Store,
	signal: AbortSignal,
	call: () => Promise<void>,
): Promise<void> => {
	for await (const _ of cursorsIn(bus).watch(signal)) await call();
};

export const loadPending = async (bus: Store, checkout: string): Promise<Pending> => {
	const [bucket, key] = [cursorsIn(bus), cursorKey(bus, checkout)];
	const entry = await bucket.get(key);
	let {
		sequence,
		runs: pending,
		invites,
	}: PendingCursor = entry === undefined && bus.isShared
		? await mergedCursor(bus)
		: decodeCursor(entry?.value);
	let saved = entry?.value;
	return {
		considered: () => sequence,
		of: traceId => pending.get(traceId) ?? [],
		invitesOf: traceId => invites.get(traceId) ?? [],
		traces: () => [...new Set([...pending.keys(), ...invites.keys()])],
		concerns: ({place}) => !bus.isShared || place === undefined || place === checkout,
		leave: traceId => {
			if (pending.has(traceId)) pending = without(pending, traceId);
			if (invites.has(traceId)) invites = without(invites, traceId);
		},
		takeOver: (traceId, {runs, invites: asked}) => {
			const known = pending.get(traceId) ?? [];
			const fresh = runs.filter(run => !known.some(other => covers(other, run)));
			if (fresh.length > 0) pending = new Map(pending).set(traceId, [...known, ...fresh]);
			for (const invite of asked) invites = withInvite(invites, traceId, invite);
		},
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
			const others = without(pending, traceId);
			pending = left.length === 0 ? others : new Map([...others, [traceId, left]]);
		},
		dropInvite: (traceId, inviteId) => {
			const left = (invites.get(traceId) ?? []).filter(invite => invite.inviteId !== inviteId);
			const others = without(invites, traceId);
			invites = left.length === 0 ? others : new Map([...others, [traceId, left]]);
		},
		cursor: () => encodeCursor({sequence, runs: pending, invites}),
		save: async value => {
			if (value === saved) return;
			const {sequence: covered} = decodeCursor(value);
			for (let written: number | undefined; written === undefined; ) {
				const present = await bucket.get(key);
				if (decodeCursor(present?.value).sequence > covered) return;
				written = present
					? await bucket.update(key, value, present.revision)
					: await bucket.create(key, value);
			}
			saved = value;
		},
	};
};

/**
 * True if the run that an event asks for may still come: its event is not considered yet, or the run is
 * deferred.
 *
 * @param checkouts the checkouts that may serve it: the one that has the trace, else all that are alive
 */
export const isStillPending = async (
	bus: Store,
	{traceId, sequence}: {readonly traceId: string; readonly sequence: number},
	checkouts: readonly string[],
): Promise<boolean> => {
	const keys = new Set(checkouts.map(checkout => cursorKey(bus, checkout)));
	const found = (await cursorsIn(bus).entries())
		.filter(({key}) => keys.has(key))
		.map(({value}) => decodeCursor<PendingRun, PendingInvite>(value));
	const isAt = (cursor: PendingCursor): boolean =>
		cursor.sequence < sequence || (cursor.runs.get(traceId) ?? []).some(({trigger}) => trigger === sequence);
	return found.length === 0 || found.some(isAt);
};

const without = <Value>(entries: ReadonlyMap<string, Value>, traceId: string): ReadonlyMap<string, Value> =>
	new Map([...entries].filter(([other]) => other !== traceId));

type Invites = ReadonlyMap<string, readonly PendingInvite[]>;

/** Limits the pending invites of a trace to the number that a trace keeps. */
const withInvite = (invites: Invites, traceId: string, invite: PendingInvite): Invites => {
	const known = invites.get(traceId) ?? [];
	const isNew = known.length < maxInvites && known.every(({inviteId}) => inviteId !== invite.inviteId);
	return isNew ? new Map(invites).set(traceId, [...known, invite]) : invites;
};

/** True for the same run, requested no earlier than the other. */
const covers = (run: RequestedRun, other: RequestedRun): boolean =>
	run.trigger === other.trigger && run.bee === other.bee && (run.asked ?? 0) >= (other.asked ?? 0);
