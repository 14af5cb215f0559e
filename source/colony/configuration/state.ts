/**
 * Which version of a file counts. Files below `.hive/` are live, and agents and merges write to them as well as people do:
 * what was written while a writer was open counts only when a person has accepted it.
 *
 * Trust, of each file below `.hive/` (`stateOf`); the files of this machine are their person's own and always free:
 *
 *                     first writer begins                 the file changes
 *        ┌────────┐ ───────────────────────▶ ┌─────────┐ ─────────────────▶ ┌──────────┐
 *   ───▶ │  free  │                          │ guarded │                    │ awaiting │ ─┐ a writer begins or
 *        └────────┘ ◀─────────────────────── └─────────┘ ◀───────────────── └──────────┘ ◀┘ ends, it changes
 *         │  ▲   ▲     last writer ends             it is as trusted again,   │    │         while one is open
 *         └──┘   │                                  or a person accepts it    │    ▼
 *      a person  └────────────────────────────────────────────────────────────┘   its trusted version counts
 *      changes     no writer is open, and a person changes it again or accepts it
 *      it: at once
 *
 *   free: counts as it is. guarded: is as trusted, and somebody may write. awaiting: its trusted version counts, which may be
 *   that there is no such file.
 *
 * Use, of each version that is trusted (`keepsLast`), as long as one process follows the files:
 *
 *        ┌────────┐ ── it breaks, or one that cannot be missing is gone ──▶ ┌───────────┐
 *   ───▶ │ usable │                                                         │ last good │  its last good version counts
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

/** What is kept of trust while somebody writes or a version awaits a person. Where there is nothing of it, files are free. */
export type Trust = {
	/** Who may be writing in the root now, in words. */
	readonly writers: readonly string[];
	/** Versions that count: of every file while a writer is open, else of those that await; one that is not here is no file. */
	readonly trusted: Texts;
	readonly awaiting: Awaiting;
};

export const noWriters: Trust = {writers: [], trusted: new Map(), awaiting: new Map()};

export const stateOf = (trust: Trust, path: string, text: string | undefined): FileState => {
	const {writers, trusted, awaiting} = trust;
	const isTrusted = trusted.get(path) === text;
	if (writers.length > 0) return isTrusted ? 'guarded' : 'awaiting';
	const known = awaiting.get(path);
	return known !== undefined && known.text === text && !isTrusted ? 'awaiting' : 'free';
};

type FileState = 'free' | 'guarded' | 'awaiting';

/** The version that counts of a file that stands on disk so. */
export const countingVersion = (trust: Trust, path: string, text: string | undefined): string | undefined =>
	stateOf(trust, path, text) === 'awaiting' ? trust.trusted.get(path) : text;

/** What of these versions awaits a person, in the order of paths. One that did keeps the name it came under. */
export const awaitingOf = (trust: Trust, disk: Versions): Awaiting => {
	const awaiting = [...disk].filter(([path, text]) => stateOf(trust, path, text) === 'awaiting');
	return new Map(
		awaiting
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([path, text]) => {
				const known = trust.awaiting.get(path);
				const by = known !== undefined && known.text === text ? known.by : trust.writers.join(' or ');
				return [path, {by, text}];
			}),
	);
};

/** `counting` are the texts that count now. Beginning again changes nothing. */
export const beginWriting = (trust: Trust, by: string, disk: Versions, counting: Texts): Trust => {
	if (trust.writers.includes(by)) return trust;
	const writers = [...trust.writers, by];
	return trust.writers.length > 0
		? {...trust, writers}
		: {writers, trusted: counting, awaiting: awaitingOf(trust, disk)};
};

/** Ending again changes nothing. */
export const endWriting = (trust: Trust, by: string, disk: Versions): Trust => {
	if (!trust.writers.includes(by)) return trust;
	const awaiting = awaitingOf(trust, disk);
	const writers = trust.writers.filter(other => other !== by);
	const needed = [...trust.trusted].filter(([path]) => writers.length > 0 || awaiting.has(path));
	return {writers, trusted: new Map(needed), awaiting};
};

/** `found` are the texts that a person accepts; what an open writer changes after that awaits again. */
export const accept = ({writers}: Trust, found: Texts): Trust =>
	writers.length > 0 ? {...noWriters, writers, trusted: found} : noWriters;

/** Whether the last version of a file stays in force in place of a broken one. */
export const keepsLast = (version: {
	readonly text: string | undefined;
	/** What counted until now, and whether it was broken itself. */
	readonly last: string | undefined;
	readonly lastWasBroken: boolean;
}): boolean => version.last !== undefined && version.last !== version.text && !version.lastWasBroken;
