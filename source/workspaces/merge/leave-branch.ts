import {accepted, type Outcome, type Refused, refusalOf, refuse} from '../../domain/errors.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {listUntrackedRepositories} from '../trees/nested-repositories.ts';
import {resolve, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {readTraceTip, refuseUnresolved} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {commitWorktree} from './commit-worktree.ts';
import {stale} from './merge-refusals.ts';
import {readMerge} from './preview.ts';

export type LeaveRequest = TraceLocation & {
	/** Tree of everything in the worktree, as it was shown. */
	readonly tree: string;
	/** One line; the trace's title. */
	readonly subject: string;
};

/** Where a trace's work was left. */
export type Left = {readonly commit: string; readonly branch: string};

/**
 * Leaves a trace's whole work on its branch, for a pull request. Uncommitted work is committed there; nothing
 * is merged. May be repeated after a crash. Refused with `nothing_to_merge` or `stale_view`, or as by
 * `readTraceTip`.
 */
export const leaveBranch = async (
	git: Git,
	request: LeaveRequest,
	failpoint: Failpoint = () => {},
): Promise<Outcome<Left>> => {
	const {root, traceId, tree} = request;
	const tip = await readTraceTip(git, request);
	if (!tip.ok) return tip;
	if (!tip.value) return refuse('nothing_to_merge');
	const refs = refsOf(traceId);
	const unresolved = await refuseUnresolved(git, tip.value);
	if (unresolved !== undefined) return unresolved;
	if (tip.value.tree !== tree) return stale({ref: refs.head, name: refs.branch, commit: tip.value.head});
	const commit = await commitWorktree(git, request, tip.value);
	if (!commit.ok) return commit;
	failpoint('merge.committed');
	await git.run(['update-ref', refs.left, commit.value], {cwd: root});
	failpoint('merge.recorded');
	return accepted({commit: commit.value, branch: refs.branch});
};

/**
 * True if a gate is due: the trace has work that its base lacks, and it was not left for a pull request. Also
 * true for a worktree whose state cannot be read; approving then says how to repair it.
 */
export const awaitsMerge = async (git: Git, location: TraceLocation): Promise<boolean> => {
	const merge = await readMerge(git, location).catch(asRefused);
	if (!merge.ok) return isToMend(merge);
	if (merge.value === undefined) return false;
	const {head, tree, worktree, unread} = merge.value.tip;
	if (merge.value.empty) {
		if (worktree === undefined) return false;
		return unread.length > 0 || (await listUntrackedRepositories(git, worktree)).length > 0;
	}
	const left = await resolve(git, location.root, refsOf(location.traceId).left);
	if (left === undefined || left !== head) return true;
	return tree !== (await treeOf(git, location.root, left));
};

const isToMend = ({refusal: {code}}: Refused): boolean =>
	code === 'wrong_status' || code === 'repository_damaged';

const asRefused = (error: unknown): Refused => {
	const refusal = refusalOf(error);
	if (refusal?.code === 'repository_damaged') return {ok: false, refusal};
	throw error;
};
