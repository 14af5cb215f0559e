import {noComments, rejectForm} from '../forms/task.ts';
import {queueKey} from '../store/queue.ts';
import {commentsToSend} from '../store/review.ts';
import {subjectOf} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm} from './open-form.ts';

/** With the comments of the review, where that is of the same task. */
export const reject: Handler = context => {
	const state = context.store.getState();
	const {trace, task} = subjectOf(state);
	if (!trace || !task) return;
	const isReviewed = state.preview?.key.startsWith(`${queueKey({trace, task})}@`) === true;
	openForm(
		context,
		rejectForm(context.world.now(), trace, task, isReviewed ? commentsToSend(state) : noComments),
	);
};
