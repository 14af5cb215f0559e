import {type Refusal, type Refused, refuse} from './errors.ts';

/** The data that a reactor announces to the others of its colony. */
export type MachineStatus = {
	/** Id of its checkout. */
	readonly checkout: string;
	/** Name of its machine. */
	readonly host: string;
	/** Absolute root of the checkout there. */
	readonly root: string;
	readonly pid: number;
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	/** The only trace that it works on; absent if it works on all. */
	readonly only?: string | undefined;
	/** Version of its hive; absent if an older hive does not announce it. */
	readonly version?: string | undefined;
	/** Version of its fold; absent if an older hive does not announce it. */
	readonly foldVersion?: number | undefined;
	/** The branch of its checkout and the newest commit; absent if an older hive, or no branch, is there. */
	readonly base?: {readonly branch: string; readonly commit: string} | undefined;
	/** Number of runs that it could start now, and its maximum of open runs. */
	readonly free: number;
	readonly total: number;
};

/** The last announcement of a place, as stored. */
export type Heartbeat = MachineStatus & {
	/** Time of the announcement by its own clock; UTC, RFC 3339. */
	readonly heardAt: string;
	readonly hasLeft: boolean;
};

/**
 * A place as another one sees it. It is alive if its reactor has not left and has announced itself within
 * `heartbeatTimeoutMs`. `heardAt` is the time of its last announcement by the observer's clock.
 */
export type KnownMachine = Heartbeat & {
	readonly isAlive: boolean;
	/** Milliseconds since its last announcement. No machine's wall clock counts in it. */
	readonly silentMs: number;
};

/** The interval of a reactor's announcements, and how long it counts as alive without one. */
export const heartbeatIntervalMs = 2000;
export const heartbeatTimeoutMs = 10_000;

export const encodeHeartbeat = (beat: Heartbeat): string => JSON.stringify(beat);

/** Returns `undefined` for text that no reactor has written. */
export const decodeHeartbeat = (text: string): Heartbeat | undefined => {
	try {
		const beat = JSON.parse(text);
		const texts = [beat.checkout, beat.host, beat.root, beat.startedAt, beat.heardAt, beat.version ?? ''];
		const numbers = [beat.pid, beat.free, beat.total, beat.foldVersion ?? 0];
		const isWhole =
			texts.every(one => typeof one === 'string') &&
			numbers.every(Number.isSafeInteger) &&
			typeof beat.hasLeft === 'boolean';
		if (!isWhole) return undefined;
		const {base, ...others} = beat;
		// A branch that cannot be compared safely must not hide its machine.
		return isBase(base) ? {...others, base} : others;
	} catch {
		return undefined;
	}
};

/** Both are given to git, and the branch is also a path below `refs/heads`. */
const isBase = (base: {branch?: unknown; commit?: unknown} | null | undefined): boolean =>
	typeof base?.branch === 'string' &&
	isBranchName(base.branch) &&
	typeof base.commit === 'string' &&
	/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(base.commit);

/** What git forbids in the name of a branch: parts that could lead elsewhere, and signs that mean more. */
const forbidden = /[\p{Cc}\p{Zs}~^:?*[\\]|\.\.|\/\/|@\{|^[-/.]|\/\.|[/.]$|\.lock(?:\/|$)/u;
const isBranchName = (name: string): boolean => name !== '' && name.length <= 200 && !forbidden.test(name);

/** The fold version of a place that does not announce one: such a hive has at most this. */
const defaultFoldVersion = 8;

export const foldVersionOf = ({
	foldVersion = defaultFoldVersion,
}: Pick<MachineStatus, 'foldVersion'>): number => foldVersion;

/** A hive that knows event kinds which an older one ignores. */
export type NewerHive = {
	/** Name of its place. */
	readonly newer: string;
	readonly version?: string;
	/** Name of the place whose hive needs an update; absent for this machine. */
	readonly older?: string;
};

/**
 * Returns the newest hive among the other places that is newer than this version of the fold. It counts even
 * if its reactor is not alive, since its events are in the log.
 */
export const newerHive = (
	machines: readonly Heartbeat[],
	{checkout, foldVersion}: {readonly checkout: string; readonly foldVersion: number},
): NewerHive | undefined => {
	const [newest] = machines
		.filter(place => place.checkout !== checkout && foldVersionOf(place) > foldVersion)
		.toSorted((one, other) => foldVersionOf(other) - foldVersionOf(one));
	if (newest === undefined) return undefined;
	return {newer: formatMachine(newest), ...(newest.version !== undefined && {version: newest.version})};
};

/** A place as people read it: `box:/home/ada/shop`. */
export const formatMachine = ({host, root}: Pick<MachineStatus, 'host' | 'root'>): string =>
	`${host}:${root}`;

/** A refusal of an action that only the checkout that has the trace can do. */
export const refuseForCheckout = (
	checkout: string,
	text: {readonly message: string; readonly hint?: string},
): Refused => refuse('elsewhere', {...text, details: [{path: 'checkout', message: checkout}]});

/** The checkout that such a refusal names. */
export const checkoutInRefusal = ({code, details}: Refusal): string | undefined =>
	code === 'elsewhere' ? details.find(({path}) => path === 'checkout')?.message : undefined;
