import {withMergeLock} from '../actions/merge-lock.ts';
import {accepted, formatRefusal, type Outcome} from '../domain/errors.ts';
import type {PullRequest} from '../domain/pull-request.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {fastForward} from '../workspaces/merge/fast-forward.ts';
import {fetchBranch} from '../workspaces/merge/publish-branch.ts';
import {isAncestor, treeOf} from '../workspaces/trees/objects.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import {readTraceTip} from '../workspaces/worktree/trace-tip.ts';
import {appendAbout, type ForgeContext} from './context.ts';

/**
 * Moves the worktree up to commits that others pushed to the branch of a request. Only where it still has
 * exactly what hive pushed, no run is open, and their commits come after hive's. Otherwise it stays, and the
 * review says that the branch there has more.
 */
export const followBranch = async (
	ports: ForgeContext,
	trace: Trace,
	request: PullRequest,
): Promise<void> => {
	const {number, url = '', commit, movedTo, taskId} = request;
	if (movedTo === undefined || commit === undefined || number === undefined) return;
	if (openRuns(trace).length > 0 || trace.tasks.get(taskId)?.status !== 'waiting_review') return;
	const {context, remote} = ports;
	const {git, colony} = context;
	const {traceId} = trace;
	const {root} = colony;
	const fetched = await fetchBranch(git, root, remote, refsOf(traceId).branch);
	if (!fetched.ok) return ports.report(formatRefusal(fetched.refusal));
	const there = fetched.value;
	if (!(await isAncestor(git, root, commit, there))) return;
	const followed = await withMergeLock(context, async (): Promise<Outcome<boolean>> => {
		const tip = await readTraceTip(git, {root, traceId});
		if (!tip.ok) return tip;
		const {worktree, head, tree} = tip.value ?? {};
		const isAsPushed = head === commit && tree === request.pushedTree;
		if (worktree === undefined || !isAsPushed) return accepted(false);
		const moved = await fastForward(git, worktree, {from: commit, to: there});
		return moved.ok ? accepted(true) : moved;
	});
	if (!followed.ok) return ports.report(formatRefusal(followed.refusal));
	if (!followed.value) return;
	const tree = await treeOf(git, root, there);
	await appendAbout(ports, traceId, `${request.approved}/followed/${there}`, {
		...{kind: 'pull_request.pushed', taskId, number, url, commit: there, tree},
	});
};
