import type {Git} from '../../ports/git.ts';
import {resolve} from '../trees/objects.ts';
import {readRef} from '../trees/ref-files.ts';
import {refsOf} from '../trees/refs.ts';

/** The base of a trace: its work is compared with it and merged into it. */
export type Base = {
	/** Full ref of the branch; empty when the worktree was made from a detached HEAD. */
	readonly ref: string;
	/** Short name of the branch, or empty. */
	readonly name: string;
	/** Its newest commit; empty when the branch is gone. */
	readonly commit: string;
};

/** Returns the base that was recorded when the trace's worktree was first made, if any. */
export const readBase = async (git: Git, root: string, traceId: string): Promise<Base | undefined> => {
	const record = refsOf(traceId).base;
	const [ref, commit] = await Promise.all([readSymbolic(git, root, record), resolve(git, root, record)]);
	return ref || commit ? toBase(ref, commit ?? '') : undefined;
};

/** Returns the checkout's current branch and commit; undefined before the first commit. */
export const currentBase = async (git: Git, root: string): Promise<Base | undefined> => {
	const [ref, commit] = await Promise.all([readSymbolic(git, root, 'HEAD'), resolve(git, root, 'HEAD')]);
	return commit ? toBase(ref, commit) : undefined;
};

/**
 * Returns the checkout's current branch and its commit, without a process. Undefined if HEAD is detached, if
 * there is no commit, or if only git can read its refs.
 */
export const readBranch = async (
	git: Git,
	root: string,
): Promise<{readonly branch: string; readonly commit: string} | undefined> => {
	const {name = '', id} = (await readRef(git, root, 'HEAD')) ?? {};
	const {ref, name: branch, commit} = toBase(name, id ?? '');
	return commit && branch !== ref ? {branch, commit} : undefined;
};

/** Records the base in git itself: as a symbolic ref to the branch, or for a detached HEAD as a plain ref. */
export const recordBase = async (git: Git, root: string, traceId: string, base: Base): Promise<void> => {
	const record = refsOf(traceId).base;
	const args = base.ref
		? ['symbolic-ref', record, base.ref]
		: ['update-ref', '--no-deref', record, base.commit];
	await git.run(args, {cwd: root});
};

/**
 * Makes git's record of a trace's base equal to the log's, since any program can move a ref. If the branch
 * that the log names is gone, git's record stays: a person names another branch in it.
 */
export const holdBase = async (
	git: Git,
	root: string,
	traceId: string,
	{branch, commit}: {readonly branch: string; readonly commit: string},
): Promise<void> => {
	const ref = branch === '' ? '' : `refs/heads/${branch}`;
	const found = await readBase(git, root, traceId);
	if (found !== undefined && found.ref === ref && (ref !== '' || found.commit === commit)) return;
	const isGone = ref !== '' && (await resolve(git, root, ref)) === undefined;
	if (found !== undefined && isGone) return;
	const own = refsOf(traceId).base;
	const there = await readRef(git, root, own);
	// A symbolic ref to a missing ref counts as existing too.
	const isThere = there === undefined || there.id !== undefined || there.name !== own;
	if (isThere) await git.run(['update-ref', '--no-deref', '-d', own], {cwd: root});
	await recordBase(git, root, traceId, {ref, name: branch, commit});
};

const toBase = (ref: string, commit: string): Base => ({
	ref,
	name: ref.replace(/^refs\/heads\//, ''),
	commit,
});

const readSymbolic = async (git: Git, root: string, ref: string): Promise<string> => {
	const found = await readRef(git, root, ref);
	if (found !== undefined) return found.name === ref ? '' : found.name;
	const {exitCode, stdout} = await git.attempt(['symbolic-ref', '--quiet', ref], {cwd: root});
	return exitCode === 0 ? stdout.trim() : '';
};
