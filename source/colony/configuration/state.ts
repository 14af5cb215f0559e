import {compareText} from '../../domain/compare-text.ts';
import type {Writer} from './writers.ts';

/**
 * Which version of a file counts. Files below `.hive/` are live, and agents and merges write to them as well
 * as people do: what was written while a writer was open counts only when a person has accepted it.
 *
 * Trust, of each file below `.hive/` (`stateOf`); the files of this machine are their person's own and always
 * free:
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
 *   free: counts as it is. guarded: is as trusted, while writers are open. awaiting: its trusted version
 *   counts, which may be that there is no such file. A file that awaits a person still does after a change.
 *
 * Use, of each version that is trusted (`keepsLast`), as long as one process follows the files:
 *
 *        ┌────────┐ ── it breaks, or one that cannot be missing is gone ──▶ ┌───────────┐
 *   ───▶ │ usable │                                                         │ last good │ that version counts
 *     │  └────────┘ ◀──────────────── it is mended ───────────────────────  └───────────┘
 *     │      ▲  it is mended
 *     │  ┌────────┐
 *     └▶ │ broken │  never good in this process: it is left out, or the start refused
 *        └────────┘
 */

/** Texts of files by absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** Versions that stand on disk, by absolute path; without a text there is no such file. */
export type Versions = ReadonlyMap<string, string | undefined>;

/** Versions that await a person, and during whose writing they came about, in words. */
export type Awaiting = ReadonlyMap<string, {readonly by: string; readonly text?: string | undefined}>;

/**
 * What is kept of trust while somebody writes or a version awaits a person. Where there is nothing of it,
 * files are free.
 */
export type Trust = {
	/** Who may be writing in the checkout now. */
	readonly writers: readonly Writer[];
	/**
	 * Versions that count: of every file while a writer is open, else of those that await; one that is not here
	 * is no file.
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

/** The version that counts of a file that stands on disk so. */
export const countingVersion = (trust: Trust, path: string, text: string | undefined): string | undefined =>
	stateOf(trust, path, text) === 'awaiting' ? trust.trusted.get(path) : text;

/** What of these versions awaits a person, in the order of paths. One that did keeps what was said of it. */
export const awaitingOf = (trust: Trust, disk: Versions): Awaiting => {
	const awaiting = [...disk].filter(([path, text]) => stateOf(trust, path, text) === 'awaiting');
	return new Map(
		awaiting
			.sort(([a], [b]) => compareText(a, b))
			.map(([path, text]) => {
				const known = trust.awaiting.get(path);
				const isTheSame = known !== undefined && (known.text === text || trust.writers.length === 0);
				return [path, {by: isTheSame ? known.by : wordsOf(trust.writers), text}];
			}),
	);
};

/** What writers are at; of many the first two. */
const wordsOf = (writers: readonly Writer[]): string => {
	const [first, second, ...rest] = writers.map(({words}) => words);
	return [first, second, rest.length === 0 ? undefined : `${rest.length} more`]
		.flatMap(words => words ?? [])
		.join(' or ');
};

const isOpen = ({writers}: Trust, id: string): boolean => writers.some(writer => writer.id === id);

/** `counting` are the texts that count now. Beginning again changes nothing. */
export const beginWriting = (trust: Trust, by: Writer, disk: Versions, counting: Texts): Trust => {
	if (isOpen(trust, by.id)) return trust;
	const writers = [...trust.writers, by];
	return trust.writers.length > 0
		? {...trust, writers}
		: {writers, trusted: counting, awaiting: awaitingOf(trust, disk)};
};

/** Ending again changes nothing. */
export const endWriting = (trust: Trust, id: string, disk: Versions): Trust => {
	if (!isOpen(trust, id)) return trust;
	const awaiting = awaitingOf(trust, disk);
	const writers = trust.writers.filter(writer => writer.id !== id);
	const needed = [...trust.trusted].filter(([path]) => writers.length > 0 || awaiting.has(path));
	return {writers, trusted: new Map(needed), awaiting};
};

/** `found` are the texts that a person accepts; what an open writer changes after that awaits again. */
export const accept = ({writers}: Trust, found: Texts): Trust =>
	writers.length > 0 ? {...noWriters, writers, trusted: found} : noWriters;

/**
 * What hive wrote for a person counts, but where the file awaits them already: they have not seen all of
 * that.
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
 * A version that awaits a person, and the one that counts until then; without a text there is no such file.
 */
export type AwaitingChange = {
	/** Absolute. */
	readonly path: string;
	/** What was going on when it was written: `"Sort the list" was running`. */
	readonly by: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
};

/** In the order of paths. */
export const changesAwaiting = (trust: Trust, disk: Versions): readonly AwaitingChange[] =>
	[...awaitingOf(trust, disk)].map(([path, {by, text}]) => ({
		...{path, by, before: trust.trusted.get(path), after: text},
	}));

/** Whether the last version of a file stays in force in place of a broken one. */
export const keepsLast = (version: {
	readonly text: string | undefined;
	/** What counted until now, and whether it was broken itself. */
	readonly last: string | undefined;
	readonly lastWasBroken: boolean;
}): boolean => version.last !== undefined && version.last !== version.text && !version.lastWasBroken;
