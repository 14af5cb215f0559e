import {accepted} from '../../domain/errors.ts';
import {readTrace} from '../../host/traces.ts';
import {statusWords, taskSnapshot, workerOf} from '../../host/views/task.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {traceFlag} from '../shared-flags.ts';

export const taskList = command({
	path: 'task list',
	summary: 'List the tasks of a trace.',
	flags: {trace: traceFlag},
	json: '{v, traceId, tasks: [task snapshot…]}',
	run: async ({trace: traceId}, session) => {
		const context = await session.open();
		const trace = await readTrace(context, traceId);
		if (!trace.ok) return trace;
		const {defaultBee} = context.colony.defaults;
		const tasks = [...trace.value.tasks.values()];
		const rows = tasks.map(task => [
			task.taskId,
			statusWords(trace.value, task),
			workerOf(task, defaultBee) || '-',
			task.dependsOn.join(',') || '-',
			task.review,
			task.title,
		]);
		return accepted({
			json: {traceId, tasks: tasks.map(task => taskSnapshot(traceId, task))},
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
