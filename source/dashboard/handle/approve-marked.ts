import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import {
	approveMarkedForm,
	landsLater,
	markedLine,
	markedSharing,
	withMarkedPreflight,
} from '../forms/approve-marked.ts';
import {isFinalGate} from '../forms/target.ts';
import {type Unsent, withUnsent} from '../forms/unsent.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Line} from '../parts/line.ts';
import type {Form, MarkedRequest} from '../store/form.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {setMarks} from '../store/marks.ts';
import {changeForm, setMode} from '../store/mode-changes.ts';
import {decidedTitle, withTitles} from '../store/names.ts';
import {actionEnded, actionStarted, showToast} from '../store/notice-changes.ts';
import type {ReviewRow} from '../store/queue.ts';
import {blocksWith} from '../store/sheet.ts';
import {browsing} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {backForm, readComments} from './unsent.ts';

/** Opens the dialog for all marked reviews, and previews each merge meanwhile. False if none is marked. */
export const openApproveMarked = (context: HandleContext): boolean => {
	const rows = markedReviews(context.store.getState());
	if (rows.length === 0) return false;
	const form = approveMarkedForm(opening(context), rows);
	openForm(context, form);
	void preflight(context, form, rows);
	return true;
};

const preflight = async (context: HandleContext, form: Form, rows: readonly ReviewRow[]): Promise<void> => {
	const {world: services, store} = context;
	const unsent: Unsent[] = [];
	const lines: Line[] = [];
	const conflicting: ReviewRow[] = [];
	const workByRow = new Map<ReviewRow, string>();
	let queued = 0;
	for (const row of rows) {
		const {traceId} = row.trace;
		const {taskId} = row.task;
		const outcome = isFinalGate(row.task)
			? await outcomeOf(services, () => services.preview({traceId, taskId}))
			: undefined;
		const state = store.getState();
		const preview = outcome?.ok ? outcome.value : undefined;
		lines.push(markedLine(state.traces, row, outcome, blocksWith(state, row.trace, row.task, preview)));
		if (outcome?.ok) workByRow.set(row, outcome.value.work);
		if (preview !== undefined && landsLater(preview)) queued += 1;
		const comments = await readComments(context, row.trace, row.task);
		const on = decidedTitle(store.getState().traces, row.trace, row.task);
		unsent.push({comments, on, back: backForm(context, row.trace, row.task, comments)});
		if (outcome?.ok && outcome.value.conflicts.length > 0) conflicting.push(row);
	}
	const {clashes, traces} = store.getState();
	const sharing = markedSharing(traces, rows, clashes.overlaps);
	store.dispatch(
		changeForm(form.openedAt, open =>
			withUnsent(
				withMarkedPreflight({...open, request: addWorks(open.request, rows, workByRow)}, traces, {
					lines,
					sharing,
					conflicting,
					queued,
				}),
				unsent,
			),
		),
	);
};

/**
 * Each merge moves the base of the next. So the precondition is the reviewed work, and its current tree is
 * merged.
 */
const withTree = async (
	services: HandleContext['world'],
	input: MarkedRequest['targets'][number]['input'],
	work: string,
): Promise<Outcome<typeof input>> => {
	const {traceId, taskId} = input;
	const now = await outcomeOf(services, () =>
		services.preview({traceId: String(traceId), taskId: String(taskId)}),
	);
	if (!now.ok) return now;
	if (now.value.work !== work) return refuse('stale_view');
	return accepted(now.value.tree === '' ? input : {...input, tree: now.value.tree});
};

/** Adds the reviewed work to each target. */
const addWorks = (
	request: Form['request'],
	rows: readonly ReviewRow[],
	workByRow: ReadonlyMap<ReviewRow, string>,
): Form['request'] =>
	request.action !== 'approve marked' || !('targets' in request)
		? request
		: {
				...request,
				targets: request.targets.map((target, at) => {
					const row = rows[at];
					const work = row && workByRow.get(row);
					return work === undefined ? target : {...target, work};
				}),
			};

/** The action for each target, and its messages. */
const markedActions = {
	'approve marked': {id: 'proposal.approve', doing: 'Approving', done: 'Approved'},
	'update marked': {id: 'proposal.update', doing: 'Updating', done: 'Updated'},
} as const;

/** Max tries for one target. Each landing ahead of it may move the base between its preview and the act. */
const maxTries = 5;

const actOnOne = async (
	services: HandleContext['world'],
	id: (typeof markedActions)[MarkedRequest['action']]['id'],
	input: MarkedRequest['targets'][number]['input'],
	work: string | undefined,
) => {
	for (let tries = 1; ; tries++) {
		const prepared = work === undefined ? accepted(input) : await withTree(services, input, work);
		if (!prepared.ok) return prepared;
		const outcome = await outcomeOf(services, () => services.act(id, prepared.value));
		const isMoved = !outcome.ok && outcome.refusal.code === 'stale_view' && work !== undefined;
		if (!isMoved || tries === maxTries) return outcome;
	}
};

/** Acts on the targets one after the other, each against the base at that time, until one is refused. */
export const actOnMarked = async (
	{store, world: services}: HandleContext,
	{action, targets}: MarkedRequest,
): Promise<void> => {
	const {id, doing, done} = markedActions[action];
	store.dispatch(setMode(browsing));
	const what = `${doing} ${formatCount(targets.length, 'task')}`;
	store.dispatch(actionStarted(what));
	let count = 0;
	for (const {input, name, work} of targets) {
		const outcome = await actOnOne(services, id, input, work);
		if (!outcome.ok) {
			const {message, hint} = outcome.refusal;
			store.enqueue(actionEnded(what));
			const report = `${done} ${count} of ${targets.length}, and stopped at ${name}`;
			const why = withTitles(`${message} ${hint}`, store.getState().traces, input);
			return store.dispatch(showToast(`${report}: ${why}`, 'bad'));
		}
		count += 1;
		store.dispatch(showToast(withTitles(outcome.value.said, store.getState().traces, input), 'good'));
	}
	store.enqueue(actionEnded(what));
	store.dispatch(setMarks('queue', new Set()));
	store.dispatch(showToast(`${done} all ${formatCount(count, 'task')}.`, 'good'));
};
