/** A person's answer to a question: one of its options, a text, or both. */
export type Answer = {readonly sequence: number; readonly option?: string; readonly text?: string};

/** One `human.question` of a run (docs/rules.md §4). */
export type Question = {
	readonly questionId: string;
	/** Sequence of the event that asked. */
	readonly sequence: number;
	readonly text: string;
	/** Answers that the agent offers; absent if none. */
	readonly options?: readonly string[];
	readonly answer?: Answer;
};

/** Maximum number of questions of one run. */
export const maxQuestions = 20;
/** Maximum number of options of one question. */
export const maxOptions = 20;
/** Maximum number of characters of a question, of one option, and of the text of an answer. */
export const maxQuestionLength = 4000;
export const maxOptionLength = 200;
export const maxAnswerLength = 8000;

/**
 * What a task in review waits for besides its review: an answer, or a person's decision about a run that
 * changed nothing.
 */
export const taskWaits = ['no_change', 'question'] as const;
export type TaskWait = (typeof taskWaits)[number];

/** What happens to a task whose run ended well and changed nothing (docs/rules.md §9). */
export const noChangePolicies = ['complete', 'ask'] as const;
export type NoChangePolicy = (typeof noChangePolicies)[number];

/** An answer as text: the option, then the person's own text. */
export const formatAnswer = ({option = '', text = ''}: Pick<Answer, 'option' | 'text'>): string =>
	[option, text].filter(words => words !== '').join(': ');

/** A question with its options: `Which one? (A / B)`. */
export const formatQuestion = ({text, options = []}: Pick<Question, 'text' | 'options'>): string =>
	options.length === 0 ? text : `${text} (${options.join(' / ')})`;

/** The answered questions as text for the next prompt. */
export const formatAnswers = (questions: readonly Question[]): string =>
	questions
		.flatMap(({text, answer}) =>
			answer === undefined ? [] : [`You asked: ${text}\nThe answer: ${formatAnswer(answer)}`],
		)
		.join('\n\n');

/** The fields of `human.answer` for a person's input: the option that it names, otherwise a text. */
export const answerFields = (
	{options = []}: Pick<Question, 'options'>,
	words: string,
): {readonly option: string} | {readonly text: string} => {
	const trimmed = words.trim();
	const option = options.find(one => one.trim().toLowerCase() === trimmed.toLowerCase());
	return option === undefined ? {text: trimmed} : {option};
};
