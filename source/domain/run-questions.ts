import {maxQuestions, optionWords, type Question, type TaskWait} from './question.ts';
import type {RunRecord} from './run.ts';
import type {Trace} from './trace.ts';

/** The questions of a run that have no answer yet, oldest first. */
export const openQuestions = ({questions = []}: Pick<RunRecord, 'questions'>): readonly Question[] =>
	questions.filter(({answer}) => answer === undefined);

/** The unanswered questions in words; empty for none. */
export const questionWords = (run: Pick<RunRecord, 'questions'>): string =>
	openQuestions(run)
		.map(({text}) => text)
		.join('\n');

/** The same in one line, with the answers that the agent offers. */
export const questionLine = (run: Pick<RunRecord, 'questions'>): string =>
	openQuestions(run).map(optionWords).join('; ');

/**
 * What a task waits for once its run has ended well; nothing when the usual rules decide
 * (docs/architecture.md §6).
 */
export const waitAfter = (run: RunRecord): TaskWait | undefined => {
	if (openQuestions(run).length > 0) return 'question';
	return run.noChange === 'ask' ? 'no_change' : undefined;
};

/** A run of the trace that holds the question; nothing when no run asked it. */
export const runThatAsked = ({runs}: Pick<Trace, 'runs'>, questionId: string): RunRecord | undefined =>
	[...runs.values()].find(({questions = []}) => questions.some(one => one.questionId === questionId));

/** Why the run may not ask this; nothing when it may. */
export const questionProblem = (
	trace: Pick<Trace, 'runs'>,
	run: RunRecord | undefined,
	questionId: string,
): string | undefined => {
	if (run === undefined) return 'only a run can ask';
	if (run.status !== 'running') return `run ${run.agentId} is over`;
	if (run.interactive) return 'a person talks with this run already';
	if ((run.questions ?? []).length >= maxQuestions) return `a run asks at most ${maxQuestions} questions`;
	return runThatAsked(trace, questionId) === undefined ? undefined : 'this questionId is taken in the trace';
};
