import type {Bucket, Bus} from '../ports/bus.ts';

/**
 * How far a checkout has looked at the events of the log, and what those ask for that it has put off, by
 * trace. The runs and invites are the reactor's to understand.
 */
export type Cursor<Run = unknown, Invite = unknown> = {
	readonly sequence: number;
	readonly runs: ReadonlyMap<string, readonly Run[]>;
	readonly invites: ReadonlyMap<string, readonly Invite[]>;
};

/**
 * What a checkout had put off in one trace, and how far it had looked at its events, as `trace.taken` hands
 * it on.
 */
export type PutOff<Run = unknown, Invite = unknown> = {
	readonly considered: number;
	readonly runs: readonly Run[];
	readonly invites: readonly Invite[];
};

type Store = Pick<Bus, 'bucket' | 'isShared'>;

/** Where the cursors are: one of a log that is of one checkout, else one for each. */
export const cursorsIn = ({bucket}: Store): Bucket => bucket('reactor');

export const cursorKey = ({isShared}: Store, checkout: string): string =>
	isShared ? `considered.${checkout}` : 'considered';

/** In the store the runs are under `owed`. */
export const encodeCursor = ({sequence, runs, invites}: Cursor): string =>
	JSON.stringify({sequence, owed: [...runs], ...(invites.size > 0 && {invites: [...invites]})});

/**
 * A torn cursor counts as none: everything is considered again, and runs that were claimed are not claimed
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
 * A checkout that joins the others leaves to them what they have looked at. What they put off is pending for
 * it as well: of a trace that nobody has, whoever claims it first is the one.
 */
export const joinedCursor = async <Run, Invite>(store: Store): Promise<Cursor<Run, Invite>> => {
	const cursors = (await cursorsIn(store).entries()).map(({value}) => decodeCursor<Run, Invite>(value));
	return {
		sequence: Math.max(0, ...cursors.map(({sequence}) => sequence)),
		runs: new Map(cursors.flatMap(({runs}) => [...runs])),
		invites: new Map(cursors.flatMap(({invites}) => [...invites])),
	};
};

/**
 * Writes the cursor of a checkout that joins the others of a log, unless it has one: what is said from then
 * on it looks at itself.
 */
export const join = async (store: Store, checkout: string): Promise<void> => {
	if (!store.isShared) return;
	const [bucket, key] = [cursorsIn(store), cursorKey(store, checkout)];
	if ((await bucket.get(key)) === undefined)
		await bucket.create(key, encodeCursor(await joinedCursor(store)));
};

export const readPutOff = async (store: Store, checkout: string, traceId: string): Promise<PutOff> => {
	const entry = await cursorsIn(store).get(cursorKey(store, checkout));
	const {sequence: considered, runs, invites} = decodeCursor(entry?.value);
	return {considered, runs: runs.get(traceId) ?? [], invites: invites.get(traceId) ?? []};
};
