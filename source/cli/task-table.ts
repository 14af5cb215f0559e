import type {Trace} from '../domain/trace.ts';
import {taskStatusLabel, workerOf} from '../host/views/task.ts';
import {renderTable} from './render-table.ts';
import type {Text} from './text.ts';

/** Renders the tasks of a trace, one per row, or a note that there are none. */
export const taskTable = async (
	trace: Trace,
	defaultBee: string,
	columns: number | undefined,
): Promise<Text> => {
	const rows = [...trace.tasks.values()].map(task => [
		task.taskId,
		taskStatusLabel(trace, task),
		workerOf(task, defaultBee) || '-',
		task.dependsOn.join(',') || '-',
		task.review,
		task.title,
	]);
	if (rows.length === 0) return `No tasks in ${trace.traceId} yet.`;
	return renderTable(
		['TASK', 'STATUS', 'BEE', 'NEEDS', 'REVIEW', 'TITLE'].map(title => ({title})),
		rows,
		columns,
	);
};
