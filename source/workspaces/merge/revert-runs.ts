import type {Trees} from '../../domain/run.ts';
import type {Git} from '../../ports/git.ts';
import {mergeTrees, scratchCommit, splitNul} from '../trees/objects.ts';

/**
 * Returns the tree without what these runs changed. Each change is reverted, from the last run to the first,
 * and the changes of others in between stay. Where the two cannot be separated, the files are as they were
 * before the run. So a comparison with this tree misses nothing of the run.
 */
export const revertRuns = async (
	git: Git,
	root: string,
	tree: string,
	runs: readonly Trees[],
): Promise<string> => {
	let remaining = tree;
	for (const run of runs.toReversed()) remaining = await revertRun(git, root, remaining, run);
	return remaining;
};

const revertRun = async (git: Git, root: string, tree: string, run: Trees): Promise<string> => {
	if (tree === run.after) return run.before;
	const commit = (of: string, parents: readonly string[]) =>
		scratchCommit(git, root, {tree: of, parents, message: 'Compared\n'});
	const base = await commit(run.after, []);
	const merged = await mergeTrees(git, root, await commit(tree, [base]), await commit(run.before, [base]));
	return merged.conflicts.length === 0
		? merged.tree
		: withFilesBefore(git, root, {tree, run, also: merged.conflicts});
};

/**
 * Returns the tree with each file that the run changed as it was before the run. Other paths that these files
 * may have been renamed to are left out.
 */
const withFilesBefore = (
	git: Git,
	root: string,
	{tree, run: {before, after}, also}: {tree: string; run: Trees; also: readonly string[]},
): Promise<string> =>
	git.withIndexCopy(root, async env => {
		await git.run(['read-tree', tree], {cwd: root, env});
		const fields = splitNul(
			await git.run(['diff-tree', '-r', '--no-renames', '--ignore-submodules=none', '-z', before, after], {
				cwd: root,
				asBytes: true,
			}),
		);
		const entries = Array.from({length: fields.length / 2}, (_, at) => {
			const [mode = '', , id = ''] = (fields[2 * at] ?? '').slice(1).split(' ');
			const path = fields[2 * at + 1] ?? '';
			return {path, isThere: Number(mode) !== 0, line: `${mode} ${id}\t${path}\0`};
		});
		const own = new Set(entries.map(({path}) => path));
		const moved = also.map(path => Buffer.from(path).toString('latin1')).filter(path => !own.has(path));
		// Deletions come first: a folder may now be in the place of a file.
		const gone = moved.map(path => ({line: `0 ${'0'.repeat(tree.length)}\t${path}\0`}));
		const ordered = [
			...gone,
			...entries.filter(({isThere}) => !isThere),
			...entries.filter(({isThere}) => isThere),
		];
		const input = Buffer.from(ordered.map(({line}) => line).join(''), 'latin1');
		await git.run(['update-index', '--replace', '-z', '--index-info'], {cwd: root, env, input});
		return git.run(['write-tree'], {cwd: root, env});
	});
