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

export type Source = {
	readonly files: ConfigurationFiles;
	readonly location: Location;
	readonly readAll: ReadAll;
};

/**
 * The configuration in force, and the changes that await a person's approval. `awaiting` has the same changes
 * as problems, with paths relative to the root.
 */
export type Trusted = {
	readonly reading: Reading;
	readonly changes: readonly AwaitingChange[];
	readonly awaiting: readonly Detail[];
	/** Text of the trust file on which this is based. */
	readonly text: string | undefined;
};

/**
 * Reads the trust file and the configuration. `good` has fallback texts for the files that must exist (see
 * `ReadAll`).
 */
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
	// A writer may have begun during the reading, and changed a file. It has then changed the trust file too.
	const isStill = (await source.files.read(trustFile(folder))) === before;
	return isStill ? {reading, changes, awaiting, text: before} : readTrusted(source, good);
};

/** The changes that await a person's approval, for a process that does not follow the files. */
export const readAwaiting = async (
	files: ConfigurationFiles,
	location: Location,
): Promise<readonly Detail[]> =>
	(await readTrusted({files, location, readAll: createReadAll(location, readYamlUncached)})).awaiting;

/**
 * A digest of everything that awaits a person's approval. It differs if any version differs, or if a change
 * is added.
 */
export const digestOf = (changes: readonly AwaitingChange[]): string =>
	createHash('sha256')
		.update(JSON.stringify(changes.map(({path, before, after}) => [path, before ?? null, after ?? null])))
		.digest('hex');

export type WriteAccepted = (paths: readonly string[], write: () => Promise<void>) => Promise<void>;

/**
 * Runs `write`, which changes files below `.hive/` for a person. The new content is accepted at once, except
 * in files with changes that already await approval.
 * @param folder machine-local folder
 * @param paths absolute paths of all files that are written
 */
export const writeAccepted = async (
	{files, clock, lock}: TrustPorts,
	folder: string,
	...[paths, write]: Parameters<WriteAccepted>
): Promise<void> => {
	// Without a trust file, no change needs approval.
	if ((await files.read(trustFile(folder))) === undefined) return write();
	const readCurrent = async (): Promise<Versions> =>
		new Map(await Promise.all(paths.map(async path => [path, await files.read(path)] as const)));
	await withLock(clock, lock, async () => {
		const before = await readCurrent();
		await write();
		const trust = parseTrust(folder, await files.read(trustFile(folder)));
		await writeTrust(files, folder, acceptWritten(trust, before, await readCurrent()));
	});
};

/**
 * Reads the configuration in force. `disk` has the files below `.hive/` as they are on disk. It includes
 * files that only changes awaiting approval use, and all files that the trust file names.
 */
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
	// Changes that await approval may name further files. This reading only adds those to `found`.
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
		// An error of reading is thrown only if no accepted version replaces the file.
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

/**
 * True for files that agents and merges may write. Files outside `.hive/`, such as the machine-local
 * settings, are the user's own.
 */
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
	 * Accepts what awaits a person's approval, if it still is what they saw. False, without an effect, if it
	 * has changed.
	 */
	readonly accept: (digest: string) => Promise<boolean>;
	/** Sets the text of the trust file with which the current configuration was read. */
	readonly take: (text: string | undefined) => void;
	/**
	 * True if the trust file has not changed since `take`. A write by this process is no change if it leaves
	 * the awaiting versions as they were.
	 */
	readonly isTaken: () => Promise<boolean>;
};

/**
 * Creates the store of the trust file: which writers are open, and what a person has accepted. `good` returns
 * the versions in force.
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
			withLock(clock, lock, async () => {
				const takesBefore = takes;
				const before = await files.read(file);
				const trust = parseTrust(folder, before);
				const changed = await change(trust);
				if (changed === trust) return;
				const text = await writeTrust(files, folder, changed);
				const isKnown = taken !== undefined && taken.text === before;
				// A `take` during this update may have set a text that is now outdated.
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
			// The disk matters only to the first writer on record, and to one that ends.
			const needsDisk = trust.writers.length === 0 || ended.length > 0;
			const {disk, counting} = needsDisk ? await readState(trust) : noVersions;
			const started = begun.reduce((now, by) => beginWriting(now, by, disk, counting), trust);
			return ended.reduce((now, id) => endWriting(now, id, disk), started);
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

/** Leaves out files that do not exist. */
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

const withLock = async (clock: Clock, lock: Lock, work: () => Promise<void>): Promise<void> => {
	while (!lock.take()) await new Promise<void>(resolve => clock.after(retryMs, resolve));
	try {
		await work();
	} finally {
		lock.release();
	}
};
