import {accepted} from '../../domain/errors.ts';
import {prune as pruneAction} from '../../host/actions/keeping.ts';
import {command} from '../command.ts';
import {boolean} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const prune = command({
	path: 'prune',
	summary: 'Remove old worktrees and kept files that are merged or saved.',
	description:
		'Only what is older than defaults.keep (30 days unless set) and provably on a branch, or of a trace that was merged since. The rest stays, with the reason. Branches are never removed.',
	flags: {dryRun: boolean({summary: 'Say what would go; remove nothing.'})},
	json: '{v, dryRun, items: [{kind, traceId, what, goes, reason}…]}',
	run: async ({dryRun}, commandContext) => {
		const pruned = await pruneAction.run(await commandContext.open(), {dryRun});
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
		items.map(({goes, what, reason}) => [goes ? (dryRun ? 'would go' : 'removed') : 'stays', what, reason]),
		columns,
	);
