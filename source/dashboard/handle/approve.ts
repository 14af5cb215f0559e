import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Form} from '../forms/form.ts';
import {approveForm, startedLines, withoutPreflight, withPreflight} from '../forms/gate.ts';
import {isFinalGate} from '../forms/target.ts';
import {outcomeOf} from '../outcome-of.ts';
import {sharingLines} from '../store/clashes.ts';
import {judgementLines, warningLines} from '../store/decision.ts';
import {changeForm} from '../store/mode-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import {askMarked} from './approve-marked.ts';
import type {HandleContext} from './context.ts';
import {openForm} from './open-form.ts';

/** Asks about the tasks that are marked, else the one that is selected, and of a merge looks meanwhile at what it would do. */
export const approve = (context: HandleContext): void => {
	if (askMarked(context)) return;
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const form = approveForm(context.world.now(), trace, task);
	openForm(context, form);
	if (isFinalGate(task)) void preflight(context, form, trace, task);
};

const preflight = async (
	{world, store}: HandleContext,
	form: Form,
	trace: Trace,
	task: Task,
): Promise<void> => {
	const {traceId} = trace;
	const {taskId} = task;
	const outcome = await outcomeOf(world, () => world.preview({traceId, taskId}));
	const {clashes, traces} = store.getState();
	store.dispatch(
		changeForm(form.openedAt, open =>
			outcome.ok
				? withPreflight(open, outcome.value, [
						...startedLines(trace, task),
						...judgementLines(trace, task),
						...sharingLines(clashes.overlaps, traces, traceId),
						...warningLines(trace, task),
					])
				: withoutPreflight(open, outcome.refusal.message),
		),
	);
};
