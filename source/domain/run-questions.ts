import {formatQuestion, maxAsked, maxQuestions, type Question, type TaskWait} from './question.ts';
import type {RunRecord} from './run.ts';
import type {Trace} from './trace.ts';

/** The unanswered questions of a run, oldest first. */
export const openQuestions = ({questions = []}: Pick<RunRecord, 'questions'>): readonly Question[] =>
	questions.filter(({answer}) => answer === undefined);

/** The unanswered questions as text, one per line; empty if none. */
export const formatQuestions = (run: Pick<RunRecord, 'questions'>): string =>
	openQuestions(run)
		.map(({text}) => text)
		.join('\n');

/** The same in one line, with the options that the agent offers. */
export const formatQuestionsInline = (run: Pick<RunRecord, 'questions'>): string =>
	openQuestions(run).map(formatQuestion).join('; ');

/**
 * What a task waits for after its run ended well; `undefined` if the usual rules decide (docs/architecture.md
 * §6).
 */
export const waitAfter = (run: RunRecord): TaskWait | undefined => {
	if (openQuestions(run).length > 0) return 'question';
	return run.noChange === 'ask' ? 'no_change' : undefined;
};

/** A question with the run that asked it. */
export type Asked = {readonly run: RunRecord; readonly question: Question};

/** Finds a question of the trace by its id. */
export const findQuestion = (trace: Pick<Trace, 'runs'>, questionId: string): Asked | undefined => {
	const run = findAskingRun(trace, questionId);
	const question = run?.questions?.find(one => one.questionId === questionId);
	return run === undefined || question === undefined ? undefined : {run, question};
};

/** The problem of a question whose id has been asked. */
export const questionTaken = 'this questionId is taken in the trace';

/** The run of the trace that asked the question; `undefined` if none did. */
export const findAskingRun = ({runs}: Pick<Trace, 'runs'>, questionId: string): RunRecord | undefined =>
	[...runs.values()].find(({questions = []}) => questions.some(one => one.questionId === questionId));

/** The reason why the run may not ask this question, or `undefined` if it may. */
export const questionProblem = (
	trace: Pick<Trace, 'runs'>,
	run: RunRecord | undefined,
	questionId: string,
): string | undefined => {
	if (run === undefined) return 'only a run can ask';
	if (run.status !== 'running') return `run ${run.agentId} is over`;
	if (run.interactive) return 'a person talks with this run already';
	const asked = run.questions ?? [];
	if (asked.filter(({delivered}) => !delivered).length >= maxQuestions)
		return `a run asks at most ${maxQuestions} questions`;
	if (asked.length >= maxAsked) return `a run asks at most ${maxAsked} questions in all`;
	return findAskingRun(trace, questionId) === undefined ? undefined : questionTaken;
};
