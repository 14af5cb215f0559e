import {type Comments, noComments, rejectForm, withRework} from '../forms/task.ts';
import {changeForm} from '../store/mode-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {knownComments, readComments, readRework} from './unsent.ts';

/**
 * Opens the reject dialog with the comments on the work. They are loaded if the work is not shown. At a final
 * review it also reads which task gets the rework.
 */
export const reject: Handler = context => {
	const state = context.store.getState();
	const {trace, task} = subjectOf(state);
	if (!trace || !task) return;
	const known = knownComments(state, trace, task);
	const start = opening(context);
	const form = rejectForm(start, trace, task, known ?? noComments);
	openForm(context, {...form, busy: known === undefined});
	const complete = async (comments: Comments): Promise<void> => {
		const rework = await readRework(context, trace, task, comments);
		const whole = rejectForm(start, trace, task, comments, rework);
		context.store.dispatch(changeForm(form.openedAt, open => withRework(open, whole)));
	};
	if (known !== undefined) {
		if (task.review === 'final') void complete(known);
		return;
	}
	void readComments(context, trace, task).then(complete);
};
