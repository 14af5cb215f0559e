import {accepted, type Outcome} from '../../domain/errors.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {commitTree} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import type {TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {refuseUnfinished} from './merge-refusals.ts';
import {findLocks} from './under-way.ts';

/**
 * Commits everything in the worktree to the trace branch, and puts the worktree on that branch. No file in it
 * changes. If the worktree is gone, commits the work that its last run left. Returns the branch's commit.
 * Refuses when something is locked, before anything is changed.
 */
export const commitWorktree = async (
	git: Git,
	{root, traceId, subject}: TraceLocation & {readonly subject: string},
	tip: TraceTip,
): Promise<Outcome<string>> => {
	const {worktree, tree, parent, commit, head} = tip;
	const refs = refsOf(traceId);
	if (worktree === undefined) {
		if (commit !== head)
			await git.run(['update-ref', '-m', 'hive: restore the worktree', refs.head, commit, head], {
				cwd: root,
			});
		return accepted(commit);
	}
	const cwd = worktree;
	const locks = await findLocks(git, cwd, refs.head);
	if (locks.length > 0) return refuseUnfinished(cwd, locks);
	const message = `${oneLine(subject) || refs.branch}\n\nHive-Trace: ${traceId}\n`;
	let found = head;
	const next = await writeBesideCleanUp(git, cwd, async () => {
		const next = commit === parent ? parent : await commitTree(git, cwd, {tree, parents: [parent], message});
		await git.run(['update-ref', '-m', 'hive: commit the worktree', refs.head, next, found], {cwd});
		found = next;
		return {value: next, ids: [next]};
	});
	await git.run(['symbolic-ref', 'HEAD', refs.head], {cwd});
	await git.run(['reset', '--quiet', '--mixed'], {cwd});
	return accepted(next);
};

/** Returns a text as a commit's subject: one line, safe to show in a terminal. */
export const oneLine = (text: string): string => sanitizeLine(text).replace(/\s+/g, ' ').trim();
