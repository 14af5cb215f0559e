import {cancelTask} from '../../actions/cancel-task.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';

export const taskCancel = command({
	path: 'task cancel',
	summary: 'Cancel one task: its run is stopped, and what needs it goes with it.',
	description:
		'For a task that is not over, or one that failed. The final gate counts cancelled tasks as settled. What the run left in the worktree stays there.',
	flags: {
		trace: traceFlag,
		task: taskFlag,
		reason: text({summary: 'Why, shown on the task.', hint: '<text>'}),
	},
	json: '{v, traceId, taskId, dependants, stopped}',
	run: async ({trace, task, reason}, session) => {
		const cancelled = await cancelTask(await session.open(), {traceId: trace, taskId: task, reason});
		if (!cancelled.ok) return cancelled;
		const {dependants, stopped} = cancelled.value;
		return accepted({
			json: cancelled.value,
			text: [
				`Cancelled ${task}.`,
				dependants.length === 0 ? '' : `\nCancelled with it, because they need it: ${dependants.join(', ')}`,
				stopped.length === 0 ? '' : `\nIts run is stopped: ${stopped.join(', ')}`,
			],
		});
	},
});
