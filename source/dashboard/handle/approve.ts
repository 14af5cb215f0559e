import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {positionOf} from '../../host/views/landing.ts';
import {
	approveForm,
	requestForm,
	startedLines,
	withoutPreflight,
	withPreflight,
	withRequestPreflight,
} from '../forms/gate.ts';
import {isFinalGate} from '../forms/target.ts';
import {type Unsent, withUnsent} from '../forms/unsent.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Form} from '../store/form.ts';
import {changeForm} from '../store/mode-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import {blocksWith, shownQueue} from '../store/sheet.ts';
import {openApproveMarked} from './approve-marked.ts';
import type {HandleContext} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {backForm, knownComments, readComments, readRework} from './unsent.ts';

/** Opens the dialog for the marked tasks, else for the selected one. */
export const approve = (context: HandleContext): void => {
	if (!openApproveMarked(context)) approveSelected(context);
};

/** Opens the dialog for the selected task. For a merge it reads the preview meanwhile. */
export const approveSelected = (context: HandleContext): void => {
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const form = approveForm(opening(context), trace, task);
	const known = knownComments(context.store.getState(), trace, task);
	if (isFinalGate(task)) {
		openForm(context, form);
		void preflight(context, form, {trace, task, show: withPreflight});
	} else if (known !== undefined)
		openForm(context, withUnsent(form, [{comments: known, back: backForm(context, trace, task, known)}]));
	else {
		openForm(context, {...form, busy: true});
		void readUnsent(context, trace, task).then(unsent =>
			context.store.dispatch(changeForm(form.openedAt, open => withUnsent({...open, busy: false}, [unsent]))),
		);
	}
};

/** Opens the dialog that puts the selected final review into a pull request. */
export const requestSelected = (context: HandleContext): void => {
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const form = requestForm(opening(context), trace, task);
	openForm(context, form);
	void preflight(context, form, {trace, task, show: withRequestPreflight});
};

const readUnsent = async (context: HandleContext, trace: Trace, task: Task): Promise<Unsent> => {
	const comments = await readComments(context, trace, task);
	const rework = await readRework(context, trace, task, comments);
	return {comments, back: backForm(context, trace, task, comments, rework)};
};

type Reviewed = {
	readonly trace: Trace;
	readonly task: Task;
	/** Returns the dialog with the preview. */
	readonly show: typeof withPreflight;
};

const preflight = async (
	context: HandleContext,
	form: Form,
	{trace, task, show}: Reviewed,
): Promise<void> => {
	const {world: services, store} = context;
	const {traceId} = trace;
	const {taskId} = task;
	const outcome = await outcomeOf(services, () => services.preview({traceId, taskId}));
	const unsent = await readUnsent(context, trace, task);
	store.dispatch(
		changeForm(form.openedAt, open =>
			withUnsent(
				outcome.ok
					? show(open, outcome.value, {
							blocks: blocksWith(store.getState(), trace, task, outcome.value),
							more: startedLines(trace, task),
							position: positionOf(shownQueue(store.getState().traces), trace, outcome.value.base),
						})
					: withoutPreflight(open, outcome.refusal.message),
				[unsent],
			),
		),
	);
};
