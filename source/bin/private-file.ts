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

/** Bits of a mode by which others may write. */
export const othersWrite = 0o022;

/** Bits of a mode by which others may do anything. */
const othersAll = 0o077;

/** Whether it is this user's, with none of those bits. */
export const isOurs = ({uid, mode}: Stats, bits: number): boolean =>
	uid === process.geteuid?.() && (mode & bits) === 0;

/**
 * The contents of a file that only this user can read and write. Nothing of any other file, a link included.
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
 * Replaces a file whole, also where the power is lost. Throws, and leaves nothing behind, where that cannot
 * be done.
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
