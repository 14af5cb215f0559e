import {lstat} from 'node:fs/promises';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {diskPath, pathInput} from '../trees/paths.ts';

/** Lists files on disk whose changes git is set to ignore. Paths are latin1, one character per byte. */
export const listOverlooked = async (git: Git, checkout: string): Promise<string[]> => {
	const tagged = splitNul(await git.run(['ls-files', '-v', '-z'], {cwd: checkout, asBytes: true}));
	const paths = tagged.filter(isOverlooked).map(entry => entry.slice(2));
	const found = await Promise.all(paths.map(path => lstat(diskPath(checkout, path)).catch(() => undefined)));
	return paths.filter((_, at) => found[at]);
};

/** Lists those of them that have changed. */
export const overlookedChanges = async (git: Git, checkout: string): Promise<string[]> => {
	const paths = await listOverlooked(git, checkout);
	if (paths.length === 0) return [];
	return git.withIndexCopy(checkout, async env => {
		for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
			const input = pathInput(paths);
			await git.run(['update-index', flag, '-z', '--stdin'], {cwd: checkout, env, input});
		}
		await git.attempt(['update-index', '-q', '--refresh'], {cwd: checkout, env});
		return splitNul(
			await git.run(['diff-files', '--name-only', '--ignore-submodules=dirty', '-z'], {cwd: checkout, env}),
		);
	});
};

/** Git tags `--skip-worktree` with `S` and `--assume-unchanged` with a lower-case letter. */
const isOverlooked = (entry: string): boolean => /^[Sa-z] /.test(entry);
