import {traceNotFound} from '../../actions/decide-and-append.ts';
import {accepted} from '../../domain/errors.ts';
import {isShown} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {traceFlag} from '../shared-flags.ts';
import {taskJson} from '../snapshot-json.ts';

export const taskList = command({
	path: 'task list',
	summary: 'List the tasks of a trace.',
	flags: {trace: traceFlag},
	json: '{v, traceId, tasks: [task snapshot…]}',
	run: async ({trace: traceId}, session) => {
		const {bus} = await session.open();
		const trace = await loadTrace(bus, traceId);
		if (!isShown(trace)) return traceNotFound(traceId);
		const tasks = [...trace.tasks.values()];
		const rows = tasks.map(({taskId, status, bee, dependsOn, review, title}) => [
			taskId,
			status,
			bee || (review === 'final' ? '-' : 'default'),
			dependsOn.join(',') || '-',
			review,
			title,
		]);
		return accepted({
			json: {traceId, tasks: tasks.map(task => taskJson(traceId, task))},
			text: () =>
				rows.length === 0
					? `No tasks in ${traceId} yet.`
					: renderTable(
							['TASK', 'STATUS', 'BEE', 'NEEDS', 'REVIEW', 'TITLE'].map(title => ({title})),
							rows,
							session.stdout.columns,
						),
		});
	},
});
