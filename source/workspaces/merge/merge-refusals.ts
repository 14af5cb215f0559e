import {type Refused, refuse} from '../../domain/errors.ts';
import {refsOf} from '../trees/refs.ts';
import type {Base} from './base.ts';

/**
 * The branch that a trace would be merged into was deleted, or never was in this clone.
 *
 * @param commit where it was, if that is known
 */
export const baseGone = (base: Base, commit = '<commit>') =>
	refuse('merge_refused', {
		message: `The base branch "${base.name}" is gone; nothing was changed.`,
		hint: `Make it again with "git branch ${base.name} ${commit}", then try again.`,
	});

/** The trace has work, but the record of its base is missing. */
export const baseUnknown = (traceId: string) =>
	refuse('merge_refused', {
		message: `${refsOf(traceId).base}, the record of what ${refsOf(traceId).branch} is to be merged into, is gone; nothing was changed.`,
		hint: `Make it again with "git symbolic-ref ${refsOf(traceId).base} refs/heads/<branch>", then look again.`,
	});

/** The worktree was made on a detached HEAD. */
export const noBranch = (traceId: string) =>
	refuse('merge_refused', {
		message:
			'The worktree was made while no branch was checked out (HEAD is detached), so there is none to merge into.',
		hint: `Put the work on ${refsOf(traceId).branch} by approving with --no-merge, then merge that with git into the branch you want.`,
	});

/** The work and its base share no commit, so they can be neither compared nor merged. */
export const noCommonHistory = (traceId: string, base: Base, isShallow: boolean): Refused =>
	refuse('wrong_status', {
		message: `${refsOf(traceId).branch} and ${base.name || base.commit.slice(0, 12)} share no history${isShallow ? ', as far as this shallow clone has it' : ''}; nothing was changed.`,
		hint: isShallow
			? 'Fetch the rest with "git fetch --unshallow", then try again.'
			: `Was the base written anew? In .hive/worktrees/${traceId}, commit all and run "git merge --allow-unrelated-histories ${base.name || base.commit}", then try again.`,
	});

/**
 * Git's operations by the marks that they leave in its folder. For longer paths, only the beginning is
 * matched.
 */
const operations: readonly (readonly [RegExp, string])[] = [
	[/\/rebase-apply\/applying$/, 'am'],
	[/\/MERGE_HEAD$/, 'merge'],
	[/\/CHERRY_PICK_HEAD$/, 'cherry-pick'],
	[/\/REVERT_HEAD$/, 'revert'],
	[/\/rebase-(?:merge|apply)\/[^/]+$/, 'rebase'],
];

/**
 * Refuses because a lock, a merge, a rebase or unresolved paths keep git from working.
 * @param unfinished as `findUnderWay` returns it
 */
export const refuseUnfinished = (checkout: string, unfinished: readonly string[]): Refused => {
	const [, operation] = operations.find(([mark]) => unfinished.some(path => mark.test(path))) ?? [];
	const git = `git -C '${checkout}'`;
	const details = unfinished.map(path => ({
		path,
		message: path.endsWith('.lock') ? 'exists; remove it if no git command is running' : 'is unfinished',
	}));
	if (operation !== undefined)
		return refuse('merge_refused', {
			message: `A git ${operation} is unfinished in ${checkout}; nothing was changed.`,
			hint: `Finish it with "${git} ${operation} --continue", or take it back with "${git} ${operation} --abort", then try again.`,
			details,
		});
	if (unfinished.every(path => path.endsWith('.lock')))
		return refuse('merge_refused', {
			message: `Another git command is running in ${checkout}, or was interrupted; nothing was changed.`,
			hint: 'Wait until it ends. If none is running, remove the listed file. Then try again.',
			details,
		});
	return refuse('merge_refused', {
		message: `Conflicts are unresolved in ${checkout}; nothing was changed.`,
		hint: `Resolve the conflicts in the listed files, run "${git} add <file>" for each, then try again.`,
		details,
	});
};

/** The trace and its base changed the same lines. */
export const conflicting = (base: Base, paths: readonly string[]): Refused =>
	refuse('merge_conflict', {
		hint: 'Bring the base into the worktree with "hive proposal update", then approve again.',
		details: paths.map(path => ({path, message: `conflicts with ${base.name}`})),
	});

/** The merge would make another tree than the one that was shown. */
export const stale = (base: Base): Refused =>
	refuse('stale_view', {
		message: `The worktree or ${base.name} changed since you looked; nothing was changed.`,
	});

/** Unsaved files of a checkout would be lost. */
export const blocked = ({
	checkout,
	paths,
	reason = 'is not saved in git and is in the way',
}: {
	readonly checkout: string;
	readonly paths: readonly string[];
	readonly reason?: string;
}): Refused =>
	refuse('merge_refused', {
		message: `The merge would overwrite unsaved files in ${checkout}; nothing was changed.`,
		details: paths.map(path => ({path, message: reason})),
	});

/** There is no room for the merge's files, or one of their filters fails. */
export const unwritable = (checkout: string, reason: string): Refused =>
	refuse('merge_refused', {
		message: `The files of the merge could not all be written to the disk of ${checkout}; nothing was changed.`,
		hint: 'Is the disk full, or a limit on file sizes set? Free disk space, or fix the problem that git names, then try again.',
		details: [{path: checkout, message: reason}],
	});
