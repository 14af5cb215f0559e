import {resolve} from 'node:path';
import {accepted, refuse} from '../../domain/errors.ts';
import {restore as restoreAction} from '../../host/actions/keeping.ts';
import {listRestorable, type Restorable} from '../../host/review/restorable.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const restore = command({
	path: 'restore',
	summary: 'List the files that runs left, and bring those of one run back.',
	description:
		'hive keeps the files of every run that changed something, even of a failed run, until "hive prune". They are restored to a folder of their own below .hive/cache, or to --to. Existing files are not overwritten.',
	arguments: {
		kept: text({summary: 'Run or ref whose files to bring back.', hint: '<run|ref>', complete: 'runs'}),
	},
	flags: {
		list: boolean({summary: 'List what can be brought back; the default if no run is named.'}),
		trace: text({summary: 'List only this trace.', hint: '<id>', complete: 'traces'}),
		to: text({summary: 'Folder to write the files to.', hint: '<dir>', complete: 'folders'}),
	},
	examples: ['restore --list', 'restore 4f2a9c01d3e85b76 --to ../recovered'],
	json: '{v, ref, commit, folder, written}, or with --list {v, kept: […]}',
	run: async ({kept, list, trace, to}, commandContext) => {
		if (kept !== undefined && list)
			return refuse('usage', {message: 'Give either --list, or the run whose files to bring back.'});
		const context = await commandContext.open();
		if (kept === undefined) {
			const found = await listRestorable(context, trace);
			if (!found.ok) return found;
			return accepted({
				json: {kept: found.value},
				text: () =>
					found.value.length === 0
						? 'No files are kept.'
						: tableOf(found.value, commandContext.stdout.columns),
			});
		}
		const restored = await restoreAction.run(context, {
			which: kept,
			to: to === undefined ? undefined : resolve(commandContext.cwd, to),
		});
		if (!restored.ok) return restored;
		const {value, sentences} = restored.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

const tableOf = (kept: readonly Restorable[], columns: number | undefined) =>
	renderTable(
		['TRACE', 'RUN', 'BEE', 'TASK', 'ENDED', 'AT'].map(title => ({title})),
		kept.map(({traceId, name, bee, taskId, status, finishedAt}) => [
			traceId,
			name,
			bee || '-',
			taskId || '-',
			status || '-',
			finishedAt || '-',
		]),
		columns,
	);
