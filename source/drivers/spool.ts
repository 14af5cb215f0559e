import {
	closeSync,
	constants,
	type Dirent,
	fstatSync,
	lstatSync,
	opendirSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {errorCode} from '../domain/error-code.ts';
import {maxSpooledBytes, maxSpooledEvents, type Spool, type Spooled} from '../ports/spool.ts';

/** Spools on disk. No call here blocks, however many entries there are and whatever kind they are. */
export const createSpool = (): Spool => ({
	list: (folder, isWanted) => {
		if (!isPlain(folder)) return undefined;
		const {entries, isWhole} = ifReadable(() => readSome(folder)) ?? {entries: [], isWhole: false};
		const names = entries.filter(entry => entry.isFile() && isWanted(entry.name)).map(({name}) => name);
		const hasMore = !isWhole || names.length > maxSpooledEvents;
		return {names: names.sort().slice(0, maxSpooledEvents), hasMore};
	},
	read: (folder, name) => (isPlain(folder) ? readFile(join(folder, name)) : undefined),
	add: (folder, name, text) => {
		const temporary = join(folder, `${name}.tmp`);
		try {
			writeFileSync(temporary, text, {flag: 'wx', mode: 0o600, flush: true});
			renameSync(temporary, join(folder, name));
		} catch (error) {
			rmSync(temporary, {force: true});
			throw error;
		}
	},
	remove: (folder, name) => {
		ifReadable(() => unlinkSync(join(folder, name)));
	},
});

/** Max entries to read. A program that makes more hides its own events. */
const maxEntries = 20_000;

const readSome = (folder: string): {entries: readonly Dirent[]; isWhole: boolean} => {
	const open = opendirSync(folder, {bufferSize: 1024});
	try {
		const entries: Dirent[] = [];
		for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
			if (entries.length === maxEntries) return {entries, isWhole: false};
			entries.push(entry);
		}
		return {entries, isWhole: true};
	} finally {
		open.closeSync();
	}
};

/**
 * Returns undefined after an error of the system: the agent owns the folder, and may have removed all
 * permissions.
 */
const ifReadable = <Value>(work: () => Value): Value | undefined => {
	try {
		return work();
	} catch (error) {
		if (errorCode(error) === undefined) throw error;
		return undefined;
	}
};

const isPlain = (folder: string): boolean => ifReadable(() => isPlainFolder(folder)) ?? false;

/**
 * True if the folder, and every folder below `.hive` that leads to it, is a folder and not a link
 * (docs/reliability.md I14).
 */
const isPlainFolder = (folder: string): boolean => {
	if (lstatSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) return false;
	return folder.endsWith('/.hive') || !folder.includes('/.hive/') || isPlainFolder(dirname(folder));
};

/** A pipe would block its reader for ever; a second name could be that of another file of the user. */
const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const readFile = (path: string): Spooled => {
	let file: number;
	try {
		file = openSync(path, reading);
	} catch (error) {
		return errorCode(error) === 'ENOENT' ? undefined : 'no file';
	}
	try {
		const stats = fstatSync(file);
		if (!stats.isFile() || stats.nlink !== 1) return 'no file';
		if (stats.size > maxSpooledBytes) return 'too large';
		const bytes = Buffer.alloc(stats.size);
		return {text: bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0))};
	} finally {
		closeSync(file);
	}
};
