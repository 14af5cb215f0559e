import type {Bucket, Bus} from '../ports/bus.ts';

/**
 * The consumer offset of a checkout. It says how far the events of the log are considered, and which runs and
 * invites are deferred, by trace. Only the reactor interprets the runs and invites.
 */
export type Cursor<Run = unknown, Invite = unknown> = {
	readonly sequence: number;
	readonly runs: ReadonlyMap<string, readonly Run[]>;
	readonly invites: ReadonlyMap<string, readonly Invite[]>;
};

/**
 * The deferred work of a checkout in one trace, and how far it had considered the trace's events.
 * `trace.taken` hands it over.
 */
export type Deferred<Run = unknown, Invite = unknown> = {
	readonly considered: number;
	readonly runs: readonly Run[];
	readonly invites: readonly Invite[];
};

type Store = Pick<Bus, 'bucket' | 'isShared'>;

/**
 * The bucket of the cursors: a single cursor if the log belongs to one checkout, else one for each checkout.
 */
export const cursorsIn = ({bucket}: Store): Bucket => bucket('reactor');

export const cursorKey = ({isShared}: Store, checkout: string): string =>
	isShared ? `considered.${checkout}` : 'considered';

/** The stored form has the runs under `owed`. */
export const encodeCursor = ({sequence, runs, invites}: Cursor): string =>
	JSON.stringify({sequence, owed: [...runs], ...(invites.size > 0 && {invites: [...invites]})});

/**
 * A torn cursor counts as none: all events are considered again, and runs that were claimed are not claimed
 * twice.
 */
export const decodeCursor = <Run, Invite>(text: string | undefined): Cursor<Run, Invite> => {
	const none: Cursor<Run, Invite> = {sequence: 0, runs: new Map(), invites: new Map()};
	if (text === undefined) return none;
	try {
		const value: {sequence: number; owed: [string, Run[]][]; invites?: [string, Invite[]][]} =
			JSON.parse(text);
		return Number.isSafeInteger(value.sequence)
			? {sequence: value.sequence, runs: new Map(value.owed), invites: new Map(value.invites)}
			: none;
	} catch {
		return none;
	}
};

/**
 * The first cursor of a checkout that joins others. Events that the others have considered are left to them.
 * Their deferred work is pending for the new checkout too. A trace without a checkout goes to the first one
 * that claims it.
 */
export const mergedCursor = async <Run, Invite>(store: Store): Promise<Cursor<Run, Invite>> => {
	const cursors = (await cursorsIn(store).entries()).map(({value}) => decodeCursor<Run, Invite>(value));
	return {
		sequence: Math.max(0, ...cursors.map(({sequence}) => sequence)),
		runs: new Map(cursors.flatMap(({runs}) => [...runs])),
		invites: new Map(cursors.flatMap(({invites}) => [...invites])),
	};
};

/**
 * Writes the cursor of a checkout that joins others of a shared log, unless it has one. It considers all
 * later events itself.
 */
export const ensureCursor = async (store: Store, checkout: string): Promise<void> => {
	if (!store.isShared) return;
	const [bucket, key] = [cursorsIn(store), cursorKey(store, checkout)];
	if ((await bucket.get(key)) === undefined)
		await bucket.create(key, encodeCursor(await mergedCursor(store)));
};

export const readDeferred = async (store: Store, checkout: string, traceId: string): Promise<Deferred> => {
	const entry = await cursorsIn(store).get(cursorKey(store, checkout));
	const {sequence: considered, runs, invites} = decodeCursor(entry?.value);
	return {considered, runs: runs.get(traceId) ?? [], invites: invites.get(traceId) ?? []};
};
