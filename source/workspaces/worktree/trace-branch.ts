import type {Git} from '../../ports/git.ts';
import type {Base} from '../merge/base.ts';
import {readTraceLanding} from '../merge/landed-work.ts';
import {isAncestor, resolve} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import type {TraceLocation} from './worktree-state.ts';

/**
 * Returns the work of a trace's last run whose worktree is gone. Undefined if the branch has something else
 * by now, or a gate took it.
 */
export const findLostWork = async (
	git: Git,
	{root, traceId}: TraceLocation,
	head: string | undefined,
): Promise<string | undefined> => {
	const work = await resolve(git, root, refsOf(traceId).work);
	if (work === undefined || head === undefined) return work;
	return (await isAncestor(git, root, head, work)) ? work : undefined;
};

/**
 * Call when a gate has taken the trace's work, and no run of the trace is open. Also deletes the refs of runs
 * whose collection ended before it could delete them.
 */
export const forgetLostWork = async (git: Git, {root, traceId}: TraceLocation): Promise<void> => {
	const {work, run} = refsOf(traceId);
	const ofRuns = await git.run(['for-each-ref', '--format=delete %(refname)', run('')], {cwd: root});
	const input = `delete ${work}\n${ofRuns}${ofRuns && '\n'}`;
	await git.run(['update-ref', '--stdin'], {cwd: root, input});
};

/**
 * Prepares the branch for a new worktree. If the work of a lost worktree exists, the branch moves on to that.
 * If there is no branch, it is made at the base's head. If the base has all of its work, it moves there;
 * otherwise it is left alone. If it landed, but the base does not have its commits, they are kept first.
 * Returns the ref that keeps them if the base has since lost the merge. A squash never had them.
 */
export const readyBranch = async (
	git: Git,
	location: TraceLocation,
	base: Base,
): Promise<string | undefined> => {
	const refs = refsOf(location.traceId);
	const cwd = location.root;
	const old = await resolve(git, cwd, refs.head);
	const start = (at = base.commit) => git.run(['update-ref', refs.head, at, old ?? ''], {cwd});
	const lostWork = await findLostWork(git, location, old);
	if (lostWork !== undefined) {
		await start(lostWork);
		return undefined;
	}
	if (!old || (await isAncestor(git, cwd, old, base.commit))) {
		await start();
		return undefined;
	}
	const landed = await resolve(git, cwd, refs.merged);
	if (landed === undefined || (await readTraceLanding(git, location, landed))?.work !== old) return undefined;
	const kept = refs.keep(`branch-${old.slice(0, 12)}`);
	await git.run(['update-ref', kept, old], {cwd});
	await start();
	return (await isAncestor(git, cwd, landed, base.commit)) ? undefined : kept;
};
