import {HiveError} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {pathInput} from '../trees/paths.ts';

/**
 * Writes the difference between two trees into an empty folder, as the second tree has it. Filters, line
 * ends, modes and links are as in the checkout, which does not change. Returns git's reason if not all of it
 * could be written.
 */
export const writeAside = async (
	git: Git,
	checkout: string,
	{from, to, folder}: {readonly from: string; readonly to: string; readonly folder: string},
): Promise<string | undefined> =>
	reasonOf(() =>
		git.withIndexCopy(checkout, async index => {
			await git.run(['read-tree', '-i', '-m', from], {cwd: checkout, env: index});
			const env = {...index, GIT_WORK_TREE: folder};
			return git.attempt(['read-tree', '-m', '-u', from, to], {cwd: checkout, env});
		}),
	);

/** Writes some files of a tree in the same way. Paths are latin1, one character per byte. */
export const writeSomeAside = async (
	git: Git,
	checkout: string,
	{tree, paths, folder}: {readonly tree: string; readonly paths: readonly string[]; readonly folder: string},
): Promise<string | undefined> =>
	reasonOf(() =>
		git.withIndexCopy(checkout, async index => {
			await git.run(['read-tree', '-i', '-m', tree], {cwd: checkout, env: index});
			const env = {...index, GIT_WORK_TREE: folder};
			const input = pathInput(paths);
			return git.attempt(['checkout-index', '--quiet', '-z', '--stdin'], {cwd: checkout, env, input});
		}),
	);

/**
 * Returns why git could not write everything; undefined if it did. A limit on file sizes kills git with a
 * signal.
 */
export const reasonOf = async (write: () => ReturnType<Git['attempt']>): Promise<string | undefined> => {
	try {
		const {exitCode, stderr} = await write();
		return exitCode === 0 ? undefined : stderr.trim();
	} catch (error) {
		if (error instanceof HiveError) return error.message;
		throw error;
	}
};
