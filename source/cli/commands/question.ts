import {accepted} from '../../domain/errors.ts';
import {answerQuestion} from '../../host/actions/questions.ts';
import {readTraces} from '../../host/traces.ts';
import {questionsOf} from '../../host/views/question.ts';
import {command} from '../command.ts';
import {boolean, integer, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const questionList = command({
	path: 'question list',
	summary: "List the agents' questions that wait for an answer.",
	flags: {},
	examples: ['question list', 'question list --json'],
	json: '{v, questions: [{questionId, traceId, taskId?, agentId, bee, text, options, source, act?: {tool, command?, path?, diff?, input?}, isAwaited, since?, timeoutMs?}]}',
	run: async (_, commandContext) => {
		const questions = questionsOf(await readTraces(await commandContext.open()));
		const rows = questions.map(({questionId, bee, source, text: words, options}) => [
			questionId,
			bee,
			source,
			words.split('\n', 1)[0] ?? '',
			options.map((option, index) => `${index + 1} ${option}`).join(', '),
		]);
		return accepted({
			json: {questions},
			text: () =>
				rows.length === 0
					? 'No agent asks anything.'
					: renderTable(
							['QUESTION', 'BEE', 'ASKS FOR', 'TEXT', 'OPTIONS'].map(title => ({title})),
							rows,
							commandContext.stdout.columns,
						),
		});
	},
});

const {summary, description, shape, examples} = answerQuestion;

export const answer = command({
	path: 'answer',
	summary,
	...(description && {description}),
	...(examples && {examples}),
	json: shape,
	flags: {
		option: integer({summary: 'Number of the option, from 1.', hint: '<n>', min: 1}),
		body: text({summary: 'Your own words.', hint: '<text>', short: 'b'}),
		always: boolean({
			summary: 'Allow exactly this act from now on, without asking. "hive permission list" shows it.',
		}),
	},
	arguments: {
		question: text({summary: 'Question to answer.', hint: '<questionId>', required: true}),
	},
	run: async ({question: questionId, option, body, always}, commandContext) => {
		const done = await answerQuestion.run(await commandContext.open(), {
			questionId,
			...(option !== undefined && {option}),
			...(body !== undefined && {body}),
			always,
		});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});
