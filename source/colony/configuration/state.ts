import {compareText} from '../../domain/compare-text.ts';
import type {Writer} from './writers.ts';

/**
 * Decides which version of a file is in force. Files below `.hive/` are live. Agents and merges write to
 * them, as people do. A change that was written while a writer was open counts only after a person has
 * accepted it.
 *
 * The trust state of each file below `.hive/` (`stateOf`). Files of this machine belong to its person, and
 * are always free:
 *
 *                     first writer begins                 the file changes
 *        ┌────────┐ ───────────────────────▶ ┌─────────┐ ─────────────────▶ ┌──────────┐
 *   ───▶ │  free  │                          │ guarded │                    │ awaiting │ ─┐ a writer begins
 *        └────────┘ ◀─────────────────────── └─────────┘ ◀───────────────── └──────────┘ ◀┘ or ends, it
 *         │  ▲   ▲     last writer ends             it is as trusted again,   │    │         changes again
 *         └──┘   │                                  or a person accepts it    │    ▼
 *      a person  └────────────────────────────────────────────────────────────┘   its trusted version counts
 *      changes     no writer is open, and it is as trusted again or a person accepts it
 *      it: at once
 *
 *   free: the version on disk counts. guarded: the file equals its trusted version while writers are open.
 *   awaiting: its trusted version counts, which may be that there is no such file. A further change of a file
 *   that awaits a person does not end the wait.
 *
 * The use of each trusted version (`keepsLast`), as long as one process follows the files:
 *
 *        ┌────────┐ ── it breaks, or one that cannot be missing is gone ──▶ ┌───────────┐
 *   ───▶ │ usable │                                                         │ last good │ that version counts
 *     │  └────────┘ ◀──────────────── it is mended ───────────────────────  └───────────┘
 *     │      ▲  it is mended
 *     │  ┌────────┐
 *     └▶ │ broken │  never good in this process: it is left out, or the start refused
 *        └────────┘
 */

/** Texts of files, by absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** Versions on disk, by absolute path. Undefined if there is no such file. */
export type Versions = ReadonlyMap<string, string | undefined>;

/**
 * Versions that await a person's approval, each with a description of the writers that were open when it was
 * written.
 */
export type Awaiting = ReadonlyMap<string, {readonly by: string; readonly text?: string | undefined}>;

/**
 * The trust state, kept while a writer is open or a version awaits a person's approval. Without it, all files
 * are free.
 */
export type Trust = {
	/** Writers that may be writing in the checkout now. */
	readonly writers: readonly Writer[];
	/**
	 * Versions that count: of every file while a writer is open, else only of files that await a person's
	 * approval. A path that is missing here has no file.
	 */
	readonly trusted: Texts;
	readonly awaiting: Awaiting;
};

export const noWriters: Trust = {writers: [], trusted: new Map(), awaiting: new Map()};

export const stateOf = (trust: Trust, path: string, text: string | undefined): FileState => {
	const {writers, trusted, awaiting} = trust;
	const isKnown = writers.length > 0 || awaiting.has(path);
	if (isKnown && trusted.get(path) !== text) return 'awaiting';
	return writers.length > 0 ? 'guarded' : 'free';
};

type FileState = 'free' | 'guarded' | 'awaiting';

/** The version in force of a file whose text on disk is `text`. */
export const versionInForce = (trust: Trust, path: string, text: string | undefined): string | undefined =>
	stateOf(trust, path, text) === 'awaiting' ? trust.trusted.get(path) : text;

/**
 * The versions that await a person's approval, sorted by path. A version that already did keeps its
 * description.
 */
export const awaitingOf = (trust: Trust, disk: Versions): Awaiting => {
	const awaiting = [...disk].filter(([path, text]) => stateOf(trust, path, text) === 'awaiting');
	return new Map(
		awaiting
			.sort(([a], [b]) => compareText(a, b))
			.map(([path, text]) => {
				const known = trust.awaiting.get(path);
				const isTheSame = known !== undefined && (known.text === text || trust.writers.length === 0);
				return [path, {by: isTheSame ? known.by : formatWriters(trust.writers), text}];
			}),
	);
};

/** Describes the writers: the first two by name, the others by count. */
const formatWriters = (writers: readonly Writer[]): string => {
	const [first, second, ...rest] = writers.map(({description}) => description);
	return [first, second, rest.length === 0 ? undefined : `${rest.length} more`]
		.flatMap(description => description ?? [])
		.join(' or ');
};

const isOpen = ({writers}: Trust, id: string): boolean => writers.some(writer => writer.id === id);

/** `counting` are the texts in force. Idempotent. */
export const beginWriting = (trust: Trust, by: Writer, disk: Versions, counting: Texts): Trust => {
	if (isOpen(trust, by.id)) return trust;
	const writers = [...trust.writers, by];
	return trust.writers.length > 0
		? {...trust, writers}
		: {writers, trusted: counting, awaiting: awaitingOf(trust, disk)};
};

/** Idempotent. */
export const endWriting = (trust: Trust, id: string, disk: Versions): Trust => {
	if (!isOpen(trust, id)) return trust;
	const awaiting = awaitingOf(trust, disk);
	const writers = trust.writers.filter(writer => writer.id !== id);
	const needed = [...trust.trusted].filter(([path]) => writers.length > 0 || awaiting.has(path));
	return {writers, trusted: new Map(needed), awaiting};
};

/**
 * `found` are the texts that a person accepts. Later changes by an open writer await a person's approval
 * again.
 */
export const accept = ({writers}: Trust, found: Texts): Trust =>
	writers.length > 0 ? {...noWriters, writers, trusted: found} : noWriters;

/**
 * Trusts what hive wrote for a person. Excepted are files that already await the person, who has not seen all
 * of their changes.
 */
export const acceptWritten = (trust: Trust, before: Versions, after: Versions): Trust => {
	const trusted = new Map(trust.trusted);
	for (const [path, text] of after) {
		if (stateOf(trust, path, before.get(path)) !== 'guarded') continue;
		if (text === undefined) trusted.delete(path);
		else trusted.set(path, text);
	}
	return {...trust, trusted};
};

/**
 * A version that awaits a person's approval, and the version in force until then. Undefined means that there
 * is no such file.
 */
export type AwaitingChange = {
	/** Absolute. */
	readonly path: string;
	/** What was under way when it was written: `"Sort the list" was running`. */
	readonly by: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
};

/** Sorted by path. */
export const changesAwaiting = (trust: Trust, disk: Versions): readonly AwaitingChange[] =>
	[...awaitingOf(trust, disk)].map(([path, {by, text}]) => ({
		...{path, by, before: trust.trusted.get(path), after: text},
	}));

/** True if the last version of a file stays in force instead of a broken one. */
export const keepsLastVersion = (version: {
	readonly text: string | undefined;
	/** The version in force until now, and whether it was broken too. */
	readonly last: string | undefined;
	readonly lastWasBroken: boolean;
}): boolean => version.last !== undefined && version.last !== version.text && !version.lastWasBroken;
