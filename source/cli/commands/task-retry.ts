import {type Retried, retryTask} from '../../actions/retry-task.ts';
import {accepted} from '../../domain/errors.ts';
import {askWhoTakesIt} from '../../host/who-takes-it.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';

export const taskRetry = command({
	path: 'task retry',
	summary: 'Send a failed or stuck task back to ready.',
	description:
		'A running task is taken from its run, which is stopped. Of a task that waits for review, or is completed and not merged yet, the guard that failed runs again; with --feedback a waiting task itself goes back. The next run costs one unit of honey.',
	flags: {
		trace: traceFlag,
		task: taskFlag,
		feedback: text({summary: 'What should be different; it leads the next prompt.', hint: '<text>'}),
	},
	json: '{v, traceId, taskId, replaces, repeats}',
	run: async ({trace, task, feedback}, session) => {
		const context = await session.open();
		const retried = await retryTask(context, {traceId: trace, taskId: task, feedback});
		if (!retried.ok) return retried;
		const next = await askWhoTakesIt(context, trace);
		return accepted({json: retried.value, text: `${wordsOf(retried.value)}\n${next}`});
	},
});

const wordsOf = ({taskId, replaces, repeats}: Retried): string => {
	if (repeats !== '') return `The bee ${repeats} runs again for ${taskId}.`;
	return replaces === ''
		? `Task ${taskId} is ready again.`
		: `Task ${taskId} is ready again. Run ${replaces} is stopped.`;
};
