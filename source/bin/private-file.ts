import {randomUUID} from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	writeFileSync,
} from 'node:fs';

/** Bits of a mode that allow other users to write. */
export const othersWrite = 0o022;

/** Bits of a mode that allow other users anything. */
const othersAll = 0o077;

/** True if this user owns the file, and its mode has none of these bits. */
export const isOurs = ({uid, mode}: Stats, bits: number): boolean =>
	uid === process.geteuid?.() && (mode & bits) === 0;

/**
 * Returns the contents of a file that only this user can read and write. Undefined for any other file, or a
 * link.
 */
export const readPrivate = (file: string): Buffer | undefined => {
	let opened: number | undefined;
	try {
		// Without O_NONBLOCK, a pipe in its place would wait for a writer.
		opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const stats = fstatSync(opened);
		return stats.isFile() && isOurs(stats, othersAll) ? readFileSync(opened) : undefined;
	} catch {
		return undefined;
	} finally {
		if (opened !== undefined) closeSync(opened);
	}
};

/**
 * Replaces a file atomically, even if the power is lost. If that fails it throws, and leaves nothing behind.
 */
export const replacePrivate = (file: string, contents: Buffer): void => {
	const unfinished = `${file}.${randomUUID()}`;
	const opened = openSync(unfinished, 'wx', 0o600);
	try {
		try {
			writeFileSync(opened, contents);
			fsyncSync(opened);
		} finally {
			closeSync(opened);
		}
		renameSync(unfinished, file);
	} catch (error) {
		rmSync(unfinished, {force: true});
		throw error;
	}
};
