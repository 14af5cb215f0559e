/** A person's answer to a question: one of its options, a text, or both. */
export type Answer = {
	readonly sequence: number;
	readonly option?: string;
	readonly text?: string;
	/** Set if hive answered because `ask_timeout` passed. */
	readonly timedOut?: true;
};

/** What an agent asks for: leave for one act, one of its options, or words. */
export const questionSources = ['permission', 'choice', 'text'] as const;
export type QuestionSource = (typeof questionSources)[number];

/** The exact act for which an agent needs permission. */
export type Act = {
	readonly tool: string;
	readonly command?: string;
	readonly path?: string;
	readonly diff?: string;
	/** The tool's arguments as JSON. Absent if they are too long to be kept. */
	readonly input?: string;
};

/** What it would do, in one line: `Bash: git push origin main`. */
export const formatAct = ({tool, command, path, input}: Act): string => {
	const about = command ?? path ?? input;
	return about === undefined ? tool : `${tool}: ${about}`;
};

/** While the asking run waits for the answer. Times are UTC, RFC 3339. */
type QuestionWait = {
	readonly from: string;
	/** When the answer came, or the run gave up. Absent while it waits. */
	readonly until?: string;
	/** Milliseconds after which hive answers in a person's place. Absent: never. */
	readonly timeoutMs?: number;
};

/** One `human.question` of a run (docs/rules.md §4). */
export type Question = {
	readonly questionId: string;
	/** Sequence of the event that asked. */
	readonly sequence: number;
	readonly text: string;
	/** Answers that the agent offers; absent if none. */
	readonly options?: readonly string[];
	/** Absent if the event does not say it. */
	readonly source?: QuestionSource;
	/** Set for a permission. */
	readonly act?: Act;
	/** Set if its run waits for the answer, or has waited. */
	readonly waits?: QuestionWait;
	/** Set once the run that asked has the answer, so no later prompt repeats it. */
	readonly delivered?: true;
	readonly answer?: Answer;
};

export const sourceOf = ({source, options = []}: Pick<Question, 'source' | 'options'>): QuestionSource =>
	source ?? (options.length > 0 ? 'choice' : 'text');

/** The options of every permission. */
export const allow = 'Allow';
export const deny = 'Deny';

/** The words of hive's own answer after `ask_timeout`. */
export const noAnswerInTime = 'No person answered in time.';

/** True while the run waits for this answer and does nothing else. */
export const isAwaited = ({waits, answer}: Question): boolean =>
	waits !== undefined && waits.until === undefined && answer === undefined;

/** Maximum number of questions of one run: of those whose answer it does not have, and of all. */
export const maxQuestions = 20;
export const maxAsked = 500;
/** Maximum number of characters of the parts of an act. */
export const maxToolLength = 200;
export const maxActLength = 16_000;
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
