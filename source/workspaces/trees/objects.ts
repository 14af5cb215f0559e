import type {Git} from '../../ports/git.ts';
import {readRef} from './ref-files.ts';

/**
 * Returns the id that a revision names, or undefined. For a ref, reads git's files if possible, without a
 * process.
 */
export const resolve = async (git: Git, cwd: string, revision: string): Promise<string | undefined> => {
	const found = await readRef(git, cwd, revision);
	if (found !== undefined) return found.id;
	const {exitCode, stdout} = await git.attempt(
		['rev-parse', '--quiet', '--verify', '--end-of-options', revision],
		{
			cwd,
		},
	);
	return exitCode === 0 ? stdout.trim() : undefined;
};

/** The tree of a commit or tree. */
export const treeOf = (git: Git, cwd: string, commit: string): Promise<string> =>
	git.run(['rev-parse', '--verify', `${commit}^{tree}`], {cwd});

/** True if the repository has the commit. Its parents and files are not checked. */
export const hasCommit = async (git: Git, cwd: string, commit: string): Promise<boolean> =>
	(await git.attempt(['cat-file', '-e', `${commit}^{commit}`], {cwd})).exitCode === 0;

/**
 * Returns the tree of each commit that the repository has, with one process. Anything else than a whole id is
 * left out.
 */
export const treesOf = async (
	git: Git,
	cwd: string,
	commits: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
	const asked = [...new Set(commits)].filter(commit => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit));
	if (asked.length === 0) return new Map();
	const input = asked.map(commit => `${commit}^{tree}\n`).join('');
	const stdout = await git.run(['cat-file', '--batch-check=%(objecttype) %(objectname)'], {cwd, input});
	const answers = stdout.split('\n');
	return new Map(
		asked.flatMap((commit, at): [string, string][] => {
			const [type, id = ''] = (answers[at] ?? '').split(' ');
			return type === 'tree' ? [[commit, id]] : [];
		}),
	);
};

export const isAncestor = async (git: Git, cwd: string, older: string, newer: string): Promise<boolean> =>
	older === newer || (await git.attempt(['merge-base', '--is-ancestor', older, newer], {cwd})).exitCode === 0;

type NewCommit = {readonly tree: string; readonly parents: readonly string[]; readonly message: string};

/** Creates a commit that no ref names yet, by the user, or by hive if git has no user. */
export const commitTree = async (git: Git, cwd: string, commit: NewCommit): Promise<string> =>
	git.run([...(await missingIdentity(git, cwd)), ...commitArguments(commit)], {cwd, input: commit.message});

/** The user, or hive if git has no user, with the present time, as the line of a commit has it. */
export const committerNow = async (git: Git, cwd: string): Promise<string> =>
	git.run([...(await missingIdentity(git, cwd)), 'var', 'GIT_COMMITTER_IDENT'], {cwd});

/** Creates a commit for comparing and keeping. The same content always gives the same id. */
export const scratchCommit = (git: Git, cwd: string, commit: NewCommit): Promise<string> =>
	git.run(commitArguments(commit), {cwd, input: commit.message, env: scratchIdentity});

/**
 * Option for repeating a failed command: commits then have their real parents. Any program can write the
 * `shallow` file, which claims that history ends earlier. If history really ends there, the command fails
 * again.
 */
const wholeHistory = ['--shallow-file', ''];

/** Returns the merge base of two commits; undefined if the available history has none. */
export const mergeBaseOf = async (
	git: Git,
	cwd: string,
	one: string,
	other: string,
): Promise<string | undefined> => {
	const args = ['merge-base', one, other];
	const {exitCode, stdout} = await git.attempt(args, {cwd});
	if (exitCode === 0) return stdout.trim();
	// Exit code 1 means that there is no merge base. Other codes come with a message.
	if (exitCode !== 1) return git.run(args, {cwd});
	const whole = await git.attempt([...wholeHistory, ...args], {cwd});
	return whole.exitCode === 0 ? whole.stdout.trim() : undefined;
};

/** Merges two commits three-way. Returns the tree and the conflicting paths. Moves no file or ref. */
export const mergeTrees = async (git: Git, cwd: string, ours: string, theirs: string) => {
	const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
	const first = await git.attempt(args, {cwd});
	const {exitCode, stdout} =
		first.exitCode > 1 ? await git.attempt([...wholeHistory, ...args], {cwd}) : first;
	if (exitCode > 1) await git.run(args, {cwd});
	const [tree = '', ...conflicts] = splitNul(stdout);
	return {tree, conflicts};
};

/** Splits `-z` output into its records. */
export const splitNul = (text: string): string[] => text.split('\0').filter(Boolean);

const commitArguments = ({tree, parents}: NewCommit) => [
	'commit-tree',
	tree,
	...parents.flatMap(parent => ['-p', parent]),
];

/** Passed as settings, so that a name from the environment still takes precedence. */
const missingIdentity = async (git: Git, cwd: string): Promise<string[]> => {
	const lacks = async (key: string) => (await git.attempt(['config', '--get', key], {cwd})).exitCode !== 0;
	const [name, email] = await Promise.all([lacks('user.name'), lacks('user.email')]);
	return [...(name ? ['-c', 'user.name=hive'] : []), ...(email ? ['-c', 'user.email=hive@localhost'] : [])];
};

const scratchIdentity = Object.fromEntries(
	['AUTHOR', 'COMMITTER'].flatMap(role => [
		[`GIT_${role}_NAME`, 'hive'],
		[`GIT_${role}_EMAIL`, 'hive@localhost'],
		[`GIT_${role}_DATE`, '@0 +0000'],
	]),
);
