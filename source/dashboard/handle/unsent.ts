import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {actionTable} from '../../host/actions/table.ts';
import type {ReworkChoice} from '../../host/live/live.ts';
import {type Comments, noComments, rejectForm} from '../forms/task.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Form} from '../store/form.ts';
import {queueKey} from '../store/queue.ts';
import {commentsOn, unknownBlob} from '../store/review.ts';
import type {PreviewState, State} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {opening} from './open-form.ts';

/** Unsent comments on a task's work. Undefined while their positions in it are not known. */
export const knownComments = (state: State, trace: Trace, task: Task): Comments | undefined => {
	const {preview, review} = state;
	if (review.drafts.every(({traceId}) => traceId !== trace.traceId)) return noComments;
	const isOfTask = preview?.key.startsWith(`${queueKey({trace, task})}@`) === true;
	return isOfTask && preview.state !== 'loading' ? commentsOn(preview, review) : undefined;
};

/** The same, but loads the positions if needed. */
export const readComments = async (
	{world: services, store}: HandleContext,
	trace: Trace,
	task: Task,
): Promise<Comments> => {
	const known = knownComments(store.getState(), trace, task);
	if (known !== undefined) return known;
	const outcome = await outcomeOf(services, () =>
		services.preview({traceId: trace.traceId, taskId: task.taskId}),
	);
	const key = `${queueKey({trace, task})}@`;
	const preview: PreviewState = outcome.ok
		? {key, state: 'ready', preview: outcome.value}
		: {key, state: 'refused', message: outcome.refusal.message};
	let {review} = store.getState();
	for (let blob = unknownBlob(preview, review); blob !== undefined; blob = unknownBlob(preview, review)) {
		const lines = await services.lines(blob).catch(() => undefined);
		review = {...review, contents: new Map([...review.contents, [blob, lines]])};
	}
	return commentsOn(preview, review);
};

/** The tasks that can rework what a final review rejects. Undefined for other reviews, and if not known. */
export const readRework = async (
	{world: services}: HandleContext,
	trace: Trace,
	task: Task,
	{comments}: Comments,
): Promise<ReworkChoice | undefined> =>
	task.review === 'final' ? services.reworkChoice(trace.traceId, comments).catch(() => undefined) : undefined;

/** The dialog that sends the comments back with the work. Undefined if it cannot be rejected. */
export const backForm = (
	context: HandleContext,
	trace: Trace,
	task: Task,
	comments: Comments,
	rework?: ReworkChoice,
): Form | undefined =>
	actionTable['proposal.reject'].blocked?.({trace, task}) === undefined
		? rejectForm(opening(context), trace, task, comments, rework)
		: undefined;
