import {createHash} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {copyFile, lstat, mkdir, readdir, readlink, symlink, utimes} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {compareText} from '../../domain/compare-text.ts';
import {staysInside} from '../worktree/stays-inside.ts';

/** What was copied. The digest covers names, kinds, sizes, times and link targets, not contents. */
export type CopiedTree = {readonly bytes: number; readonly digest: string};

/** Why a tree cannot be copied, as a clause after its path. */
export class CannotCopy extends Error {}

/** Files that are copied at a time. */
const workers = 8;

/**
 * Copies the file or folder at a path below one folder to the same path below another, as clones where the
 * disk has them, never as hard links: a run that writes to its copy changes no other. Throws `CannotCopy` for
 * a link that leaves the folder, for anything but files, folders and links, and above `maxBytes`. It leaves
 * what it has copied so far.
 */
export const copyTree = async (
	path: string,
	{from, to, maxBytes}: {readonly from: string; readonly to: string; readonly maxBytes: number},
): Promise<CopiedTree> => {
	const lines: string[] = [];
	const files: {readonly path: string; readonly stats: Stats}[] = [];
	let bytes = 0;
	const enter = async (inner: string): Promise<void> => {
		const stats = await lstat(join(from, inner));
		const mode = stats.mode & 0o777;
		if (stats.isDirectory()) {
			lines.push(JSON.stringify([inner]));
			await mkdir(join(to, inner), {mode: mode | 0o700});
			for (const name of (await readdir(join(from, inner))).sort(compareText))
				await enter(`${inner}/${name}`);
		} else if (stats.isSymbolicLink()) {
			const target = await readlink(join(from, inner));
			if (!staysInside(inner, target))
				throw new CannotCopy(`${inner} is a link that leads out of the checkout`);
			lines.push(JSON.stringify([inner, target]));
			await symlink(target, join(to, inner));
		} else if (stats.isFile()) {
			bytes += stats.size;
			if (bytes > maxBytes) throw new CannotCopy('it is too large');
			lines.push(JSON.stringify([inner, mode, stats.size, Math.round(stats.mtimeMs)]));
			files.push({path: inner, stats});
		} else {
			throw new CannotCopy(`${inner} is neither a file nor a folder nor a link`);
		}
	};
	await mkdir(dirname(join(to, path)), {recursive: true});
	await enter(path);
	const copyNext = async (): Promise<void> => {
		for (let file = files.pop(); file !== undefined; file = files.pop()) {
			await copyFile(
				join(from, file.path),
				join(to, file.path),
				constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE,
			);
			await utimes(join(to, file.path), file.stats.atime, new Date(Math.round(file.stats.mtimeMs)));
		}
	};
	const copied = await Promise.allSettled(Array.from({length: workers}, copyNext));
	for (const one of copied) if (one.status === 'rejected') throw one.reason;
	return {bytes, digest: createHash('sha256').update(lines.join('\n')).digest('hex')};
};
