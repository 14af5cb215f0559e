import {type Act, type QuestionSource, sourceOf} from '../../domain/question.ts';
import type {Trace} from '../../domain/trace.ts';
import {answerableQuestions} from '../../ledger/questions.ts';

/** A question that a person can answer now, in the shape that scripts rely on. */
export type QuestionSnapshot = {
	readonly questionId: string;
	readonly traceId: string;
	readonly taskId?: string;
	readonly agentId: string;
	readonly bee: string;
	readonly text: string;
	readonly options: readonly string[];
	readonly source: QuestionSource;
	/** What a permission is for. */
	readonly act?: Act;
	/** True if the run waits for it. */
	readonly isAwaited: boolean;
	/** Since when, and after how many milliseconds hive answers itself; absent if it never does. */
	readonly since?: string;
	readonly timeoutMs?: number;
};

/** Every question that a person can answer now, oldest trace first. */
export const questionsOf = (traces: Iterable<Trace>): readonly QuestionSnapshot[] =>
	[...traces].flatMap(trace =>
		answerableQuestions(trace).map(({run, question}) => {
			const {questionId, text, options = [], act, waits} = question;
			return {
				...{questionId, traceId: trace.traceId},
				...(run.taskId !== undefined && {taskId: run.taskId}),
				...{agentId: run.agentId, bee: run.bee, text, options, source: sourceOf(question)},
				...(act && {act}),
				isAwaited: run.status === 'running',
				...(waits && {since: waits.from}),
				...(waits?.timeoutMs !== undefined && {timeoutMs: waits.timeoutMs}),
			};
		}),
	);
