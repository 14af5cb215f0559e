import {type Refusal, type Refused, refuse} from './errors.ts';

/** What a reactor says of itself to the others of its colony. */
export type Place = {
	/** Id of its checkout. */
	readonly checkout: string;
	/** Name of its machine. */
	readonly host: string;
	/** Absolute root of the checkout there. */
	readonly root: string;
	readonly pid: number;
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	/** It works on this trace alone. */
	readonly only?: string | undefined;
	/** Of its hive; nothing where an older one does not say. */
	readonly version?: string | undefined;
	/** Version of its fold; nothing where an older hive does not say. */
	readonly foldVersion?: number | undefined;
	/** Runs that it could start now, and how many it may have at a time. */
	readonly free: number;
	readonly total: number;
};

/** What is kept of it: the last that it said. */
export type Beat = Place & {
	/** When, by its own clock; UTC, RFC 3339. */
	readonly heardAt: string;
	readonly hasLeft: boolean;
};

/**
 * A place as somebody else sees it: alive when its reactor has not left, and has said so within
 * `lifeMilliseconds`.
 */
export type SeenPlace = Beat & {readonly isAlive: boolean};

/** How often a reactor says that it is alive, and for how long it counts as such without. */
export const beatMilliseconds = 2000;
export const lifeMilliseconds = 10_000;

export const encodeBeat = (beat: Beat): string => JSON.stringify(beat);

/** Nothing for what no reactor has written. */
export const decodeBeat = (text: string): Beat | undefined => {
	try {
		const beat = JSON.parse(text);
		const texts = [beat.checkout, beat.host, beat.root, beat.startedAt, beat.heardAt, beat.version ?? ''];
		const numbers = [beat.pid, beat.free, beat.total, beat.foldVersion ?? 0];
		const isWhole =
			texts.every(one => typeof one === 'string') &&
			numbers.every(Number.isSafeInteger) &&
			typeof beat.hasLeft === 'boolean';
		return isWhole ? beat : undefined;
	} catch {
		return undefined;
	}
};

/** Of a place that does not say: such a hive is at most as new as this. */
const unsaidFoldVersion = 8;

export const foldVersionOf = ({foldVersion = unsaidFoldVersion}: Pick<Place, 'foldVersion'>): number =>
	foldVersion;

/** A hive that knows event kinds which an older one ignores. */
export type NewerHive = {
	/** Name of its place. */
	readonly newer: string;
	readonly version?: string;
	/** Name of the place whose hive is to be updated; absent for this machine. */
	readonly older?: string;
};

/**
 * The newest hive among the other places that is newer than this version of the fold. Whether its reactor is
 * alive makes no difference: what it said is in the log.
 */
export const newerHive = (
	places: readonly Beat[],
	{checkout, foldVersion}: {readonly checkout: string; readonly foldVersion: number},
): NewerHive | undefined => {
	const [newest] = places
		.filter(place => place.checkout !== checkout && foldVersionOf(place) > foldVersion)
		.toSorted((one, other) => foldVersionOf(other) - foldVersionOf(one));
	if (newest === undefined) return undefined;
	return {newer: placeName(newest), ...(newest.version !== undefined && {version: newest.version})};
};

/** A place in the words of people: `box:/home/ada/shop`. */
export const placeName = ({host, root}: Pick<Place, 'host' | 'root'>): string => `${host}:${root}`;

/** Refuses what only the checkout can do that has it. */
export const refuseToOther = (
	checkout: string,
	say: {readonly message: string; readonly hint?: string},
): Refused => refuse('elsewhere', {...say, details: [{path: 'checkout', message: checkout}]});

/** The checkout that a refusal names. */
export const placeOf = ({code, details}: Refusal): string | undefined =>
	code === 'elsewhere' ? details.find(({path}) => path === 'checkout')?.message : undefined;
