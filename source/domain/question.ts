/** What a person said to a question: one of its options, words of their own, or both. */
export type Answer = {readonly sequence: number; readonly option?: string; readonly text?: string};

/** One `human.question` of a run (docs/rules.md §4). */
export type Question = {
	readonly questionId: string;
	/** Sequence of the event that asked. */
	readonly sequence: number;
	readonly text: string;
	/** Answers that the agent offers; absent for none. */
	readonly options?: readonly string[];
	readonly answer?: Answer;
};

/** Questions that one run may ask. */
export const maxQuestions = 20;
/** Options of one question. */
export const maxOptions = 20;
/** Characters of a question, of one option, and of the text of an answer. */
export const maxQuestionLength = 4000;
export const maxOptionLength = 200;
export const maxAnswerLength = 8000;

/**
 * What a task in review waits for beside its review: an answer, or a person's word on a run that changed
 * nothing.
 */
export const taskWaits = ['no_change', 'question'] as const;
export type TaskWait = (typeof taskWaits)[number];

/** What becomes of a task whose run ended well and changed nothing (docs/rules.md §9). */
export const noChangePolicies = ['complete', 'ask'] as const;
export type NoChangePolicy = (typeof noChangePolicies)[number];

/** The words of an answer: the option, then what the person wrote beside it. */
export const answerWords = ({option = '', text = ''}: Pick<Answer, 'option' | 'text'>): string =>
	[option, text].filter(words => words !== '').join(': ');

/** A question with the answers that its agent offers: `Which one? (A / B)`. */
export const optionWords = ({text, options = []}: Pick<Question, 'text' | 'options'>): string =>
	options.length === 0 ? text : `${text} (${options.join(' / ')})`;

/** What the next prompt has of questions that were answered. */
export const answersText = (questions: readonly Question[]): string =>
	questions
		.flatMap(({text, answer}) =>
			answer === undefined ? [] : [`You asked: ${text}\nThe answer: ${answerWords(answer)}`],
		)
		.join('\n\n');

/** The fields of `human.answer` that words of a person make: the option that they name, else a text. */
export const answerFields = (
	{options = []}: Pick<Question, 'options'>,
	words: string,
): {readonly option: string} | {readonly text: string} => {
	const said = words.trim();
	const option = options.find(one => one.trim().toLowerCase() === said.toLowerCase());
	return option === undefined ? {text: said} : {option};
};
