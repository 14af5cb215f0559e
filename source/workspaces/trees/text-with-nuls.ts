import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import type {ObjectsAlone} from './scratch-repository.ts';

/** A file that git treats as binary, by its names and its contents before and after. */
export type BinaryFile = {readonly paths: readonly string[]; readonly blobs: readonly string[]};

/** Maximum bytes read of one file, and maximum files examined. */
const maxTextBytes = 256 * 1024;
const maxFiles = 50;
/** Maximum share of NULs among the characters. A picture or an archive has more, and is not UTF-8. */
const maxNulShare = 0.1;

/**
 * Finds the paths that are text after all. Git treats a file with a NUL among its first 8,000 bytes as
 * binary. But a runnable program may have a NUL in a comment, so its lines have to be shown.
 */
export const findTextAmong = async (
	git: Git,
	cwd: string,
	files: readonly BinaryFile[],
	env: ObjectsAlone,
): Promise<readonly string[]> => {
	const found: string[] = [];
	for (const {paths, blobs} of files.slice(0, maxFiles)) {
		const real = blobs.filter(id => !/^0+$/.test(id));
		const areText = await Promise.all(real.map(id => isText(git, cwd, id, env)));
		if (areText.length > 0 && areText.every(Boolean)) found.push(...paths);
	}
	return found;
};

const isText = async (git: Git, cwd: string, id: string, env: ObjectsAlone): Promise<boolean> => {
	const options = {cwd, env, asBytes: true, maxBytes: maxTextBytes};
	const read = await git.attempt(['cat-file', 'blob', id], options);
	if (read.exitCode !== 0 || read.truncated) return false;
	const nuls = read.stdout.split('\0').length - 1;
	// Without a NUL, git itself treats it as text, in any encoding.
	if (nuls === 0) return true;
	if (nuls > maxNulShare * read.stdout.length) return false;
	try {
		new TextDecoder('utf-8', {fatal: true}).decode(Buffer.from(read.stdout, 'latin1'));
		return true;
	} catch {
		return false;
	}
};

/** Makes git show the lines of these paths, in an empty repository that has no other attributes. */
export const showAsText = async ({GIT_DIR}: ObjectsAlone, paths: readonly string[]): Promise<void> => {
	await mkdir(join(GIT_DIR, 'info'), {recursive: true});
	const lines = paths.map(path => `"${quoted(`/${path.replaceAll(/[\\*?[\]]/g, '\\$&')}`)}" diff\n`);
	await writeFile(join(GIT_DIR, 'info', 'attributes'), lines.join(''));
};

const quoted = (pattern: string): string =>
	pattern
		.replaceAll(/["\\]/g, '\\$&')
		.replaceAll(/\p{Cc}/gu, control => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`);
