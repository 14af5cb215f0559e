import {noComments, rejectForm} from '../forms/task.ts';
import {changeForm} from '../store/mode-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {knownComments, readComments} from './unsent.ts';

/** Opens the reject dialog with the comments on the work. They are loaded if the work is not shown. */
export const reject: Handler = context => {
	const state = context.store.getState();
	const {trace, task} = subjectOf(state);
	if (!trace || !task) return;
	const known = knownComments(state, trace, task);
	const start = opening(context);
	const form = rejectForm(start, trace, task, known ?? noComments);
	openForm(context, {...form, busy: known === undefined});
	if (known !== undefined) return;
	void readComments(context, trace, task).then(comments =>
		context.store.dispatch(
			changeForm(form.openedAt, ({fields, focus}) => ({
				...rejectForm(start, trace, task, comments),
				...{fields, focus},
			})),
		),
	);
};
