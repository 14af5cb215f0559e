import {accepted} from '../../domain/errors.ts';
import {prune as pruneAction} from '../../host/actions/keeping.ts';
import {command} from '../command.ts';
import {boolean} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const prune = command({
	path: 'prune',
	summary: 'Remove old worktrees and kept files that are merged or saved.',
	description:
		'Removes only what is older than defaults.keep (default: 30 days), and only if it is on a branch or its trace was merged since. What workspaces.cache keeps goes once it was not used for as long. For all else the output says why it stays. Branches are never removed.',
	flags: {
		dryRun: boolean({summary: 'Show what would be removed, and remove nothing.'}),
		setupCache: boolean({summary: 'Also remove all that workspaces.cache keeps; setup then runs again.'}),
	},
	json: '{v, dryRun, items: [{kind, traceId, what, goes, reason}…]}',
	run: async ({dryRun, setupCache}, commandContext) => {
		const pruned = await pruneAction.run(await commandContext.open(), {dryRun, setupCache});
		if (!pruned.ok) return pruned;
		const {items} = pruned.value.value;
		return accepted({
			json: pruned.value.value,
			text: () =>
				items.length === 0
					? 'There is nothing to prune.'
					: tableOf(items, dryRun, commandContext.stdout.columns),
		});
	},
});

type Pruned = {readonly goes: boolean; readonly what: string; readonly reason: string};

const tableOf = (items: readonly Pruned[], dryRun: boolean, columns: number | undefined) =>
	renderTable(
		['', 'WHAT', 'WHY'].map(title => ({title})),
		items.map(({goes, what, reason}) => [
			goes ? (dryRun ? 'would be removed' : 'removed') : 'stays',
			what,
			reason,
		]),
		columns,
	);
