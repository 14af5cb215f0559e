import {lstat, readdir} from 'node:fs/promises';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {diskPath, overlapping, pathText} from '../trees/paths.ts';

/**
 * Lists untracked and ignored paths of a checkout at which one of `added`, or a folder that it needs, would
 * be written. Git itself would silently overwrite an ignored file (docs/reliability.md §4).
 */
export const pathsInTheWay = async (
	git: Git,
	checkout: string,
	added: readonly string[],
): Promise<string[]> => {
	if (added.length === 0) return [];
	const untracked = await listUntracked(git, checkout, ['--directory']);
	const suspects = overlapping(untracked, added);
	const folders = suspects.filter(path => path.endsWith('/'));
	const inside = folders.length === 0 ? [] : await listUntracked(git, checkout, ['--', ...folders]);
	return overlapping([...suspects.filter(path => !path.endsWith('/')), ...inside], added);
};

/**
 * Lists paths whose content is not in the index yet (`git add --intent-to-add`), so that the staged tree
 * lacks them.
 */
export const listIntended = async (git: Git, checkout: string, staged: string): Promise<string[]> => {
	const args = [
		'diff-index',
		'--cached',
		'--ita-visible-in-index',
		'--ignore-submodules=none',
		'--diff-filter=A',
		'--name-only',
		'-z',
	];
	return splitNul(await git.run([...args, staged], {cwd: checkout}));
};

/**
 * Of these paths (latin1, one character per byte), returns the folders that are not empty. They are
 * submodules where the merge has a file.
 */
export const filledFolders = async (checkout: string, paths: readonly string[]): Promise<string[]> => {
	const isFilled = await Promise.all(
		paths.map(async path => {
			const onDisk = diskPath(checkout, path);
			const stats = await lstat(onDisk).catch(() => undefined);
			return stats?.isDirectory() && (await readdir(onDisk)).length > 0;
		}),
	);
	return paths.filter((_, at) => isFilled[at]).map(pathText);
};

/**
 * Without exclusions, `--others` lists ignored files too. A folder, or a nested repository, ends in a slash.
 */
const listUntracked = async (git: Git, checkout: string, args: readonly string[]): Promise<string[]> =>
	splitNul(await git.run(['--literal-pathspecs', 'ls-files', '--others', '-z', ...args], {cwd: checkout}));
