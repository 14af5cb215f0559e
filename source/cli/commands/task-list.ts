import {accepted} from '../../domain/errors.ts';
import {readTrace} from '../../host/traces.ts';
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
		const trace = await readTrace(await session.open(), traceId);
		if (!trace.ok) return trace;
		const tasks = [...trace.value.tasks.values()];
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
