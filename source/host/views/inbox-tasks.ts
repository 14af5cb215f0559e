import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {NotifyCategory} from '../../domain/notify.ts';
import {formatAct, type TaskWait} from '../../domain/question.ts';
import {isPausedRun, type RunRecord} from '../../domain/run.ts';
import {formatQuestionsInline, openQuestions} from '../../domain/run-questions.ts';
import type {Review, Task} from '../../domain/task.ts';
import {taskMarks} from '../../domain/task-marks.ts';
import {runWithoutTasks, type Trace, titleOrId} from '../../domain/trace.ts';
import {repeatableRun} from '../../ledger/direct-run.ts';
import {awaitedQuestions, waitingRuns} from '../../ledger/questions.ts';
import type {Conflict} from './clashes.ts';
import {formatJudgement} from './format-judgement.ts';
import {because, causeKey, type InboxEntry} from './inbox-entry.ts';
import {judgementOf} from './judgement.ts';
import {hasRequestNews, requestSentence, waitsAtForge} from './pull-request.ts';
import {reviewWarnings} from './review.ts';
import {awaitsDecision} from './task.ts';

/** @param conflict of the trace's work with its base */
export const reviewEntries = (trace: Trace, conflict: Conflict | undefined): readonly InboxEntry[] =>
	[...trace.tasks.having(waiting)]
		// A task that is being merged is already decided.
		.filter(task => awaitsDecision(trace, task) && trace.merge?.taskId !== task.taskId)
		// People at the forge decide on it now.
		.filter(task => !waitsAtForge(trace, task.taskId))
		.map(task =>
			task.waitsFor !== undefined
				? waitEntry(trace, task, task.waitsFor)
				: task.review === 'final' && conflict !== undefined
					? conflictEntry(trace, task, conflict)
					: reviewEntry(trace, task),
		);

/** An entry for a task whose run asked something, or ended well and changed nothing. */
const waitEntry = (trace: Trace, task: Task, waitsFor: TaskWait): InboxEntry => {
	const {taskId, updatedAt, title, summary, agentId = ''} = task;
	const run = trace.runs.get(agentId);
	return {
		key: causeKey(waitsFor, trace, taskId, updatedAt),
		...{kind: waitsFor, category: waitsFor},
		...{traceId: trace.traceId, taskId, since: updatedAt},
		title: title || titleOrId(trace),
		sentence: waitsFor === 'question' ? formatQuestions('It', run ?? {}) : summary,
		...(run && optionsOf(run)),
		actions:
			waitsFor === 'question'
				? ['task.retry', 'proposal.approve', 'task.cancel']
				: ['proposal.approve', 'task.retry', 'task.cancel'],
	};
};

/**
 * Entries for runs that answer an event and ask a person. Such a run plans, guards, or belongs to no task
 * that shows it.
 */
export const questionEntries = (trace: Trace): readonly InboxEntry[] =>
	waitingRuns(trace).map(run => ({
		key: causeKey('question', trace, '', run.agentId),
		...{kind: 'question', category: 'question'},
		...{traceId: trace.traceId, agentId: run.agentId, title: titleOrId(trace)},
		...(run.finishedAt !== undefined && {since: run.finishedAt}),
		sentence: formatQuestions(`Its ${run.bee}`, run),
		...optionsOf(run),
		actions: ['bee.retry', 'kill'],
	}));

/** An entry for each question for whose answer an open run waits. */
export const awaitedEntries = (trace: Trace): readonly InboxEntry[] =>
	awaitedQuestions(trace).map(({run, question}) => {
		const {questionId, text, options, act, waits} = question;
		const task = trace.tasks.get(run.taskId ?? '');
		return {
			key: causeKey('question', trace, run.taskId ?? '', questionId),
			...{kind: 'question', category: 'question'},
			...{traceId: trace.traceId, questionId, agentId: run.agentId},
			...(run.taskId !== undefined && {taskId: run.taskId}),
			title: task?.title || titleOrId(trace),
			sentence:
				act === undefined
					? `Its ${run.bee} waits for your answer: ${text}`
					: `Its ${run.bee} asks permission for ${formatAct(act)}`,
			...(options && {options}),
			...(act && {act}),
			...(waits && {since: waits.from}),
			actions: ['question.answer', 'kill'],
		};
	});

const formatQuestions = (who: string, run: Pick<RunRecord, 'questions'>): string =>
	`${who} asks: ${formatQuestionsInline(run)}`;

/** One answer applies to all questions of a run, so options are offered only for a single question. */
const optionsOf = (run: RunRecord): Pick<InboxEntry, 'options'> => {
	const [question, ...more] = openQuestions(run);
	return question?.options === undefined || more.length > 0 ? {} : {options: question.options};
};

const waiting = taskMarks(['waiting_review']);

const conflictEntry = (
	trace: Trace,
	{taskId, updatedAt}: Task,
	{work, paths: [path = '', ...more]}: Conflict,
): InboxEntry => ({
	key: causeKey('conflict', trace, taskId, `${updatedAt}/${work}`),
	...{kind: 'conflict', category: 'conflict'},
	...{traceId: trace.traceId, taskId, title: titleOrId(trace), since: updatedAt},
	sentence: `Its work conflicts with its base in ${escapeHidden(path)}${more.length === 0 ? '' : ` and ${more.length} more`}.`,
	actions: ['proposal.update', 'proposal.reject'],
});

const reviewEntry = (trace: Trace, task: Task): InboxEntry => {
	const {taskId, updatedAt, review, title} = task;
	const left = trace.landingLeft?.taskId === taskId ? trace.landingLeft : undefined;
	const judgement = judgementOf(trace, task);
	const judged = formatJudgement(judgement);
	const warned = reviewWarnings(trace, task).length;
	const requested = requestSentence(trace, taskId);
	const isRetried = review === 'none' || repeatableRun(trace, task) !== undefined;
	const {pullRequest} = trace;
	const turns = [
		...(left === undefined ? [] : [left.sequence]),
		...(requested === '' ? [] : [`${pullRequest?.state}-${pullRequest?.news ?? pullRequest?.approved}`]),
	];
	return {
		// A merge that did not land, or news from the forge, is a new cause, also for who approved it.
		key: causeKey('review', trace, taskId, [updatedAt, ...turns].join('/')),
		...{kind: 'review', category: reviewCategories[review]},
		...{traceId: trace.traceId, taskId, since: updatedAt},
		title: (review !== 'final' && title) || titleOrId(trace),
		sentence:
			requested ||
			(left === undefined
				? `${reviewLabels[review]}${judged === '' ? '' : ` (${judged})`}${warned === 0 ? '' : `, with ${formatCount(warned, 'warning')}`}.`
				: `It did not land. ${withStop(left.reason)}`),
		judgement,
		actions: [
			...(hasRequestNews(trace, taskId) ? (['forge.send'] as const) : []),
			'proposal.approve',
			...(review === 'none' ? [] : (['proposal.reject'] as const)),
			...(isRetried ? (['task.retry'] as const) : []),
		],
	};
};

const withStop = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

const reviewCategories: Readonly<Record<Review, NotifyCategory>> = {
	required: 'review_required',
	final: 'review_final',
	none: 'commit_gate',
};

const reviewLabels: Readonly<Record<Review, string>> = {
	required: 'Its work waits for your review',
	final: 'Its work waits to be reviewed and merged',
	none: 'It waits for a commit that no bee will make',
};

/** Entries for failed tasks. For a request without tasks, the run that failed. */
export const failedEntries = (trace: Trace): readonly InboxEntry[] => {
	const planning = runWithoutTasks(trace);
	return [
		...[...trace.tasks.having(failed)].map(task => failedTask(trace, task)),
		...(planning?.status === 'failed' && !isPausedRun(planning) ? [failedRun(trace, planning)] : []),
	];
};

const failed = taskMarks(['failed']);

const failedTask = (trace: Trace, {taskId, title, summary, updatedAt}: Task): InboxEntry => ({
	key: causeKey('failed', trace, taskId, updatedAt),
	...{kind: 'failed', category: 'failed'},
	...{traceId: trace.traceId, taskId, title: title || titleOrId(trace), since: updatedAt},
	sentence: because('It failed', summary),
	actions: ['task.retry', 'task.cancel', 'kill'],
});

const failedRun = (trace: Trace, {agentId, bee, summary = '', finishedAt}: RunRecord): InboxEntry => ({
	key: causeKey('failed', trace, '', agentId),
	...{kind: 'failed', category: 'failed'},
	...{traceId: trace.traceId, agentId, title: titleOrId(trace)},
	...(finishedAt !== undefined && {since: finishedAt}),
	sentence: because(`Its ${bee} failed`, summary),
	actions: ['bee.retry', 'kill'],
});
