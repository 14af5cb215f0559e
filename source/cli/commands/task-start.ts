import {startTask} from '../../actions/start-task.ts';
import {accepted} from '../../domain/errors.ts';
import {askWhoTakesIt} from '../../host/who-takes-it.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const taskStart = command({
	path: 'task start',
	summary: 'Start a planned task now, out of turn.',
	flags: {
		trace: traceFlag,
		task: text({
			summary: 'Task to start; the first that can start without it.',
			hint: '<id>',
			complete: 'tasks',
		}),
	},
	json: '{v, traceId, taskId}',
	run: async ({trace, task}, session) => {
		const context = await session.open();
		const started = await startTask(context, {traceId: trace, taskId: task});
		if (!started.ok) return started;
		const next = await askWhoTakesIt(context, trace);
		return accepted({json: started.value, text: `Task ${started.value.taskId} is ready.\n${next}`});
	},
});
