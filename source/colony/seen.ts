import {basename, dirname, join} from 'node:path';
import {type Detail, HiveError} from '../domain/errors.ts';
import type {Clock} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import type {Lock} from '../ports/lock.ts';
import {type ConfigurationTexts, nameOf, type Places, readTexts, readUsable} from './keep-last-good.ts';
import {type ConfigurationFiles, colonyFile} from './load-colony.ts';

/**
 * What a person has seen of the colony's files, kept on this machine while somebody else may change them or has (design.md
 * §4.12). Without it the files count as they are. Paths are absolute.
 */
export type Seen = {
	/** Who may be changing files in the root now, in words. While there is anybody, only what was seen counts. */
	readonly open: readonly string[];
	/** The versions that count: of every file while somebody is open, else of those that wait; one that is not here was not there. */
	readonly texts: ConfigurationTexts;
	/** Versions that wait for a person, and whose they are; without a text the file is gone. Another version is a person's. */
	readonly waiting: ReadonlyMap<string, {readonly by: string; readonly text?: string | undefined}>;
};

/** Told who begins to change files in the root, before the first change, and who has made the last one. Both may be repeated. */
export type Changers = {
	readonly begin: (by: string) => Promise<void>;
	readonly end: (by: string) => Promise<void>;
};

export const runAsChanger = (agentId: string): string => `run ${agentId}`;
export const mergeAsChanger = (traceId: string): string => `the merge of ${traceId}`;

/** What a person does about a change that waits for them. */
export const acceptHint = 'Look at it with "git diff", then run "hive doctor --accept".';

/** Of the machine-local folder, in a folder of its own, which can be watched. */
export const seenFile = (folder: string): string => join(folder, 'configuration', 'seen.json');

export const readSeen = async (
	files: Pick<Files, 'read'>,
	{folder}: Pick<Places, 'folder'>,
): Promise<Seen | undefined> => {
	const text = await files.read(seenFile(folder));
	if (text === undefined) return undefined;
	try {
		const {open, texts, waiting} = JSON.parse(text);
		if (!Array.isArray(open)) throw new TypeError('nobody is named');
		return {open, texts: new Map(texts), waiting: new Map(waiting)};
	} catch {
		throw new HiveError('invalid_config', {
			message: `${seenFile(folder)} was changed: what you have seen of the configuration is not known any more.`,
			hint: 'Look at .hive/ with "git diff", then remove that file.',
		});
	}
};

const writeSeen = async (files: Files, {folder}: Places, {open, texts, waiting}: Seen): Promise<void> => {
	if (open.length === 0 && waiting.size === 0) return files.remove(seenFile(folder));
	const rendered = JSON.stringify({open, texts: [...texts], waiting: [...waiting]});
	return files.write(seenFile(folder), `${rendered}\n`, {mode: 0o600});
};

/** What is read of the files as they count: those that wait for a person are as they were seen. */
export const readAsSeen = async <Value>(
	files: ConfigurationFiles,
	places: Places,
	read: (files: ConfigurationFiles) => Promise<Value>,
): Promise<{readonly value: Value; readonly waiting: readonly Detail[]}> => {
	const before = await files.read(seenFile(places.folder));
	const seen = await readSeen(files, places);
	const value = await read(seen === undefined ? files : seenFiles(files, places.root, seen));
	const waiting = seen === undefined ? [] : await waitingChanges(files, places, seen);
	// Somebody may have begun, and changed a file, while it was read.
	const isStill = (await files.read(seenFile(places.folder))) === before;
	return isStill ? {value, waiting} : readAsSeen(files, places, read);
};

const seenFiles = (files: ConfigurationFiles, root: string, seen: Seen): ConfigurationFiles => ({
	read: async path => {
		const text = await files.read(path);
		return waits(root, seen, path, text) ? seen.texts.get(path) : text;
	},
	list: async folder => {
		const names = [...seen.texts.keys()].filter(path => dirname(path) === folder).map(path => basename(path));
		return [...new Set([...(await files.list(folder)), ...names])].sort();
	},
});

/** Every change that waits for a person, located as `problems` are. */
const waitingChanges = async (
	files: ConfigurationFiles,
	places: Places,
	seen: Seen,
): Promise<readonly Detail[]> =>
	[...(await unseen(files, places, seen))].map(([path, {by}]) => ({
		path: nameOf(places.root, path),
		message: `changed during ${by}: not yet in force`,
		hint: acceptHint,
	}));

/** Keeps what a person has seen. `lock` is a handle on the lock of those who write it. */
export const createSeenKeeper = (
	ports: {readonly files: Files; readonly clock: Clock; readonly lock: () => Lock},
	places: Places,
	/** What counts now: stands in for a `colony.yaml` that cannot be used. */
	inForce: () => ConfigurationTexts,
): Changers & {readonly accept: () => Promise<void>} => {
	const {files} = ports;
	const update = (change: (seen: Seen) => Promise<Seen>): Promise<void> =>
		locked(ports, async () => {
			const seen = (await readSeen(files, places)) ?? {open: [], texts: new Map(), waiting: new Map()};
			const changed = await change(seen);
			if (changed !== seen) await writeSeen(files, places, changed);
		});
	const textsOf = async (given: ConfigurationFiles): Promise<ConfigurationTexts> => {
		const texts = await readUsable(given, places, {texts: inForce()});
		return new Map([...texts].filter(([path]) => isShared(places.root, path)));
	};
	return {
		begin: by =>
			update(async seen => {
				if (seen.open.includes(by)) return seen;
				const open = [...seen.open, by];
				if (seen.open.length > 0) return {...seen, open};
				const waiting = await unseen(files, places, seen);
				return {open, texts: await textsOf(seenFiles(files, places.root, seen)), waiting};
			}),
		end: by =>
			update(async seen => {
				if (!seen.open.includes(by)) return seen;
				const waiting = await unseen(files, places, seen);
				const open = seen.open.filter(other => other !== by);
				const texts = [...seen.texts].filter(([path]) => open.length > 0 || waiting.has(path));
				return {open, texts: new Map(texts), waiting};
			}),
		accept: () =>
			update(async ({open}) => ({
				...{open, waiting: new Map()},
				texts: open.length > 0 ? await textsOf(files) : new Map(),
			})),
	};
};

const retryMilliseconds = 20;

const locked = async (
	{clock, lock}: {readonly clock: Clock; readonly lock: () => Lock},
	work: () => Promise<void>,
): Promise<void> => {
	const own = lock();
	while (!own.take()) await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve));
	try {
		await work();
	} finally {
		own.release();
	}
};

/** The versions in the files that wait for a person. */
const unseen = async (files: ConfigurationFiles, places: Places, seen: Seen): Promise<Seen['waiting']> => {
	const found = seen.open.length === 0 ? [] : (await readTexts(files, places, seen)).keys();
	const paths = [...new Set([...seen.texts.keys(), ...seen.waiting.keys(), ...found])].sort();
	const read = await Promise.all(paths.map(async path => [path, await files.read(path)] as const));
	const waiting = read
		.filter(([path, text]) => waits(places.root, seen, path, text))
		.map(([path, text]) => {
			const known = seen.waiting.get(path);
			const by = known !== undefined && known.text === text ? known.by : seen.open.join(' or ');
			return [path, {by, text}] as const;
		});
	return new Map(waiting);
};

const waits = (root: string, seen: Seen, path: string, text: string | undefined): boolean => {
	if (!isShared(root, path) || text === seen.texts.get(path)) return false;
	if (seen.open.length > 0) return true;
	const waiting = seen.waiting.get(path);
	return waiting !== undefined && waiting.text === text;
};

/** What agents and merges may bring; the files of this machine are its person's own. */
const isShared = (root: string, path: string): boolean =>
	path.startsWith(join(root, dirname(colonyFile), '/'));
