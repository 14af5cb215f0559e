import {type Refused, refuse} from '../domain/errors.ts';
import type {Base} from './base.ts';
import {refsOf} from './refs.ts';

/** The branch that a trace would be merged into was deleted. */
export const baseGone = (base: Base) =>
	refuse('merge_refused', {
		message: `The base branch "${base.name}" is gone; nothing was changed.`,
		hint: `Make it again with "git branch ${base.name} <commit>", then look again.`,
	});

/** The trace has work, and nothing records what it began from. */
export const baseUnknown = (traceId: string) =>
	refuse('merge_refused', {
		message: `${refsOf(traceId).base}, the record of what ${refsOf(traceId).branch} is to be merged into, is gone; nothing was changed.`,
		hint: `Make it again with "git symbolic-ref ${refsOf(traceId).base} refs/heads/<branch>", then look again.`,
	});

/** The worktree was made on a detached HEAD. */
export const noBranch = (traceId: string) =>
	refuse('merge_refused', {
		message: 'The worktree was made while no branch was checked out, so there is none to merge into.',
		hint: `Merge ${refsOf(traceId).branch} with git into the branch you want.`,
	});

/** A lock, a merge, a rebase or unresolved paths of the user. */
export const refuseUnfinished = (what: readonly string[]): Refused =>
	refuse('merge_refused', {
		message: 'A git operation is unfinished where the merge would go; nothing was changed.',
		hint: 'Finish or abort it, then approve again.',
		details: what.map(path => ({
			path,
			message: path.endsWith('.lock') ? 'is there; remove it when no git is at work' : 'is unfinished',
		})),
	});

/** The trace and its base changed the same lines. */
export const conflicting = (base: Base, paths: readonly string[]): Refused =>
	refuse('merge_conflict', {
		hint: 'Bring the base into the worktree with "hive proposal update", then approve again.',
		details: paths.map(path => ({path, message: `conflicts with ${base.name}`})),
	});

/** The tree would not be the one that was shown. */
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

/** The files of the merge have no room, or a filter of theirs fails. */
export const unwritable = (checkout: string, reason: string): Refused =>
	refuse('merge_refused', {
		message: `The files of the merge could not all be written to the disk of ${checkout}; nothing was changed.`,
		hint: 'Is the disk full, or a limit on file sizes set? Make room, or mend what git says, then try again.',
		details: [{path: checkout, message: reason}],
	});
