import {accepted} from '../../domain/errors.ts';
import {readTrace} from '../../host/traces.ts';
import {taskSnapshot} from '../../host/views/task.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';
import {taskTable} from '../task-table.ts';

export const taskList = command({
	path: 'task list',
	summary: 'List the tasks of a trace.',
	flags: {trace: traceFlag},
	json: '{v, traceId, tasks: [task snapshot…]}',
	run: async ({trace: traceId}, commandContext) => {
		const context = await commandContext.open();
		const trace = await readTrace(context, traceId);
		if (!trace.ok) return trace;
		const tasks = [...trace.value.tasks.values()];
		return accepted({
			json: {traceId, tasks: tasks.map(task => taskSnapshot(traceId, task))},
			text: () => taskTable(trace.value, context.colony.defaults.defaultBee, commandContext.stdout.columns),
		});
	},
});
