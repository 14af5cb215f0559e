import {dirname, join} from 'node:path';
import type {Detail} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Lock} from '../../ports/lock.ts';
import {type ConfigurationFiles, colonyFile, noFile} from '../load-colony.ts';
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
import {acceptHint, createWriters, type RecordedWriters} from './writers.ts';

/** What is read of files, whose they are, and how. */
export type Source = {
	readonly files: ConfigurationFiles;
	readonly location: Location;
	readonly readAll: ReadAll;
};

/** The files as they count, and what awaits a person, located as `problems` are. */
export type Trusted = {
	readonly reading: Reading;
	readonly awaiting: readonly Detail[];
	/** Of the file of trust, by which they do. */
	readonly text: string | undefined;
};

/** `good` stands in as in `ReadAll`. */
export const readTrusted = async (source: Source, good?: Versions): Promise<Trusted> => {
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
	return isStill ? {reading, awaiting, text: before} : readTrusted(source, good);
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
	const found = new Map<string, Promise<string | undefined>>();
	const recorded: ConfigurationFiles = {
		list: files.list,
		read: path => {
			const text = found.get(path) ?? files.read(path);
			found.set(path, text);
			return text;
		},
	};
	const reading = await readAll(countingFiles(recorded, root, trust), good);
	// A version that awaits may name files that no other does.
	if (trust.writers.length > 0) await readAll(recorded, trust.trusted);
	const known = [...trust.trusted.keys(), ...trust.awaiting.keys()];
	const shared = [...new Set([...found.keys(), ...known])].filter(path => isShared(root, path));
	const disk = shared.map(async path => [path, await recorded.read(path).catch(noFile)] as const);
	return {reading, disk: new Map(await Promise.all(disk))};
};

const countingFiles = (files: ConfigurationFiles, root: string, trust: Trust): ConfigurationFiles => ({
	read: async path => {
		if (!isShared(root, path)) return files.read(path);
		const read = files.read(path);
		const counts = countingVersion(trust, path, await read.catch(noFile));
		// What cannot be read is no reason for a trusted version not to count.
		if (counts === undefined) await read;
		return counts;
	},
	list: async folder => {
		const trusted = namesIn(folder, trust.trusted);
		const names = files.list(folder);
		return [
			...new Set([
				...(trusted.length > 0 ? await names.catch(error => noFile(error) ?? []) : await names),
				...trusted,
			]),
		].sort();
	},
});

/** What agents and merges may write; the files of this machine are its person's own. */
const isShared = (root: string, path: string): boolean =>
	path.startsWith(join(root, dirname(colonyFile), '/'));

export type TrustPorts = {
	readonly files: Files;
	readonly clock: Clock;
	/** Of those who write the file of trust, in all processes. */
	readonly lock: Lock;
};

export type TrustKeeper = RecordedWriters & {
	readonly accept: () => Promise<void>;
	/** The file's text as a reading of the configuration took it into account, for `isTaken`. */
	readonly take: (text: string | undefined) => void;
	/** Whether what the file says has been taken, or was written here since and changes nothing that counts. */
	readonly isTaken: () => Promise<boolean>;
};

/** Keeps on this machine who writes, and what a person has accepted. `good` are the versions in force. */
export const createTrust = (
	{files, clock, lock}: TrustPorts,
	source: Source,
	good: () => Versions,
): TrustKeeper => {
	const {root, folder} = source.location;
	const file = trustFile(folder);
	let taken: {readonly text: string | undefined} | undefined;
	let takes = 0;
	let updating: Promise<void> = Promise.resolve();
	const update = (change: (trust: Trust) => Promise<Trust>): Promise<void> => {
		updating = updating
			.catch(() => {})
			.then(() =>
				locked(clock, lock, async () => {
					const takesBefore = takes;
					const before = await files.read(file);
					const trust = parseTrust(folder, before);
					const changed = await change(trust);
					if (changed === trust) return;
					const text = await writeTrust(files, folder, changed);
					const isKnown = taken !== undefined && taken.text === before;
					// What was taken meanwhile may rest on a text that is gone.
					const isOld = takes > takesBefore;
					if (isKnown && !isOld && awaitsTheSame(trust, changed)) taken = {text};
				}),
			);
		return updating;
	};
	const look = async (trust: Trust) => {
		const {reading, disk} = await survey(source, trust, good());
		const counting = [...reading.versions].flatMap(([path, text]) =>
			text !== undefined && isShared(root, path) ? [[path, text] as const] : [],
		);
		return {disk, counting: new Map(counting)};
	};
	const writers = createWriters(clock, ({begun, ended}) =>
		update(async trust => {
			// What stands on disk is nothing to those who begin while another writes.
			const isOfNote = trust.writers.length === 0 || ended.length > 0;
			const {disk, counting} = isOfNote ? await look(trust) : nothingLookedAt;
			const guarded = begun.reduce((now, by) => beginWriting(now, by, disk, counting), trust);
			return ended.reduce((now, by) => endWriting(now, by, disk), guarded);
		}),
	);
	return {
		...writers,
		accept: () =>
			update(async trust => {
				taken = undefined;
				return accept(trust, (await look(noWriters)).counting);
			}),
		take: text => {
			takes += 1;
			taken = {text};
		},
		isTaken: async () => {
			const text = await files.read(file);
			return taken !== undefined && taken.text === text;
		},
	};
};

const nothingLookedAt = {disk: new Map<string, string>(), counting: new Map<string, string>()};

const awaitsTheSame = (before: Trust, after: Trust): boolean =>
	before.awaiting.size === after.awaiting.size &&
	[...before.awaiting].every(([path, version]) => {
		const other = after.awaiting.get(path);
		return other?.text === version.text && other?.by === version.by;
	});

const retryMilliseconds = 20;

const locked = async (clock: Clock, lock: Lock, work: () => Promise<void>): Promise<void> => {
	while (!lock.take()) await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve));
	try {
		await work();
	} finally {
		lock.release();
	}
};
