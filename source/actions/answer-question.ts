import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {allow, answerFields, deny, formatAnswer, type Question, sourceOf} from '../domain/question.ts';
import {findQuestion} from '../domain/run-questions.ts';
import type {Trace} from '../domain/trace.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseInsideRun, refuseKilled} from './decide-and-append.ts';

export type AnswerQuestionInput = {
	readonly questionId: string;
	/** Number of one of its options, from 1. */
	readonly option?: number | undefined;
	readonly body?: string | undefined;
	/** True to allow the same act from now on without asking. */
	readonly always?: boolean | undefined;
};

export type QuestionAnswered = {
	readonly traceId: string;
	readonly questionId: string;
	/** The task that continues; empty if the run has none. */
	readonly taskId: string;
	readonly answer: string;
	/** True if its run waits, so it gets the answer at once. Otherwise the next run gets it. */
	readonly isAwaited: boolean;
	/** True if the same act is allowed from now on. */
	readonly always: boolean;
};

type Decided = {readonly question: Question} & (
	| {readonly isLate: true}
	| Readonly<{isLate: false} & Pick<QuestionAnswered, 'isAwaited' | 'answer' | 'taskId'>>
);

/** Answers one question of an agent in a person's name. The first answer counts. */
export const answerQuestion = async (
	context: ActionContext,
	input: AnswerQuestionInput,
): Promise<Outcome<QuestionAnswered>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const {questionId, always = false} = input;
	const traceId = await traceOfQuestion(context.bus, questionId);
	if (traceId === undefined) return questionNotFound(questionId);
	const done = await decideAndAppend<Decided>(context, traceId, trace => {
		const found = findQuestion(trace, questionId);
		if (found === undefined) return questionNotFound(questionId);
		const {question, run} = found;
		if (question.answer !== undefined) return accepted({value: {isLate: true, question}});
		const closed = refuseKilled(trace);
		if (closed !== undefined) return closed;
		const fields = fieldsOf(question, input);
		if (!fields.ok) return fields;
		const unkept = always ? whyNotAlways(question, fields.value) : undefined;
		if (unkept !== undefined) return unkept;
		const payload = {kind: 'human.answer', questionId, ...fields.value};
		const isAwaited = run.status === 'running';
		const answer = formatAnswer(fields.value);
		return accepted({
			event: {agentId: context.by, type: 'INSIGHT', payload},
			value: {isLate: false, question, isAwaited, answer, taskId: run.taskId ?? ''},
		});
	});
	if (!done.ok) return done;
	const {value} = done.value;
	if (value.isLate) return refuseLate(context.bus, traceId, value.question);
	const {act} = value.question;
	if (always && act?.input !== undefined)
		await context.permissions?.keep({tool: act.tool, arguments: act.input});
	const {isAwaited, answer, taskId} = value;
	return accepted({traceId, questionId, taskId, answer, isAwaited, always});
};

const traceOfQuestion = async (bus: Bus, questionId: string): Promise<string | undefined> => {
	const traces: Iterable<Trace> = (await openLedger(bus)).traces().values();
	for (const trace of traces) if (findQuestion(trace, questionId) !== undefined) return trace.traceId;
	return undefined;
};

const questionNotFound = (questionId: string) =>
	refuse('question_not_found', {message: `There is no question "${questionId}" in this colony.`});

type Fields = {readonly option?: string; readonly text?: string};

/** The answer as the log has it. Words alone deny a permission, and tell the agent why. */
const fieldsOf = (question: Question, {option, body = ''}: AnswerQuestionInput): Outcome<Fields> => {
	const {options = []} = question;
	const named = answerFields(question, body);
	const text = 'text' in named ? named.text : '';
	const chosen = option === undefined ? ('option' in named ? named.option : undefined) : options[option - 1];
	if (option !== undefined && chosen === undefined)
		return refuse('usage', {
			message:
				options.length === 0
					? 'The question has no options.'
					: `There is no option ${option}: ${numbered(options)}.`,
			hint: 'Answer with --body <text> to use your own words.',
		});
	if (chosen === undefined && text === '')
		return refuse('usage', {
			message: 'The answer is empty.',
			hint: options.length === 0 ? 'Give --body <text>.' : `Give --option <n>: ${numbered(options)}.`,
		});
	const isDenied = chosen === undefined && sourceOf(question) === 'permission';
	const picked = isDenied ? deny : chosen;
	return accepted({...(picked !== undefined && {option: picked}), ...(text !== '' && {text})});
};

const numbered = (options: readonly string[]): string =>
	options.map((option, index) => `${index + 1} ${option}`).join(', ');

const whyNotAlways = ({act}: Question, {option}: Fields) => {
	if (act === undefined) return refuse('usage', {message: 'Only a permission can be given for good.'});
	if (option !== allow)
		return refuse('usage', {message: `"always" goes with the option ${allow}; a denial counts once.`});
	return act.input === undefined
		? refuse('usage', {message: 'The arguments of the tool are too long to be kept; allow it once.'})
		: undefined;
};

/** Names who answered, and when: the person who comes second has to know. */
const refuseLate = async (bus: Bus, traceId: string, {questionId, answer}: Question) => {
	const sequence = answer?.sequence ?? 0;
	for await (const [event] of bus.read({traceId, after: sequence - 1}))
		return refuse('wrong_status', {
			message: `${questionId} was answered by ${answer?.timedOut ? 'hive, since no person did in time,' : (event?.agentId ?? 'a person')} at ${event?.at ?? ''}: ${formatAnswer(answer ?? {})}`,
			hint: 'The first answer counts.',
		});
	return refuse('wrong_status', {message: `${questionId} was answered before.`});
};
