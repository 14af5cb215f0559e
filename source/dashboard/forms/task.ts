import {formatCount} from '../../domain/format-count.ts';
import {formatQuestion} from '../../domain/question.ts';
import type {ReviewComment} from '../../domain/review-comment.ts';
import type {RunRecord} from '../../domain/run.ts';
import {openQuestions} from '../../domain/run-questions.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {waitLabel} from '../../domain/wait-labels.ts';
import type {ReworkChoice} from '../../host/live/live.ts';
import {beeName} from '../../host/views/name.ts';
import {sheetOf} from '../../host/views/sheet.ts';
import {sheetBlocks} from '../../host/views/sheet-lines.ts';
import {isAtGuard, plannedDependants, repeatedRun} from '../../host/views/task.ts';
import {type Line, line} from '../parts/line.ts';
import {cautionLines, linesOfBlocks} from '../parts/sheet-dialog.ts';
import {decisionLines} from '../store/decision.ts';
import {type Form, firstButtonIndex, type Request} from '../store/form.ts';
import {decidedTitle, fullTitle, taskTitle, traceTitle} from '../store/names.ts';
import {cancelButton, form, type Opening, target} from './target.ts';
import {emptyInput} from './text-input.ts';

/** Line comments to send, and the number of those whose line is uncertain. */
export type Comments = {readonly comments: readonly ReviewComment[]; readonly outdated: number};

export const noComments: Comments = {comments: [], outdated: 0};

export const rejectForm = (
	{now, traces}: Opening,
	trace: Trace,
	task: Task,
	{comments, outdated}: Comments = noComments,
	rework?: ReworkChoice,
): Form =>
	form(now, {
		title: `Reject ${decidedTitle(traces, trace, task)}`,
		lines: [
			line(whatFollows(trace, task, rework), 'strong'),
			line('A rejection cannot be taken back.', 'dim'),
			...(comments.length === 0
				? []
				: [line(`Sends ${formatCount(comments.length, 'comment')} on lines along.`, 'accent')]),
			...(outdated === 0
				? []
				: [
						line(
							`${formatCount(outdated, 'outdated comment')} stays here: change it, or drop it with d.`,
							'dim',
						),
					]),
			...cautionLines(sheetBlocks(sheetOf(trace, task), now)),
			line('Sends your words to the bee, which works on it again for one honey unit.', 'dim'),
			line('A rejection cannot be undone.', 'dim'),
		],
		fields: [{name: 'feedback', label: 'What to change:', input: emptyInput, multiline: true}],
		...(rework !== undefined && rework.tasks.length > 1 && {choices: reworkChoices(trace, rework)}),
		buttons: [cancelButton, {label: 'Ctrl+D Reject', value: 'reject'}],
		request: {
			action: 'proposal.reject',
			input: {
				...target(trace, task),
				...(comments.length > 0 && {comments}),
			},
		},
	});

/** Names the task that gets the rework. At a final review it is known once it was read. */
const whatFollows = (trace: Trace, task: Task, rework: ReworkChoice | undefined): string => {
	if (task.review !== 'final') return `${task.bee || 'Its bee'} works on it again, with your words first.`;
	const chosen = trace.tasks.get(rework?.chosen ?? '');
	if (chosen === undefined) return 'The work goes back, and comes up for review again.';
	const other = (rework?.tasks.length ?? 0) > 1 ? ' Tab to choose another task.' : '';
	return `${chosen.bee} reworks "${taskTitle(trace, chosen)}". Then it comes up for review again.${other}`;
};

const reworkChoices = (trace: Trace, {tasks, chosen}: ReworkChoice): NonNullable<Form['choices']> => ({
	name: 'rework',
	options: tasks.map(({taskId, title, bee}) => {
		const task = trace.tasks.get(taskId);
		return {label: task === undefined ? title : taskTitle(trace, task), value: taskId, note: bee};
	}),
	selected: tasks.findIndex(({taskId}) => taskId === chosen),
});

/** Adds the choice of the task to an open dialog. What the person wrote stays. */
export const withRework = (open: Form, complete: Form): Form => ({
	...complete,
	fields: open.fields,
	notice: open.notice,
	focus:
		open.focus + (open.focus >= open.fields.length ? firstButtonIndex(complete) - firstButtonIndex(open) : 0),
});

export const retryForm = (opening: Opening, trace: Trace, task: Task): Form => {
	const run = trace.runs.get(task.agentId ?? '');
	if (task.waitsFor === 'question' && run !== undefined)
		return answerForm(opening, fullTitle(opening.traces, trace, task), run, {
			action: 'task.retry',
			input: target(trace, task),
		});
	return task.status === 'waiting_review'
		? waitingForm(opening, trace, task)
		: form(opening.now, {
				title: `Retry ${fullTitle(opening.traces, trace, task)}`,
				lines: [
					...retriedLines(trace, task),
					line('Costs one honey unit when it starts, which does not come back.', 'dim'),
				],
				buttons: [cancelButton, {label: 'y Retry', key: 'y', value: 'retry'}],
				request: {action: 'task.retry', input: target(trace, task)},
			});
};

/**
 * A dialog to answer a run's question with one of its options, or a text. One answer goes to all questions of
 * the run, so several questions have no options.
 */
export const answerForm = ({now}: Opening, name: string, run: RunRecord, request: Request): Form => {
	const questions = openQuestions(run);
	const [single, ...more] = questions;
	const options = more.length === 0 ? (single?.options ?? []) : [];
	const field = {name: 'feedback', input: emptyInput, multiline: true} as const;
	return form(now, {
		title: `Answer · ${name}`,
		lines: [
			...questions.map(question =>
				line(more.length === 0 ? question.text : formatQuestion(question), 'strong'),
			),
			line(`${run.bee} runs again with your answer, for one honey unit.`),
			line('An answer cannot be taken back.', 'dim'),
		],
		...(options.length === 0
			? {fields: [{...field, label: 'Your answer:', required: 'Say what you decide.'}]}
			: {
					fields: [
						{
							...field,
							label: 'Your words, or Tab to an option:',
							required: 'Choose an option, or say it in words.',
						},
					],
					choices: {
						name: 'feedback',
						// An empty note puts each option in its own row.
						options: options.map(option => ({label: option, value: option, note: ''})),
						// None is preselected, so that a typed text never sends an option that was not chosen.
						selected: -1,
					},
				}),
		buttons: [cancelButton, {label: 'Ctrl+D Answer', value: 'answer'}],
		request,
	});
};

/**
 * A dialog to retry a failed run without a task of its own: the planning of a request, or a guard. The text
 * is optional.
 */
export const repeatForm = ({now}: Opening, name: string, run: RunRecord, request: Request): Form =>
	form(now, {
		title: `Retry · ${name}`,
		lines: [
			line(`${beeName(run.bee)} failed${run.summary ? `: ${run.summary}` : '.'}`, 'bad'),
			line('It runs again with your words first.'),
			line('Costs one honey unit, which does not come back.', 'dim'),
		],
		fields: [
			{name: 'feedback', label: 'What should be different (optional):', input: emptyInput, multiline: true},
		],
		buttons: [cancelButton, {label: 'Ctrl+D Retry', value: 'retry'}],
		request,
	});

/** The run that is repeated: for a completed task its failed direct run, else the task itself. */
const retriedLines = (trace: Trace, task: Task): readonly Line[] => {
	const failed = repeatedRun(trace, task);
	if (failed !== undefined)
		return [
			...decisionLines(trace, task),
			line(`It stays completed: ${repeatedWords(failed)}, since its run failed.`),
		];
	if (isAtGuard(trace, task))
		return [...decisionLines(trace, task), line('It starts over when the guard is done.')];
	return [
		line(
			`It is running: this stops ${runningBee(trace, task)} and starts over. A stopped run cannot continue.`,
		),
	];
};

const repeatedWords = ({bee, verifies}: RunRecord): string =>
	verifies === undefined ? `${bee} looks at it again` : 'the checks run again';

const runningBee = (trace: Trace, {agentId = '', bee}: Task): string => trace.runs.get(agentId)?.bee ?? bee;

/**
 * A dialog for a waiting task. With a text it goes back to its bee; without one the failed check is repeated.
 */
const waitingForm = ({now, traces}: Opening, trace: Trace, task: Task): Form => {
	const failed = repeatedRun(trace, task);
	const field = {
		...{name: 'feedback', label: 'What to change:', input: emptyInput, multiline: true},
	} as const;
	const verb = waitLabel(task.waitsFor, 'task.retry') ?? 'Retry';
	return form(now, {
		title: `${verb} ${fullTitle(traces, trace, task)}`,
		lines: [
			...decisionLines(trace, task),
			line('Words send it back to its bee, for one honey unit.', 'dim'),
			...(failed ? [line(`Without words ${repeatedWords(failed)}, since its run failed.`, 'dim')] : []),
			line('The honey unit is not returned.', 'dim'),
		],
		fields: [failed ? field : {...field, required: 'Say what should change.'}],
		buttons: [cancelButton, {label: `Ctrl+D ${verb}`, value: 'retry'}],
		focus: failed ? 1 : 0,
		request: {action: 'task.retry', input: target(trace, task)},
	});
};

/** A dialog to send what is new at the forge to the agent. It shows the comments, also those not sent. */
export const sendForm = ({now, traces}: Opening, trace: Trace): Form =>
	form(now, {
		title: `Send to agent · ${traceTitle(traces, trace)}`,
		lines: [
			line('Its agent gets the failed checks and comments as a rework, for one honey unit.', 'strong'),
			line('What was sent cannot be taken back.', 'dim'),
			...linesOfBlocks(sheetBlocks(sheetOf(trace, trace.tasks.get(trace.pullRequest?.taskId ?? '')), now), [
				'landing',
			]),
		],
		fields: [
			{name: 'feedback', label: 'Your words, read first (optional):', input: emptyInput, multiline: true},
		],
		buttons: [cancelButton, {label: 'Ctrl+D Send', value: 'send'}],
		request: {action: 'forge.send', input: {traceId: trace.traceId}},
	});

export const cancelForm = ({now, traces}: Opening, trace: Trace, task: Task): Form => {
	const gone = plannedDependants(trace, task);
	return form(now, {
		title: `Cancel ${fullTitle(traces, trace, task)}`,
		lines: [
			line(
				gone.length === 0
					? 'It is not done, and no other task needs it.'
					: `Cancels ${formatCount(gone.length, 'task')} that need it: ${gone.map(other => taskTitle(trace, other)).join(', ')}.`,
			),
			...(task.status === 'running' && !isAtGuard(trace, task)
				? [line(`Stops ${runningBee(trace, task)}.`)]
				: []),
			line('This cannot be undone.', 'dim'),
		],
		fields: [{name: 'reason', label: 'Reason (optional):', input: emptyInput}],
		buttons: [cancelButton, {label: 'Cancel the task', value: 'cancel-task'}],
		focus: 1,
		request: {action: 'task.cancel', input: target(trace, task)},
	});
};
