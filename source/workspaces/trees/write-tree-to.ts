import {lstat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {reasonOf} from '../merge/write-aside.ts';
import {splitNul} from './objects.ts';
import {pathExists} from './path-exists.ts';

/**
 * The result of writing a tree's files into a folder. If anything was in the way before the start, no file
 * was written.
 */
export type TreeWritten = {
	/** Paths that were missing and now exist. */
	readonly written: readonly string[];
	/** Paths where something else exists. */
	readonly inTheWay: readonly string[];
	/** Why git stopped half-way; `inTheWay` then has the incomplete files. */
	readonly failed?: string;
};

/**
 * Writes the files of a commit into a folder, as a checkout would. An existing file stays, and if one
 * differs, nothing is written at all. Git never overwrites here, so a file that appears meanwhile is safe
 * too.
 */
export const writeTreeTo = async (
	git: Git,
	root: string,
	{commit, folder}: {commit: string; folder: string},
): Promise<TreeWritten> =>
	git.withIndexCopy(root, async index => {
		const env = {...index, GIT_WORK_TREE: folder};
		const compare = async () =>
			splitNul(await git.run(['diff-files', '--name-status', '--no-renames', '-z'], {cwd: root, env}));
		await git.run(['read-tree', commit], {cwd: root, env: index});
		await git.attempt(['update-index', '-q', '--refresh'], {cwd: root, env});
		const {missing, differing} = sort(await compare());
		const blocked = await Promise.all(missing.map(path => isBlocked(folder, path)));
		const inTheWay = [...differing, ...missing.filter((_, at) => blocked[at])];
		if (inTheWay.length > 0) return {written: [], inTheWay};
		const failed = await reasonOf(() =>
			git.attempt(['checkout-index', '--all', '--quiet'], {cwd: root, env}),
		);
		await git.attempt(['update-index', '-q', '--refresh'], {cwd: root, env});
		const after = sort(await compare());
		const left = [...after.missing, ...after.differing];
		const written = missing.filter(path => !left.includes(path));
		return failed === undefined || left.length === 0
			? {written, inTheWay: left}
			: {written, inTheWay: after.differing, failed};
	});

const sort = (fields: readonly string[]) => {
	const changes = Array.from({length: fields.length / 2}, (_, at) => ({
		status: fields[2 * at],
		path: fields[2 * at + 1] ?? '',
	}));
	return {
		missing: changes.filter(({status}) => status === 'D').map(({path}) => path),
		differing: changes.filter(({status}) => status !== 'D').map(({path}) => path),
	};
};

/**
 * True if something is at the path of the file, or of a folder that it needs. A link to a folder counts,
 * since it could lead anywhere.
 */
const isBlocked = async (folder: string, path: string): Promise<boolean> => {
	if (await pathExists(join(folder, path))) return true;
	for (let at = dirname(path); at !== '.'; at = dirname(at)) {
		const stats = await lstat(join(folder, at)).catch(() => undefined);
		if (stats !== undefined && !stats.isDirectory()) return true;
	}
	return false;
};
