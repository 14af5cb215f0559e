import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import {isName} from '../../domain/ids.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {resolve, scratchCommit} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {removeCheckout} from './remove-checkout.ts';
import {findLink, worktreesFolder} from './worktree-state.ts';

/** The files to verify: the tree of the proposal, and the run that made it. */
type Proposed = {readonly traceId: string; readonly agentId: string; readonly tree: string};

/** No trace, run or bee can have a name with this prefix. */
const prefix = '_verify-';

const verificationPath = (root: string, agentId: string): string => {
	if (!isName(agentId)) throw new HiveError('invalid_id', {message: `"${agentId}" is not a run.`});
	return `${root}/${worktreesFolder}/${prefix}${agentId}`;
};

/** Reason of git's own worktree lock, so that no clean-up removes the worktree while it is in use. */
const mark = 'hive verifies a proposal in this worktree';

/**
 * Creates a detached worktree for one verification, with exactly the proposed files, or those of a commit.
 * Replaces what an earlier try left. Returns its path. Throws `wrong_status` when the files are no longer in
 * git, or something is in the way.
 */
export const makeVerificationWorktree = async (
	{git, failpoint}: {readonly git: Git; readonly failpoint: Failpoint},
	root: string,
	agentId: string,
	proposed: Proposed | {readonly commit: string},
): Promise<string> => {
	const path = verificationPath(root, agentId);
	const link = findLink([join(root, '.hive'), join(root, worktreesFolder)]);
	if (link !== undefined)
		throw new HiveError('wrong_status', {message: `"${link}" is a symbolic link.`, hint: 'Move it aside.'});
	await removeVerificationWorktree(git, root, agentId);
	const add = ['worktree', 'add', '--quiet', '--no-checkout', '--detach', '--lock', '--reason', mark];
	await writeBesideCleanUp(git, root, async () => {
		const commit = 'commit' in proposed ? proposed.commit : await commitOf(git, root, proposed);
		if (await isGone(path)) {
			const {exitCode, stderr} = await git.attempt([...add, '--', path, commit], {cwd: root});
			if (exitCode !== 0)
				throw new HiveError('wrong_status', {message: `git makes no worktree: ${stderr.trim()}`});
		}
		return {value: undefined, ids: [commit]};
	});
	failpoint('worktree.added');
	await git.run(['-c', 'checkout.workers=2', 'reset', '--quiet', '--hard'], {cwd: path});
	return path;
};

/**
 * Returns the kept commit of the run, whose parent is its base. If that commit has another tree, returns a
 * commit of the proposed tree alone.
 */
const commitOf = async (git: Git, root: string, {traceId, agentId, tree}: Proposed): Promise<string> => {
	const kept = await resolve(git, root, refsOf(traceId).keep(agentId));
	if (kept !== undefined && (await resolve(git, root, `${kept}^{tree}`)) === tree) return kept;
	if ((await resolve(git, root, `${tree}^{tree}`)) === undefined)
		throw new HiveError('wrong_status', {message: 'The proposed files are not kept any more.'});
	return scratchCommit(git, root, {tree, parents: [], message: `Files that run ${agentId} proposed\n`});
};

/**
 * Removes the worktree with all files in it: they were made by hive and by the commands. Does nothing when
 * there is none.
 */
export const removeVerificationWorktree = async (git: Git, root: string, agentId: string): Promise<void> => {
	const path = verificationPath(root, agentId);
	if (await isGone(path)) return forget(git, root, path);
	await removeCheckout(git, root, path, {force: true});
};

const isGone = async (path: string): Promise<boolean> =>
	(await lstat(path).catch(() => undefined)) === undefined;

/** Removes git's record of a worktree whose folder is gone. */
const forget = async (git: Git, root: string, path: string): Promise<void> => {
	await git.attempt(['worktree', 'remove', '--force', '--force', '--', path], {cwd: root});
};

/** Finds `.git` without running git when it is in its usual place, since every start asks. */
const repositoryOf = async (git: Git, root: string): Promise<string> => {
	const usual = join(root, '.git');
	const stats = await lstat(usual).catch(() => undefined);
	return stats?.isDirectory() ? usual : (await git.folders(root)).common;
};

/**
 * Removes the verification worktrees of runs that are no longer open. A crash left them, or a trace that was
 * taken away.
 */
export const removeLeftVerifications = async (
	git: Git,
	root: string,
	isOpen: (agentId: string) => boolean,
): Promise<void> => {
	// Git's record, named after the folder, may be all that is left.
	const records = join(await repositoryOf(git, root), 'worktrees');
	const listed = await Promise.all(
		[join(root, worktreesFolder), records].map(folder => readdir(folder).catch(() => [])),
	);
	for (const name of new Set(listed.flat().filter(one => one.startsWith(prefix)))) {
		const agentId = name.slice(prefix.length);
		if (isName(agentId) && !isOpen(agentId)) await removeVerificationWorktree(git, root, agentId);
	}
};
