import {createHash} from 'node:crypto';
import {dirname, join} from 'node:path';
import {acceptHint} from '../../domain/awaiting-configuration.ts';
import type {Detail} from '../../domain/errors.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Lock} from '../../ports/lock.ts';
import {type ConfigurationFiles, colonyFile, noFile} from '../load-colony.ts';
import {readYamlUncached} from '../parse/read-yaml-uncached.ts';
import {createReadAll, type Location, nameOf, namesIn, type ReadAll, type Reading} from './read.ts';
import {
	type AwaitingChange,
	accept,
	acceptWritten,
	beginWriting,
	changesAwaiting,
	endWriting,
	type Texts,
	type Trust,
	type Versions,
	versionInForce,
} from './state.ts';
import {parseTrust, trustFile, writeTrust} from './trust-file.ts';
import {createWriters, type RecordedWriters} from './writers.ts';

/** The files to read, their location, and how to read them. */
export type Source = {
	readonly files: ConfigurationFiles;
	readonly location: Location;
	readonly readAll: ReadAll;
};

/**
 * The files in force, and the changes that await a person. `awaiting` has the same changes, located as
 * `problems` are.
 */
export type Trusted = {
	readonly reading: Reading;
	readonly changes: readonly AwaitingChange[];
	readonly awaiting: readonly Detail[];
	/** Text of the trust file on which this is based. */
	readonly text: string | undefined;
};

/** `good` is used as in `ReadAll`. */
export const readTrusted = async (source: Source, good?: Versions): Promise<Trusted> => {
	const {root, folder} = source.location;
	const before = await source.files.read(trustFile(folder));
	const trust = parseTrust(folder, before);
	const {reading, disk} = await readVersions(source, trust, good);
	const changes = changesAwaiting(trust, disk);
	const awaiting = changes.map(({path, by}) => ({
		path: nameOf(root, path),
		message: `changed while ${by}: not yet in force`,
		hint: acceptHint,
	}));
	// A writer may have begun, and written a file, during the reading. Then it is read again.
	const isStill = (await source.files.read(trustFile(folder))) === before;
	return isStill ? {reading, changes, awaiting, text: before} : readTrusted(source, good);
};

/** The changes that await a person, for a process that does not follow the files. */
export const readAwaiting = async (
	files: ConfigurationFiles,
	location: Location,
): Promise<readonly Detail[]> =>
	(await readTrusted({files, location, readAll: createReadAll(location, readYamlUncached)})).awaiting;

/**
 * A digest of everything that awaits a person. It differs if any version differs, or if a change is added.
 */
export const digestOf = (changes: readonly AwaitingChange[]): string =>
	createHash('sha256')
		.update(JSON.stringify(changes.map(({path, before, after}) => [path, before ?? null, after ?? null])))
		.digest('hex');

export type WriteAccepted = (paths: readonly string[], write: () => Promise<void>) => Promise<void>;

/**
 * Writes below `.hive/` for a person while other writers may be open. The result is trusted, except in files
 * that await the person already.
 * @param folder machine-local folder
 * @param paths absolute paths of all files that are written
 */
export const writeAccepted = async (
	{files, clock, lock}: TrustPorts,
	folder: string,
	...[paths, write]: Parameters<WriteAccepted>
): Promise<void> => {
	// Without a trust file, all files are free.
	if ((await files.read(trustFile(folder))) === undefined) return write();
	const readCurrent = async (): Promise<Versions> =>
		new Map(await Promise.all(paths.map(async path => [path, await files.read(path)] as const)));
	await locked(clock, lock, async () => {
		const before = await readCurrent();
		await write();
		const trust = parseTrust(folder, await files.read(trustFile(folder)));
		await writeTrust(files, folder, acceptWritten(trust, before, await readCurrent()));
	});
};

/** The files in force, and every version on disk that decides which are. */
const readVersions = async (
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
	const reading = await readAll(filesInForce(recorded, root, trust), good);
	// A version that awaits a person may name files that no other version names.
	if (trust.writers.length > 0) await readAll(recorded, trust.trusted);
	const known = [...trust.trusted.keys(), ...trust.awaiting.keys()];
	const shared = [...new Set([...found.keys(), ...known])].filter(path => isShared(root, path));
	const disk = shared.map(async path => [path, await recorded.read(path).catch(noFile)] as const);
	return {reading, disk: new Map(await Promise.all(disk))};
};

const filesInForce = (files: ConfigurationFiles, root: string, trust: Trust): ConfigurationFiles => ({
	read: async path => {
		if (!isShared(root, path)) return files.read(path);
		const read = files.read(path);
		const counts = versionInForce(trust, path, await read.catch(noFile));
		// A trusted version counts even if the file cannot be read.
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

/** True for files that agents and merges may write. The files of this machine belong to its person. */
const isShared = (root: string, path: string): boolean =>
	path.startsWith(join(root, dirname(colonyFile), '/'));

export type TrustPorts = {
	readonly files: Files;
	readonly clock: Clock;
	/** Lock for writing the trust file, shared by all processes. */
	readonly lock: Lock;
};

export type TrustKeeper = RecordedWriters & {
	/**
	 * Accepts what awaits a person, if it still is what they saw. False, without an effect, if it has changed.
	 */
	readonly accept: (digest: string) => Promise<boolean>;
	/** Records the text of the trust file on which a reading of the configuration is based, for `isTaken`. */
	readonly take: (text: string | undefined) => void;
	/**
	 * True if the trust file's text was recorded by `take`, or was written here since without changing what
	 * counts.
	 */
	readonly isTaken: () => Promise<boolean>;
};

/**
 * Keeps on this machine which writers are open, and what a person has accepted. `good` are the versions in
 * force.
 */
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
				// A text recorded during the update may be based on one that is gone.
				const isOld = takes > takesBefore;
				if (isKnown && !isOld && hasSameAwaiting(trust, changed)) taken = {text};
			}),
		);
	const readState = async (trust: Trust) => {
		const {reading, disk} = await readVersions(source, trust, good());
		const shared = [...reading.versions].filter(([path]) => isShared(root, path));
		return {disk, counting: textsOf(new Map(shared))};
	};
	const writers = createWriters(clock, ({begun, ended}) =>
		update(async trust => {
			// A writer that begins while another is open needs no versions from disk.
			const isOfNote = trust.writers.length === 0 || ended.length > 0;
			const {disk, counting} = isOfNote ? await readState(trust) : noVersions;
			const guarded = begun.reduce((now, by) => beginWriting(now, by, disk, counting), trust);
			return ended.reduce((now, id) => endWriting(now, id, disk), guarded);
		}),
	);
	return {
		...writers,
		accept: async digest => {
			let isSame = false;
			await update(async trust => {
				const {disk} = await readState(trust);
				isSame = digestOf(changesAwaiting(trust, disk)) === digest;
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

/** Only files that exist. */
const textsOf = (versions: Versions): Texts =>
	new Map([...versions].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));

const noVersions = {disk: new Map<string, string>(), counting: new Map<string, string>()};

const hasSameAwaiting = (before: Trust, after: Trust): boolean =>
	before.awaiting.size === after.awaiting.size &&
	[...before.awaiting].every(([path, version]) => {
		const other = after.awaiting.get(path);
		return other?.text === version.text && other?.by === version.by;
	});

const retryMs = 20;

const locked = async (clock: Clock, lock: Lock, work: () => Promise<void>): Promise<void> => {
	while (!lock.take()) await new Promise<void>(resolve => clock.after(retryMs, resolve));
	try {
		await work();
	} finally {
		lock.release();
	}
};
