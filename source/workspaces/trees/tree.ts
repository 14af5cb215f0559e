import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {mentionsExhaustion} from '../../domain/exhausted.ts';
import type {Git, IndexCopy} from '../../ports/git.ts';
import {listSetUpLinks, passSetUpLinks} from './ignored-links.ts';
import {splitNul} from './objects.ts';
import {pathInput, pathText} from './paths.ts';
import type {ScratchObjects} from './scratch-repository.ts';
import {listInSubmodules} from './submodules.ts';

/**
 * Returns the tree of all files in the workspace's checkout: committed, staged, unstaged and untracked.
 * Ignored files are not in it.
 *
 * The same steps in a shell: copy the checkout's index (`git rev-parse --git-path index`) to a temporary file
 * with `cp -p`. With `GIT_INDEX_FILE` set to that file, run `git add --all --sparse --ignore-errors -- :/`,
 * then `git write-tree`. The copy needs the modification time of the original. With a later time, git
 * overlooks edits of the same size made in the second in which the index was written.
 *
 * The copy keeps git's cached file stats, so only changed files are read. The checkout's own index is not
 * touched. A file that cannot be read stays as it was in the index (exit 1 of `git add`).
 */
export const captureTree = async (git: Git, workspace: string): Promise<string> =>
	(await captureReadable(git, workspace)).tree;

/**
 * Returns the same tree, and the paths whose files on disk are not in it because git cannot add them.
 *
 * @param objects where to write the objects; by default into the repository
 */
export const captureReadable = (git: Git, workspace: string, objects?: ScratchObjects): Promise<Captured> =>
	git.withIndexCopy(workspace, env => captureInto(git, workspace, {...env, ...objects}));

/** As `captureReadable`, but also reports files in submodules, which no tree of the checkout contains. */
export const captureAll = (git: Git, workspace: string): Promise<Captured> =>
	git.withIndexCopy(workspace, async env => {
		const {unread, ...captured} = await captureInto(git, workspace, env);
		const inSubmodules = (await hasRepositories(env)) ? await listInSubmodules(git, workspace) : [];
		return {...captured, unread: [...unread, ...inSubmodules]};
	});

type Captured = {
	readonly tree: string;
	/** False also if git skipped a nested repository, which `unread` does not name. */
	readonly isWhole: boolean;
	readonly unread: readonly string[];
};

const captureInto = async (git: Git, workspace: string, env: IndexCopy): Promise<Captured> => {
	const isWhole = await addTo(git, workspace, env, '--all');
	const tree = await git.run(['write-tree'], {cwd: workspace, env});
	return {tree, isWhole, unread: isWhole ? [] : await listUnread(git, workspace, env)};
};

/** Returns the tree of the staged files, and the tree of the tracked files as they are on disk. */
export const captureTracked = (git: Git, checkout: string): Promise<{staged: string; tracked: string}> =>
	git.withIndexCopy(checkout, async env => {
		const staged = await git.run(['write-tree'], {cwd: checkout, env});
		await addTo(git, checkout, env, '--update');
		return {staged, tracked: await git.run(['write-tree'], {cwd: checkout, env})};
	});

/** Returns the given tree with its files as they are on disk: changed or missing, but no new ones. */
export const captureFilesOf = (git: Git, checkout: string, tree: string): Promise<string> =>
	git.withIndexCopy(checkout, async env => {
		await git.run(['read-tree', '-i', '-m', tree], {cwd: checkout, env});
		await addTo(git, checkout, env, '--update');
		return git.run(['write-tree'], {cwd: checkout, env});
	});

/**
 * Returns the tree of a folder's files, written with the root's repository. The folder's own git data, if
 * any, is ignored.
 */
export const captureFolder = (
	git: Git,
	{root, folder, like}: {readonly root: string; readonly folder: string; readonly like: string},
): Promise<string> =>
	git.withScratch(root, async scratch => {
		const index = {GIT_INDEX_FILE: join(scratch, 'index')};
		const {common} = await git.folders(root);
		const env = {...index, GIT_DIR: common, GIT_WORK_TREE: folder};
		await git.run(['read-tree', like], {cwd: root, env});
		await addTo(git, root, env, '--all');
		return git.run(['write-tree'], {cwd: root, env});
	});

/**
 * Lists the files that git would still add. Folders, which git lists for nested repositories, are left out.
 */
const listUnread = async (git: Git, cwd: string, env: IndexCopy): Promise<string[]> => {
	const listed = await Promise.all([
		git.run(['diff-files', '--name-only', '--ignore-submodules=all', '-z'], {cwd, env}),
		git.run(['ls-files', '--others', '--exclude-standard', '-z'], {cwd, env}),
	]);
	const links = (await listSetUpLinks(git, cwd)).map(pathText);
	return listed.flatMap(splitNul).filter(path => !path.endsWith('/') && !links.includes(path));
};

/** Updates a copy of the index to the files on disk. Returns true if all could be read. */
export const addTo = async (
	git: Git,
	cwd: string,
	env: IndexCopy,
	which: '--all' | '--update',
): Promise<boolean> => {
	await passRepositories(git, cwd, env);
	// A file outside of a sparse checkout was written there on purpose.
	const args = ['add', which, ...(which === '--all' ? ['--sparse'] : []), '--ignore-errors', '--', ':/'];
	const {exitCode, stderr} = await git.attempt(args, {cwd, env});
	if (exitCode > 1 && isOfSystem(stderr)) await git.run(args, {cwd, env});
	if (exitCode > 1) await addApart(git, cwd, env, which);
	if (which === '--all') await passSetUpLinks(git, cwd, env);
	return exitCode === 0;
};

/** True if the cause is the system, not one file, so that adding files one by one would fail too. */
const isOfSystem = (message: string): boolean =>
	mentionsExhaustion(message.trim()) ||
	/no space left|quota exceeded|read-only file system|input\/output error|permission denied|\.lock'|not a git repository|index file corrupt|bad signature|unmerged/i.test(
		message,
	);

/**
 * Adds the changed files in halves, until each file that fails is alone. A single file that git cannot add
 * makes the whole call fail. For example, an encoding or a filter refuses its bytes. Such a file stays as it
 * was in the index.
 */
const addApart = async (
	git: Git,
	cwd: string,
	env: IndexCopy,
	which: '--all' | '--update',
): Promise<void> => {
	const options = {cwd, env, asBytes: true};
	const changed = ['diff-files', '--name-only', '--ignore-submodules=all', '-z'];
	const others = ['ls-files', '--others', '--exclude-standard', '-z'];
	const lists = which === '--all' ? [changed, others] : [changed];
	const listed = await Promise.all(lists.map(args => git.run(args, options)));
	const args = ['--literal-pathspecs', 'add', which, ...(which === '--all' ? ['--sparse'] : [])];
	const fromInput = ['--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
	const add = async (paths: readonly string[]): Promise<void> => {
		if (paths.length === 0) return;
		const options = {cwd, env, input: pathInput(paths)};
		const {exitCode, stderr} = await git.attempt([...args, ...fromInput], options);
		if (exitCode <= 1) return;
		if (isOfSystem(stderr)) await git.run([...args, ...fromInput], options);
		const half = Math.ceil(paths.length / 2);
		if (paths.length === 1) return;
		await add(paths.slice(0, half));
		await add(paths.slice(half));
	};
	await add([...new Set(listed.flatMap(splitNul))]);
};

/**
 * Keeps git from looking for changes inside nested repositories, where it would run programs set in their
 * configuration (docs/reliability.md I17). A tree has only the commit of such a repository. So that commit is
 * written into the copy, and git is set not to look.
 */
const passRepositories = async (git: Git, cwd: string, env: IndexCopy): Promise<void> => {
	if (!(await hasRepositories(env))) return;
	const list = async () =>
		splitNul(await git.run(['ls-files', '--stage', '-z'], {cwd, env, asBytes: true}))
			.filter(entry => /^160000 \S+ 0\t/.test(entry))
			.map(entry => entry.slice(entry.indexOf('\t') + 1));
	const update = async (how: string, paths: readonly string[]) => {
		if (paths.length === 0) return;
		await git.run(['update-index', how, '-z', '--stdin'], {cwd, env, input: pathInput(paths)});
	};
	await update('--remove', await list());
	await update('--assume-unchanged', await list());
};

const hasRepositories = async (env: IndexCopy): Promise<boolean> => {
	const index = await readFile(env.GIT_INDEX_FILE).catch(() => Buffer.alloc(0));
	return signsOfRepositories.some(sign => index.includes(sign));
};

/**
 * Byte patterns in an index: the mode of a gitlink entry, and the extensions of an index that is split or
 * sparse.
 */
const signsOfRepositories = [Buffer.from([0, 0, 0xe0, 0]), 'link', 'sdir'];
