import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {commitTree, isAncestor, mergeTrees} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {readTraceTip, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {type Base, readBase} from './base.ts';
import {commitWorktree} from './commit-worktree.ts';
import {fastForward} from './fast-forward.ts';
import {findFork} from './fork.ts';
import {withLandedWork} from './landed-work.ts';
import {baseGone, baseUnknown, refuseUnfinished} from './merge-refusals.ts';
import {findUnderWay} from './under-way.ts';

/** The result of merging the base. */
export type BaseMerged = {
	/** Short name, or the commit of a base that is no branch. */
	readonly base: string;
	readonly baseSha: string;
	/** The tip of the trace branch afterwards; unchanged when the base had nothing new. */
	readonly commit: string;
	/** Paths that both sides changed. If there are any, nothing was merged. */
	readonly conflicts: readonly string[];
};

/**
 * Merges the base into a trace's worktree (docs/architecture.md §5). Uncommitted work is committed first. The
 * merge is tried on trees first, so a conflict moves no file. The committed work is then ready for the run
 * that resolves it. Idempotent, so it may be repeated after a crash. Refused with `nothing_to_merge`, and
 * `merge_refused` when the worktree has an unfinished operation of its own.
 */
export const mergeBase = async (
	git: Git,
	request: TraceLocation & {readonly subject: string},
	failpoint: Failpoint = () => {},
): Promise<Outcome<BaseMerged>> => {
	const [base, tip] = await Promise.all([
		readBase(git, request.root, request.traceId),
		readTraceTip(git, request),
	]);
	if (!tip.ok) return tip;
	if (!tip.value) return refuse('nothing_to_merge');
	if (!base) return baseUnknown(request.traceId);
	if (!base.commit) return baseGone(base);
	const {worktree} = tip.value;
	const unfinished = worktree === undefined ? [] : await findUnderWay(git, worktree);
	if (worktree !== undefined && unfinished.length > 0) return refuseUnfinished(worktree, unfinished);
	const fork = await findFork(git, request, base, tip.value);
	if (!fork.ok) return fork;
	return mergeCommitted(git, request, {base, tip: tip.value}, failpoint);
};

const mergeCommitted = async (
	git: Git,
	request: TraceLocation & {readonly subject: string},
	{base, tip}: {readonly base: Base; readonly tip: TraceTip},
	failpoint: Failpoint,
): Promise<Outcome<BaseMerged>> => {
	const {root, traceId} = request;
	const facts = {base: base.name || base.commit, baseSha: base.commit};
	if (await isAncestor(git, root, base.commit, tip.commit))
		return accepted({...facts, commit: tip.head, conflicts: []});
	const committed = await commitWorktree(git, request, tip);
	if (!committed.ok) return committed;
	const head = committed.value;
	failpoint('update.committed');
	const onto = await withLandedWork(git, request, base.commit, head);
	const merged = await mergeTrees(git, root, head, onto);
	if (merged.conflicts.length > 0) return accepted({...facts, commit: head, conflicts: merged.conflicts});
	const message = `Merge ${facts.base} into ${refsOf(traceId).branch}\n\nHive-Trace: ${traceId}\n`;
	const parents = [head, base.commit];
	let made: string | undefined;
	return writeBesideCleanUp(git, root, async () => {
		const {tree} = made === undefined ? merged : await mergeTrees(git, root, head, onto);
		const commit = await commitTree(git, root, {tree, parents, message});
		const moved =
			made === undefined
				? await moveTo(git, request, {worktree: tip.worktree, head, commit}, failpoint)
				: await moveBranch(git, request, made, commit);
		if (!moved.ok) return {value: moved, ids: []};
		made = commit;
		return {value: accepted({...facts, commit, conflicts: []}), ids: [commit]};
	});
};

const moveTo = async (
	git: Git,
	location: TraceLocation,
	{worktree, head, commit}: {worktree: string | undefined; head: string; commit: string},
	failpoint: Failpoint,
): Promise<Outcome<void>> => {
	const fileMoved = () => failpoint('update.fileMoved');
	if (worktree !== undefined) return fastForward(git, worktree, {from: head, to: commit}, fileMoved);
	return moveBranch(git, location, head, commit);
};

const moveBranch = async (
	git: Git,
	{root, traceId}: TraceLocation,
	from: string,
	to: string,
): Promise<Outcome<void>> => {
	const note = 'hive: merge the base in';
	await git.run(['update-ref', '-m', note, refsOf(traceId).head, to, from], {cwd: root});
	return accepted(undefined);
};
