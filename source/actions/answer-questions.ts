import type {NewEvent} from '../domain/event.ts';
import {answerFields, formatAnswers} from '../domain/question.ts';
import type {RunRecord} from '../domain/run.ts';
import {openQuestions} from '../domain/run-questions.ts';

/** Returns a `human.answer` for each open question of the run: the person's text answers all of them. */
export const answersFor = (
	by: string,
	run: RunRecord,
	text: string,
	fresh?: boolean,
): readonly Omit<NewEvent, 'traceId'>[] =>
	openQuestions(run).map(question => ({
		agentId: by,
		type: 'INSIGHT',
		payload: {
			kind: 'human.answer',
			questionId: question.questionId,
			...answerFields(question, text),
			...(fresh && {fresh}),
		},
	}));

/** Returns the text as the next prompt shows it: after each question that it answers. */
export const asAnswers = (run: RunRecord | undefined, text: string): string => {
	const open = run === undefined ? [] : openQuestions(run);
	if (open.length === 0) return text;
	return formatAnswers(
		open.map(question => ({...question, answer: {sequence: 0, ...answerFields(question, text)}})),
	);
};
