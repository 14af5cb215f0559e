import {formatAct, type Question} from '../../domain/question.ts';
import {isWaitingRun, type RunRecord} from '../../domain/run.ts';
import {openQuestions} from '../../domain/run-questions.ts';
import {line} from '../parts/line.ts';
import type {Form, Request} from '../store/form.ts';
import {cancelButton, form, type Opening} from './target.ts';
import {emptyInput} from './text-input.ts';

/** Lines of a diff that a dialog shows. */
const maxDiffLines = 12;

/** The question for whose answer the run waits, if it does. */
export const awaitedQuestion = (run: RunRecord | undefined): Question | undefined =>
	run?.status === 'running' && isWaitingRun(run) ? openQuestions(run)[0] : undefined;

/** A dialog for one question of a run that waits. A number answers with that option at once. */
export const questionForm = ({now}: Opening, name: string, run: RunRecord, question: Question): Form => {
	const {questionId, text, options = [], act} = question;
	const request: Request = {action: 'question.answer', input: {questionId}};
	const field = {name: 'body', input: emptyInput, multiline: true} as const;
	return form(now, {
		title: `Answer · ${name}`,
		lines: [
			line(text, 'strong'),
			...(act === undefined ? [] : [line(formatAct(act))]),
			...(act?.diff?.split('\n').slice(0, maxDiffLines) ?? []).map(one => line(one, 'dim')),
			line(`${run.bee} waits, and goes on with your answer.`),
			line('An answer cannot be taken back.', 'dim'),
		],
		fields: [
			options.length === 0
				? {...field, label: 'Your answer:', required: 'Say what you decide.'}
				: {...field, label: 'Your words (optional):'},
		],
		buttons: [
			cancelButton,
			...options.slice(0, 9).map((option, index) => ({
				label: `${index + 1} ${option}`,
				key: String(index + 1),
				value: `option-${index + 1}`,
				input: {option: index + 1},
			})),
			{label: 'Ctrl+D Answer', value: 'answer'},
		],
		...(options.length > 0 && {focus: 1}),
		request,
	});
};
