import {counted} from '../../domain/counted.ts';
import {approveMarkedForm, markedLine, markedSharing, withMarkedPreflight} from '../forms/approve-marked.ts';
import type {Form, MarkedRequest} from '../forms/form.ts';
import {isFinalGate} from '../forms/target.ts';
import {type Unsent, withUnsent} from '../forms/unsent.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Line} from '../parts/line.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {setMarks} from '../store/marks.ts';
import {changeForm, setMode} from '../store/mode-changes.ts';
import {decidedTitle, withTitles} from '../store/names.ts';
import {began, ended, say} from '../store/notice-changes.ts';
import type {ReviewRow} from '../store/queue.ts';
import {browsing} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {backForm, readComments} from './unsent.ts';

/** Asks about all marked reviews at once, and looks meanwhile at what each would merge. False where none is marked. */
export const askMarked = (context: HandleContext): boolean => {
	const rows = markedReviews(context.store.getState());
	if (rows.length === 0) return false;
	const form = approveMarkedForm(opening(context), rows);
	openForm(context, form);
	void preflight(context, form, rows);
	return true;
};

const preflight = async (context: HandleContext, form: Form, rows: readonly ReviewRow[]): Promise<void> => {
	const {world, store} = context;
	const unsent: Unsent[] = [];
	const lines: Line[] = [];
	const conflicting: ReviewRow[] = [];
	for (const row of rows) {
		const {traceId} = row.trace;
		const {taskId} = row.task;
		const outcome = isFinalGate(row.task)
			? await outcomeOf(world, () => world.preview({traceId, taskId}))
			: undefined;
		lines.push(markedLine(store.getState().traces, row, outcome));
		const comments = await readComments(context, row.trace, row.task);
		const on = decidedTitle(store.getState().traces, row.trace, row.task);
		unsent.push({comments, on, back: backForm(context, row.trace, row.task, comments)});
		if (outcome?.ok && outcome.value.conflicts.length > 0) conflicting.push(row);
	}
	const {clashes, traces} = store.getState();
	const sharing = markedSharing(traces, rows, clashes.overlaps);
	store.dispatch(
		changeForm(form.openedAt, open =>
			withUnsent(withMarkedPreflight(open, traces, lines, sharing, conflicting), unsent),
		),
	);
};

/** What is done to each, and how that is said. */
const ways = {
	'approve marked': {id: 'proposal.approve', doing: 'Approving', done: 'Approved'},
	'update marked': {id: 'proposal.update', doing: 'Updating', done: 'Updated'},
} as const;

/** One after the other, each against the base as it is by then, until one is refused. */
export const actOnMarked = async (
	{store, world}: HandleContext,
	{action, targets}: MarkedRequest,
): Promise<void> => {
	const {id, doing, done} = ways[action];
	store.dispatch(setMode(browsing));
	const what = `${doing} ${counted(targets.length, 'task')}`;
	store.dispatch(began(what));
	let count = 0;
	for (const {input, name} of targets) {
		const outcome = await outcomeOf(world, () => world.act(id, input));
		if (!outcome.ok) {
			const {message, hint} = outcome.refusal;
			store.fold(ended(what));
			const report = `${done} ${count} of ${targets.length}, and stopped at ${name}`;
			const why = withTitles(`${message} ${hint}`, store.getState().traces, input);
			return store.dispatch(say(`${report}: ${why}`, 'bad'));
		}
		count += 1;
		store.dispatch(say(withTitles(outcome.value.said, store.getState().traces, input), 'good'));
	}
	store.fold(ended(what));
	store.dispatch(setMarks('queue', new Set()));
	store.dispatch(say(`${done} all ${counted(count, 'task')}.`, 'good'));
};
