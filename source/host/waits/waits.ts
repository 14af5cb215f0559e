import type {Reason} from '../../domain/reason.ts';
import {isWaitingRun, type RunRecord} from '../../domain/run.ts';
import {formatQuestionsInline, openQuestions} from '../../domain/run-questions.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Decision} from '../../reactor/decide.ts';
import {answerCommandOf} from '../views/inbox-entry.ts';
import {formatPendingReason, formatReason, noReactor} from './format-reason.ts';
import {nextOfPending, nextStep} from './next-step.ts';

/** One thing that a task waits for now, in words. */
export type Wait = {
	readonly for:
		| 'dependency'
		| 'queue'
		| 'honey'
		| 'workspace'
		| 'places'
		| 'run'
		| 'person'
		| 'reactor'
		| 'merge'
		| 'configuration'
		| 'limit';
	readonly what: string;
	/** The next step, if a person can take one. */
	readonly next?: string;
};

/** The reasons in words, without duplicates. */
export const waitsOf = (trace: Trace, task: Task, reasons: readonly Reason[]): readonly Wait[] =>
	eachOnce(
		reasons.map(reason =>
			reason.for === 'run' && isWaitingRun(reason.run)
				? answerWait(reason.run)
				: {
						for: kinds[reason.for],
						what: formatReason(reason, trace, task),
						...nextOf(nextStep(reason, trace, task.taskId)),
					},
		),
	);

/** What holds up each direct run. If nothing does, that it has yet to begin. */
export const requestWaits = (trace: Trace, decision: Decision): readonly Wait[] =>
	eachOnce(
		decision.waits.runs().map(({run, reasons: [reason]}) =>
			reason === undefined
				? {for: 'run', what: `${run.bee}, which has still to begin`}
				: {
						for: kinds[reason.for],
						what: `${run.bee}: ${formatPendingReason(reason)}`,
						...nextOf(nextOfPending(reason, trace, run)),
					},
		),
	);

/** The question that a run without a task asks a person. */
export const questionWait = (run: RunRecord): Wait => ({
	for: 'person',
	what: `to answer: ${formatQuestionsInline(run)}`,
	next: `hive bee retry ${run.agentId} --feedback "<answer>"`,
});

/** An open run that waits for a person's answer. */
export const answerWait = (run: RunRecord): Wait => ({
	for: 'person',
	what: `to answer: ${formatQuestionsInline(run)}`,
	...nextOf(openQuestions(run).map(({questionId}) => answerCommandOf(questionId))[0]),
});

/** The same waits while the asking face's reactor is starting: then there is no next step. */
export const whileStarting = (waits: readonly Wait[]): readonly Wait[] =>
	waits.map(wait => {
		if (!wait.what.endsWith(noReactor)) return wait;
		const {next: _, ...starting} = {...wait, what: wait.what.replace(noReactor, 'a reactor: it is starting')};
		return starting;
	});

const eachOnce = (waits: readonly Wait[]): readonly Wait[] => [
	...new Map(waits.map(wait => [wait.what, wait])).values(),
];

const nextOf = (next: string | undefined): Pick<Wait, 'next'> => (next === undefined ? {} : {next});

const kinds: Readonly<Record<Reason['for'], Wait['for']>> = {
	dependency: 'dependency',
	left: 'person',
	plan: 'person',
	queue: 'queue',
	configuration: 'configuration',
	merge: 'merge',
	landing: 'merge',
	honey: 'honey',
	limit: 'limit',
	run: 'run',
	pending: 'run',
	workspace: 'workspace',
	slot: 'places',
	reactor: 'reactor',
	version: 'reactor',
	review: 'person',
	retry: 'person',
};
