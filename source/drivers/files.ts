import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	watch,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {errorCode} from '../domain/error-code.ts';
import {HiveError} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import {fileMode, folderMode} from './file-modes.ts';
import {hashFolder} from './hash-folder.ts';
import {
	expectRegularFile,
	forbidsLinks,
	forgetFolders,
	isConfiguration,
	refuseForeign,
	refuseLink,
	refuseLinksTo,
	statOptions,
} from './path-guard.ts';
import {randomHex} from './random.ts';
import {removeWhole} from './remove-whole.ts';

/**
 * Files on disk. An operation that fails throws `HiveError('internal')` with the path and the system's
 * reason. Writes are not synced, since these files can be rebuilt from the log. Short operations are
 * synchronous, which is much cheaper than the thread pool. No other code of this process then runs between a
 * check for links and the use of the path.
 */
export const createFiles = (): Files => ({
	read: path => explainErrors('read', path, () => ignoreMissing(() => readWhole(path))),
	readBytes: (path, offset, length) => explainErrors('read', path, () => readPart(path, offset, length)),
	isLink: path =>
		explainErrors(
			'read',
			path,
			() => ignoreMissing(() => lstatSync(path, statOptions))?.isSymbolicLink() ?? false,
		),
	isPrivate: path =>
		explainErrors('read', path, () => {
			const found = ignoreMissing(() => statReadable(path));
			return found !== undefined && (found.mode & 0o077) === 0;
		}),
	size: path => explainErrors('read', path, () => ignoreMissing(() => statReadable(path))?.size),
	writtenAt: path => explainErrors('read', path, () => ignoreMissing(() => statReadable(path))?.mtimeMs),
	write: (path, text, options) => explainErrors('write', path, () => replace(path, text, options?.mode)),
	append: (path, text) => explainErrors('write', path, () => appendText(path, text)),
	create: (path, text, options) => explainErrors('create', path, () => createNew(path, text, options?.mode)),
	createFolder: (path, texts, options) =>
		explainErrors('create', path, () => createFilled(path, texts, options?.mode)),
	list: path => explainErrors('read', path, () => readFolder(path).sort()),
	makeFolder: (path, options) => explainErrors('create', path, () => ensureFolder(path, options?.mode)),
	hashes: (folder, isWanted) => explainErrors('read', folder, () => hashReadable(folder, isWanted)),
	remove: path => explainErrors('remove', path, () => removeSafely(path)),
	move: (from, to) => explainErrors('move', from, () => moveWhole(from, to)),
	watch: watchFolder,
});

const {O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY} = constants;

/** Calls lstat first. For a missing file this is much cheaper than the error of `open`. */
const readWhole = (path: string): string | undefined => {
	const found = forbidsLinks(path) ? refuseLinksTo(path, refuseLink) : lstatSync(path, statOptions);
	if (found === undefined) return undefined;
	const file = openSync(path, forbidsLinks(path) ? readFlags | O_NOFOLLOW : readFlags);
	try {
		if (forbidsLinks(path)) expectRegularFile(fstatSync(file), path);
		return readFileSync(file, 'utf8');
	} finally {
		closeSync(file);
	}
};

const readNames = (path: string): string[] | undefined => {
	const found = isConfiguration(path) ? refuseLinksTo(path, refuseLink) : lstatSync(path, statOptions);
	return found && readdirSync(path);
};

/**
 * Returns the stats of a file, never of a link: `statSync` follows links, and `refuseLinksTo` refuses them.
 */
const statReadable = (path: string): Stats | undefined =>
	forbidsLinks(path) ? refuseLinksTo(path, refuseLink) : statSync(path, statOptions);

const hashReadable: Files['hashes'] = (folder, isWanted) => {
	if (forbidsLinks(folder)) refuseLinksTo(folder, refuseLink);
	return hashFolder(folder, isWanted);
};

/** O_NONBLOCK makes a pipe without a writer read as empty. Otherwise it would block the reader for ever. */
const readFlags = O_RDONLY | O_NONBLOCK;

const readPart = (path: string, offset: number, length: number): Uint8Array => {
	if (forbidsLinks(path)) refuseLinksTo(path, refuseLink);
	const file = openSync(path, forbidsLinks(path) ? readFlags | O_NOFOLLOW : readFlags);
	try {
		// Reads at least one byte: a folder can be opened, and fails only when it is read.
		const buffer = Buffer.alloc(Math.min(length, Math.max(fstatSync(file).size - offset, 1)));
		return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
	} finally {
		closeSync(file);
	}
};

const replace = (path: string, text: string, mode = fileMode(path)): void => {
	prepareWrite(path, mode);
	const temporary = `${path}.${randomHex(8)}.tmp`;
	try {
		writeText(temporary, text, O_EXCL, mode);
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, {force: true});
		throw error;
	}
};

const appendText = (path: string, text: string): void => {
	const mode = fileMode(path);
	prepareWrite(path, mode);
	refuseForeign(path);
	writeText(path, text, O_APPEND, mode);
};

const createNew = (path: string, text: string, mode = fileMode(path)): boolean => {
	prepareWrite(path, mode);
	try {
		writeText(path, text, O_EXCL, mode);
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	}
};

const createFilled = (
	path: string,
	texts: Readonly<Record<string, string>>,
	mode = folderMode(fileMode(path)),
): boolean => {
	ensureFolder(dirname(path), mode);
	if (refuseForeign(path) !== undefined) return false;
	try {
		mkdirSync(path, mode);
	} catch (error) {
		// Another process created it first.
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	}
	for (const [name, text] of Object.entries(texts)) writeText(join(path, name), text, O_EXCL, fileMode(path));
	return true;
};

const removeSafely = async (path: string): Promise<void> => {
	refuseForeign(dirname(path));
	try {
		await removeWhole(path);
	} finally {
		// Other calls may have cached folders that are now gone.
		forgetFolders();
	}
};

const moveWhole = (from: string, to: string): void => {
	for (const path of [from, to]) refuseForeign(path);
	forgetFolders();
	renameSync(from, to);
};

/** Writes the text. A pipe without a reader is refused: it would block the writer for ever. */
const writeText = (path: string, text: string, flag: number, mode: number): void => {
	const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flag, mode);
	try {
		writeFileSync(file, text);
	} finally {
		closeSync(file);
	}
};

/**
 * Makes the parent folder. Throws if that folder or the file is a link. From `.hive` down, throws if any
 * folder on the path is a link or belongs to another user (docs/reliability.md I14).
 */
const prepareWrite = (path: string, mode: number): void => {
	ensureFolder(dirname(path), folderMode(mode));
	const stats = lstatSync(path, statOptions);
	if (stats) refuseLink(stats, path);
};

/** Makes the folder. Returns false if it existed. */
const ensureFolder = (path: string, mode = folderMode(fileMode(path))): boolean => {
	if (refuseForeign(path)?.isDirectory()) return false;
	makeFolders(path, mode);
	return true;
};

/**
 * Makes the folders one by one. Node's `recursive` loops for ever in `/proc`, where `mkdir` always reports a
 * missing parent.
 */
const makeFolders = (path: string, mode: number): void => {
	const parent = dirname(path);
	if (lstatSync(parent, statOptions) === undefined) makeFolders(parent, mode);
	try {
		// `.hive` itself keeps the usual mode, since it also has files that git tracks.
		mkdirSync(path, path.endsWith('/.hive') ? 0o777 : mode);
	} catch (error) {
		// The folder existed, or another process created it first.
		if (!statSync(path, statOptions)?.isDirectory()) throw error;
	}
};

/**
 * The watch is active when this returns. If the system cannot provide a watch, or ends it, a timer calls
 * instead.
 */
const watchFolder: Files['watch'] = (path, signal, call) => {
	try {
		ensureFolder(path);
		const watcher = watch(path, {signal}, (_, name) => call(name ?? ''));
		watcher.on('error', () => {
			watcher.close();
			callPeriodically(signal, call);
		});
	} catch {
		callPeriodically(signal, call);
	}
};

const pollIntervalMs = 2000;

const callPeriodically = (signal: AbortSignal, call: (name: string) => void): void => {
	if (signal.aborted) return;
	const timer = setInterval(() => call(''), pollIntervalMs);
	signal.addEventListener('abort', () => clearInterval(timer), {once: true});
};

/** Returns undefined if the work throws one of the codes, by default those of a missing file. */
const ignoreMissing = <Value>(work: () => Value, codes = ['ENOENT', 'ENOTDIR']): Value | undefined => {
	try {
		return work();
	} catch (error) {
		if (codes.includes(errorCode(error) ?? '')) return undefined;
		throw error;
	}
};

/** Names in a folder; empty if it does not exist. Throws if the path is a file. */
const readFolder = (path: string): string[] => ignoreMissing(() => readNames(path), ['ENOENT']) ?? [];

/**
 * Runs the work, and adds the path to its error. Awaits only promises, since most calls of a busy reactor are
 * synchronous.
 */
const explainErrors = async <Value>(
	verb: string,
	path: string,
	work: () => Value | Promise<Value>,
): Promise<Value> => {
	try {
		const value = work();
		return value instanceof Promise ? await value : value;
	} catch (error) {
		if (error instanceof HiveError || !errorCode(error)) throw error;
		throw new HiveError('internal', {
			message: `Could not ${verb} ${path}: ${reasonOf(error)}.`,
			hint: 'Fix the listed problems, then run the command again.',
			cause: error,
		});
	}
};

/** Extracts the reason. Node's message has the form `ENOSPC: no space left on device, write '/path'`. */
const reasonOf = (error: unknown): string => /\b[A-Z\d]+: ([^,]+)/.exec(String(error))?.[1] ?? String(error);
