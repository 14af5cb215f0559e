import {rejectProposal} from '../../actions/reject-proposal.ts';
import {accepted} from '../../domain/errors.ts';
import {askWhoTakesIt} from '../../host/who-takes-it.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';

export const proposalReject = command({
	path: 'proposal reject',
	summary: 'Send a task back for rework, with words that reach the next prompt.',
	description:
		'A task with review required returns to ready. A final gate gets a rework task and opens again when that is done.',
	flags: {
		trace: traceFlag,
		task: taskFlag,
		feedback: text({summary: 'What should be different.', hint: '<text>', required: true}),
		rework: text({
			summary: 'For a gate: the task whose bee does the rework; the last that proposed without it.',
			hint: '<task>',
			complete: 'tasks',
		}),
	},
	json: '{v, traceId, taskId, reworkTaskId}',
	run: async ({trace, task, feedback, rework}, session) => {
		const context = await session.open();
		const rejected = await rejectProposal(context, {
			traceId: trace,
			taskId: task,
			feedback,
			rework,
		});
		if (!rejected.ok) return rejected;
		const {reworkTaskId} = rejected.value;
		const note =
			reworkTaskId === task ? `Task ${task} is ready for rework.` : `The rework is task ${reworkTaskId}.`;
		return accepted({json: rejected.value, text: `${note}\n${await askWhoTakesIt(context, trace)}`});
	},
});
