import type {Git} from '../../ports/git.ts';

/**
 * Files that hive keeps from git's garbage collection, as a commit under `refs/hive/keep/<traceId>/<name>`
 * (docs/architecture.md §5).
 */
export type KeptTree = {
	readonly ref: string;
	readonly traceId: string;
	/** The run's id; `root` for unsaved files before a merge, `branch-…` for an earlier branch of the trace. */
	readonly name: string;
	readonly commit: string;
};

const prefix = 'refs/hive/keep/';

/** Lists every kept tree, or those of one trace, by ref. */
export const listKept = async (git: Git, root: string, traceId?: string): Promise<KeptTree[]> => {
	const under = traceId === undefined ? prefix : `${prefix}${traceId}/`;
	const refs = await git.run(['for-each-ref', '--format=%(refname) %(objectname)', under], {cwd: root});
	return refs.split('\n').flatMap(line => {
		const [ref = '', commit = ''] = line.split(' ');
		const [trace, name] = ref.slice(prefix.length).split('/');
		return trace && name ? [{ref, traceId: trace, name, commit}] : [];
	});
};

/**
 * Lists paths whose content in the commit is in no branch (except one that may be named), tag or remote
 * branch as they are now.
 */
export const onlyKept = async (
	git: Git,
	root: string,
	{commit}: Pick<KeptTree, 'commit'>,
	besides?: string,
): Promise<string[]> => {
	const refs = [
		...(besides === undefined ? [] : [`--exclude=${besides}`]),
		'--branches',
		'--tags',
		'--remotes',
	];
	const objects = ['rev-list', '--objects-edge-aggressive', commit, '--not', ...refs];
	const listed = (await git.run(objects, {cwd: root})).split('\n').filter(line => /^[^-]/.test(line));
	if (listed.length === 0) return [];
	const ids = listed.map(line => line.split(' ', 1)[0] ?? '');
	const types = await git.run(['cat-file', '--batch-check=%(objecttype)'], {
		cwd: root,
		input: `${ids.join('\n')}\n`,
	});
	const isBlob = types.split('\n').map(type => type === 'blob');
	return listed.filter((_, index) => isBlob[index]).map(line => line.slice(line.indexOf(' ') + 1));
};

/** Deletes a kept tree, if it is still the given one (compare-and-set). */
export const forgetKept = async (git: Git, root: string, {ref, commit}: KeptTree): Promise<void> => {
	await git.run(['update-ref', '-d', ref, commit], {cwd: root});
};
