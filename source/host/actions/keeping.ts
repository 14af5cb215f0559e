import * as z from 'zod/mini';
import {formatCount} from '../../domain/format-count.ts';
import {action, field} from './action.ts';
import {traceId} from './fields.ts';

export const restore = action({
	id: 'restore',
	label: 'Restore',
	progressLabel: 'Restoring',
	summary: 'Write the files that a run left to a folder of their own.',
	shape: '{v, ref, commit, folder, written}',
	input: z.object({which: z.string(), to: z.optional(z.string())}),
	perform: async (context, {which, to}) => {
		const {restoreTree} = await import('../../actions/restore-tree.ts');
		return restoreTree(context, {which, to});
	},
	done: ({written, folder}) => [
		written.length === 0
			? `All its files are in ${folder} already.`
			: `Wrote ${formatCount(written.length, 'file')} to ${folder}`,
	],
});

export const prune = action({
	id: 'prune',
	label: 'Prune',
	progressLabel: 'Pruning',
	summary: 'Remove old worktrees and kept files that are merged or saved.',
	shape: '{v, dryRun, items: [{kind, traceId, what, goes, reason}…]}',
	input: z.object({dryRun: z.boolean(), setupCache: z.optional(z.boolean())}),
	perform: async (context, input) => {
		const {pruneWorkspaces} = await import('../../actions/prune-workspaces.ts');
		return pruneWorkspaces(context, input);
	},
	done: ({items, dryRun}) => {
		const going = items.filter(({goes}) => goes).length;
		return [
			going === 0 ? 'There is nothing to prune.' : `${going} ${dryRun ? 'would be removed' : 'removed'}.`,
		];
	},
});

export const purge = action({
	id: 'purge',
	label: 'Purge',
	danger: true,
	anywhere: true,
	progressLabel: 'Purging',
	summary: 'Remove a finished trace for good: worktree, branch, kept files, run directory, events.',
	description:
		'Refused while a run is open, while a task is unfinished (kill the trace first), or if its work is nowhere else. Merged work stays, and so does a branch that was left for a pull request. The log keeps one event, which says that the trace was purged. The trace is no longer shown, and its id is not used again. Run an interrupted purge again to finish it.',
	examples: ['purge --trace trace-0199… --confirm trace-0199…'],
	shape: '{v, traceId, removed: […], events}',
	input: z.object({
		traceId,
		confirm: field(z.string(), {
			summary: 'The trace id again, to confirm; at a terminal hive asks for it.',
			hint: '<id>',
		}),
		discardUnmerged: field(z.optional(z.boolean()), {
			summary: 'Also remove work that is on no other branch.',
		}),
	}),
	perform: async (context, {discardUnmerged = false, ...input}) => {
		const {purgeTrace} = await import('../../actions/purge-trace.ts');
		return purgeTrace(context, {...input, discardUnmerged});
	},
	done: ({traceId: trace, removed, events}) => {
		const gone = [...removed, ...(events === 0 ? [] : [`${events} events of the log`])];
		return gone.length === 0
			? [`Nothing of ${trace} was left.`]
			: ['Removed for good:', ...gone.map(what => `  ${what}`)];
	},
});
