import {createHash} from 'node:crypto';
import {dirname, join} from 'node:path';
import {acceptHint} from '../../domain/awaiting-configuration.ts';
import type {Detail} from '../../domain/errors.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Lock} from '../../ports/lock.ts';
import {type ConfigurationFiles, colonyFile, noFile} from '../load-colony.ts';
import {readAnew} from '../parse/read-anew.ts';
import {createReadAll, type Location, nameOf, namesIn, type ReadAll, type Reading} from './read.ts';
import {
	type AwaitingChange,
	accept,
	acceptWritten,
	beginWriting,
	changesAwaiting,
	countingVersion,
	endWriting,
	type Texts,
	type Trust,
	type Versions,
} from './state.ts';
import {parseTrust, trustFile, writeTrust} from './trust-file.ts';
import {createWriters, type RecordedWriters} from './writers.ts';

/** What is read of files, whose they are, and how. */
export type Source = {
	readonly files: ConfigurationFiles;
	readonly location: Location;
	readonly readAll: ReadAll;
};

/** The files as they count, and what awaits a person: once more located as `problems` are. */
export type Trusted = {
	readonly reading: Reading;
	readonly changes: readonly AwaitingChange[];
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
	const changes = changesAwaiting(trust, disk);
	const awaiting = changes.map(({path, by}) => ({
		path: nameOf(root, path),
		message: `changed while ${by}: not yet in force`,
		hint: acceptHint,
	}));
	// Somebody may have begun, and written a file, while it was read.
	const isStill = (await source.files.read(trustFile(folder))) === before;
	return isStill ? {reading, changes, awaiting, text: before} : readTrusted(source, good);
};

/** What awaits a person, where nobody follows the files. */
export const readAwaiting = async (
	files: ConfigurationFiles,
	location: Location,
): Promise<readonly Detail[]> =>
	(await readTrusted({files, location, readAll: createReadAll(location, readAnew)})).awaiting;

/**
 * Names what awaits a person, whole: something else when any of it is another version, or something more
 * awaits them.
 */
export const digestOf = (changes: readonly AwaitingChange[]): string =>
	createHash('sha256')
		.update(JSON.stringify(changes.map(({path, before, after}) => [path, before ?? null, after ?? null])))
		.digest('hex');

export type WriteAccepted = (paths: readonly string[], write: () => Promise<void>) => Promise<void>;

/**
 * Writes below `.hive/` for a person while others may write there: what comes of it counts, but in files that
 * await them already.
 *
 * @param folder of this machine
 * @param paths absolute, of all that is written
 */
export const writeAccepted = async (
	{files, clock, lock}: TrustPorts,
	folder: string,
	...[paths, write]: Parameters<WriteAccepted>
): Promise<void> => {
	// Without it all is free.
	if ((await files.read(trustFile(folder))) === undefined) return write();
	const look = async (): Promise<Versions> =>
		new Map(await Promise.all(paths.map(async path => [path, await files.read(path)] as const)));
	await locked(clock, lock, async () => {
		const before = await look();
		await write();
		const trust = parseTrust(folder, await files.read(trustFile(folder)));
		await writeTrust(files, folder, acceptWritten(trust, before, await look()));
	});
};

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
	/**
	 * Puts in force what awaits a person, as far as it is what they saw; false, and nothing is done, when it is
	 * something else.
	 */
	readonly accept: (seen: string) => Promise<boolean>;
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
	const queue = createSerialQueue();
	const update = (change: (trust: Trust) => Promise<Trust>): Promise<void> =>
		queue(() =>
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
	const look = async (trust: Trust) => {
		const {reading, disk} = await survey(source, trust, good());
		const shared = [...reading.versions].filter(([path]) => isShared(root, path));
		return {disk, counting: textsOf(new Map(shared))};
	};
	const writers = createWriters(clock, ({begun, ended}) =>
		update(async trust => {
			// What stands on disk is nothing to those who begin while another writes.
			const isOfNote = trust.writers.length === 0 || ended.length > 0;
			const {disk, counting} = isOfNote ? await look(trust) : nothingLookedAt;
			const guarded = begun.reduce((now, by) => beginWriting(now, by, disk, counting), trust);
			return ended.reduce((now, id) => endWriting(now, id, disk), guarded);
		}),
	);
	return {
		...writers,
		accept: async seen => {
			let isSame = false;
			await update(async trust => {
				const {disk} = await look(trust);
				isSame = digestOf(changesAwaiting(trust, disk)) === seen;
				if (!isSame) return trust;
				taken = undefined;
				return accept(trust, textsOf(disk));
			});
			return isSame;
		},
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

/** Of the files that there are. */
const textsOf = (versions: Versions): Texts =>
	new Map([...versions].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));

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
