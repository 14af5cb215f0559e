import {dirname, join} from 'node:path';
import type {Detail} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Lock} from '../../ports/lock.ts';
import {type ConfigurationFiles, colonyFile} from '../load-colony.ts';
import {readAnew} from '../read-anew.ts';
import {createReadAll, type Location, nameOf, namesIn, type ReadAll, type Reading} from './read.ts';
import {
	accept,
	awaitingOf,
	beginWriting,
	countingVersion,
	endWriting,
	noWriters,
	type Trust,
	type Versions,
} from './state.ts';
import {parseTrust, trustFile, writeTrust} from './trust-file.ts';
import {acceptHint, type Writers} from './writers.ts';

/** What is read of files, whose they are, and how. */
export type Source = {
	readonly files: ConfigurationFiles;
	readonly location: Location;
	readonly readAll: ReadAll;
};

/** The files as they count, and what awaits a person, located as `problems` are; `good` stands in as in `ReadAll`. */
export const readTrusted = async (
	source: Source,
	good?: Versions,
): Promise<{readonly reading: Reading; readonly awaiting: readonly Detail[]}> => {
	const {root, folder} = source.location;
	const before = await source.files.read(trustFile(folder));
	const trust = parseTrust(folder, before);
	const {reading, disk} = await survey(source, trust, good);
	const awaiting = [...awaitingOf(trust, disk)].map(([path, {by}]) => ({
		path: nameOf(root, path),
		message: `changed during ${by}: not yet in force`,
		hint: acceptHint,
	}));
	// Somebody may have begun, and written a file, while it was read.
	const isStill = (await source.files.read(trustFile(folder))) === before;
	return isStill ? {reading, awaiting} : readTrusted(source, good);
};

/** What awaits a person, where nobody follows the files. */
export const readAwaiting = async (
	files: ConfigurationFiles,
	location: Location,
): Promise<readonly Detail[]> =>
	(await readTrusted({files, location, readAll: createReadAll(location, readAnew)})).awaiting;

/** The files as they count, and every version on disk that decides which does. */
const survey = async (
	{files, location: {root}, readAll}: Source,
	trust: Trust,
	good?: Versions,
): Promise<{readonly reading: Reading; readonly disk: Versions}> => {
	const disk = new Map<string, string | undefined>();
	const recorded: ConfigurationFiles = {
		list: files.list,
		read: async path => {
			const text = await files.read(path);
			if (isShared(root, path)) disk.set(path, text);
			return text;
		},
	};
	const reading = await readAll(countingFiles(recorded, root, trust), good);
	// A version that awaits may name files that no other does.
	if (trust.writers.length > 0) await readAll(recorded, trust.trusted);
	for (const path of [...trust.trusted.keys(), ...trust.awaiting.keys()])
		if (!disk.has(path)) await recorded.read(path);
	return {reading, disk};
};

const countingFiles = (files: ConfigurationFiles, root: string, trust: Trust): ConfigurationFiles => ({
	read: async path => {
		const text = await files.read(path);
		return isShared(root, path) ? countingVersion(trust, path, text) : text;
	},
	list: async folder =>
		[...new Set([...(await files.list(folder)), ...namesIn(folder, trust.trusted)])].sort(),
});

/** What agents and merges may write; the files of this machine are its person's own. */
const isShared = (root: string, path: string): boolean =>
	path.startsWith(join(root, dirname(colonyFile), '/'));

export type TrustPorts = {
	readonly files: Files;
	readonly clock: Clock;
	/** A handle on the lock of those who write the file of trust. */
	readonly lock: () => Lock;
};

/** Keeps on this machine who writes, and what a person has accepted. `good` are the versions in force. */
export const createTrust = (
	{files, clock, lock}: TrustPorts,
	source: Source,
	good: () => Versions,
): Writers & {readonly accept: () => Promise<void>} => {
	const {root, folder} = source.location;
	const update = (change: (trust: Trust) => Promise<Trust>): Promise<void> =>
		locked(clock, lock(), async () => {
			const trust = parseTrust(folder, await files.read(trustFile(folder)));
			const changed = await change(trust);
			if (changed !== trust) await writeTrust(files, folder, changed);
		});
	const look = async (trust: Trust) => {
		const {reading, disk} = await survey(source, trust, good());
		const counting = [...reading.versions].flatMap(([path, text]) =>
			text !== undefined && isShared(root, path) ? [[path, text] as const] : [],
		);
		return {disk, counting: new Map(counting)};
	};
	const changeAll = createGroups<Change>(changes =>
		update(async trust => {
			const begin = changes.filter(({begins}) => begins);
			const end = changes.filter(({begins}) => !begins);
			// What stands on disk is nothing to those who begin while another writes.
			const isOfNote = trust.writers.length === 0 || end.length > 0;
			const {disk, counting} = isOfNote ? await look(trust) : nothingLookedAt;
			const begun = begin.reduce((now, {by}) => beginWriting(now, by, disk, counting), trust);
			return end.reduce((now, {by}) => endWriting(now, by, disk), begun);
		}),
	);
	return {
		beginWriting: by => changeAll({by, begins: true}),
		endWriting: by => changeAll({by, begins: false}),
		accept: () => update(async trust => accept(trust, (await look(noWriters)).counting)),
	};
};

const nothingLookedAt = {disk: new Map<string, string>(), counting: new Map<string, string>()};

type Change = {readonly by: string; readonly begins: boolean};

/** Does what comes while it is at work together, the next time. */
const createGroups = <Item>(
	work: (items: readonly Item[]) => Promise<void>,
): ((item: Item) => Promise<void>) => {
	let waiting: Item[] = [];
	let next: Promise<void> | undefined;
	let last: Promise<void> = Promise.resolve();
	return item => {
		waiting.push(item);
		next ??= last
			.catch(() => {})
			.then(() => {
				const items = waiting;
				waiting = [];
				next = undefined;
				last = work(items);
				return last;
			});
		return next;
	};
};

const retryMilliseconds = 20;

const locked = async (clock: Clock, lock: Lock, work: () => Promise<void>): Promise<void> => {
	while (!lock.take()) await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve));
	try {
		await work();
	} finally {
		lock.release();
	}
};
