import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
	appendFile,
	chmod,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	realpath,
	rm,
	symlink,
	writeFile,
} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';

const execute = promisify(execFile);

/** The environment without git settings of the user and variables of an outer git. */
const environment = {
	...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_NOSYSTEM: '1',
};

/** A scratch repository that is removed when its test ends. Paths are relative to its root. */
export type Repository = {
	/** An absolute path with links resolved. */
	readonly root: string;
	/** Runs git in the root or in `cwd`, and returns its trimmed standard output. */
	readonly git: (args: readonly string[], cwd?: string) => Promise<string>;
	readonly write: (path: string, text: string, mode?: number) => Promise<void>;
	readonly read: (path: string) => Promise<string>;
	readonly link: (path: string, target: string) => Promise<void>;
	readonly remove: (path: string) => Promise<void>;
	readonly exists: (path: string) => Promise<boolean>;
	/** Commits everything and returns the commit. */
	readonly commit: (message: string) => Promise<string>;
};

/** Creates a repository on `main` with one commit of these files. Without files it has no commit. */
export const createRepository = async (files: Readonly<Record<string, string>> = {}): Promise<Repository> => {
	const root = await realpath(await mkdtemp(join(tmpdir(), 'hive-repository-')));
	onTestFinished(() => rm(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	const repository = openRepository(root);
	await repository.git(['init', '--quiet', '--initial-branch=main']);
	await appendFile(join(root, '.git/config'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
	for (const [path, text] of Object.entries(files)) await repository.write(path, text);
	if (Object.keys(files).length > 0) await repository.commit('first');
	return repository;
};

/** Opens an existing checkout with the same helpers. */
export const openRepository = (root: string): Repository => {
	const at = (path: string) => join(root, path);
	const git = async (args: readonly string[], cwd = root) => {
		const {stdout} = await execute('git', [...args], {cwd, env: environment, maxBuffer: 64 * 1024 * 1024});
		return stdout.trim();
	};
	return {
		root,
		git,
		write: async (path, text, mode) => {
			await mkdir(dirname(at(path)), {recursive: true});
			await writeFile(at(path), text);
			if (mode !== undefined) await chmod(at(path), mode);
		},
		read: path => readFile(at(path), 'utf8'),
		link: async (path, target) => symlink(target, at(path)),
		remove: path => rm(at(path), {recursive: true, force: true, maxRetries: 5, retryDelay: 100}),
		exists: path =>
			lstat(at(path)).then(
				() => true,
				() => false,
			),
		commit: async message => {
			await git(['add', '--all']);
			await git(['commit', '--quiet', '--allow-empty', '--message', message]);
			return git(['rev-parse', 'HEAD']);
		},
	};
};

/** Returns a hash of mode and bytes for every file below the root, except git's own folder and worktrees. */
export const hashFiles = async (root: string): Promise<Record<string, string>> => {
	const entries = await readdir(root, {recursive: true, withFileTypes: true});
	const paths = entries
		.filter(entry => !entry.isDirectory())
		.map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
		.filter(path => !/^\.(git|hive\/worktrees)\//.test(path))
		.sort();
	return Object.fromEntries(
		await Promise.all(paths.map(async path => [path, await hashFile(join(root, path))])),
	);
};

/**
 * Captures all that a refusal must leave unchanged: HEAD, the user's refs, the index, the stash list and
 * every file.
 */
export const takeSnapshot = async ({root, git}: Repository) => ({
	head: await readFile(join(root, '.git/HEAD'), 'utf8'),
	branches: await git([
		'for-each-ref',
		'--format=%(refname) %(objectname)',
		'refs/heads',
		'refs/tags',
		'refs/stash',
	]),
	stashes: await git(['stash', 'list']),
	index: createHash('sha256')
		.update(await readFile(join(root, '.git/index')))
		.digest('hex'),
	files: await hashFiles(root),
});

const hashFile = async (path: string): Promise<string> => {
	const stats = await lstat(path);
	const bytes = stats.isSymbolicLink() ? await readlink(path) : await readFile(path);
	const kind = stats.isSymbolicLink() ? 'link' : (stats.mode & 0o777).toString(8);
	return `${kind} ${createHash('sha256').update(bytes).digest('hex')}`;
};
