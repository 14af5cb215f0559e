import * as z from 'zod/mini';
import {action, field} from './action.ts';
import {textField} from './fields.ts';

export const answerQuestion = action({
	id: 'question.answer',
	command: 'answer',
	label: 'Answer',
	progressLabel: 'Answering',
	summary: "Answer an agent's question, or allow or deny what it asks permission for.",
	description:
		'The first answer counts. A run that waits gets it at once. If the run has ended, its task is ready again and the next prompt starts with the answer. Words alone deny a permission, and tell the agent why.',
	examples: ['answer q-0199… --option 1', 'answer q-0199… --body "Per client, not per route"'],
	shape: '{v, traceId, questionId, taskId, answer, isAwaited, always}',
	input: z.object({
		questionId: z.string(),
		option: field(z.optional(z.int().check(z.minimum(1))), {
			summary: 'Number of the option, from 1.',
			hint: '<n>',
		}),
		body: textField('Your own words.'),
		always: field(z.optional(z.boolean()), {
			summary: 'Allow exactly this act from now on, without asking. "hive permission list" shows it.',
		}),
	}),
	perform: async (context, input) => {
		const {answerQuestion: answer} = await import('../../actions/answer-question.ts');
		return answer(context, input);
	},
	done: ({questionId, answer, isAwaited, always, taskId}) => [
		`Answered ${questionId}: ${answer}`,
		isAwaited
			? 'Its run goes on with the answer.'
			: taskId === ''
				? 'The next run starts with it.'
				: `Task ${taskId} goes on with it.`,
		...(always ? ['The same act is allowed from now on; "hive permission list" shows it.'] : []),
	],
});
