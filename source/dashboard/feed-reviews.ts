import {noMemory} from '../host/review/review-memory.ts';
import {outcomeOf} from './outcome-of.ts';
import {showToast} from './store/notice-changes.ts';
import {onChange} from './store/on-change.ts';
import {queueKey, type ReviewRow, selectedReview} from './store/queue.ts';
import {lastViewedWork, nextUnreadBlob} from './store/review.ts';
import {
	dropPreview,
	linesReceived,
	markViewed,
	memoryReceived,
	previewReceived,
} from './store/review-changes.ts';
import {focusedPane} from './store/selectors.ts';
import type {Store} from './store/store.ts';
import type {DashboardServices} from './world.ts';

/** Loads the drafts and marks of reviews, and saves their changes, one write after the other. */
export const persistReviews = async (
	services: DashboardServices,
	store: Store,
	signal: AbortSignal,
): Promise<void> => {
	let kept = await services.reviews.read().catch(() => noMemory);
	if (signal.aborted) return;
	store.dispatch(memoryReceived(kept));
	let [written, saved] = [Promise.resolve(), kept];
	onChange(store, signal, ({review: {drafts, reviewed, looked}}) => {
		if (drafts === kept.drafts && reviewed === kept.reviewed && looked === kept.looked) return;
		kept = {drafts, reviewed, looked};
		const memory = kept;
		written = written
			.then(() => services.reviews.write(memory, saved))
			.then(() => {
				saved = memory;
			})
			.catch(() => store.enqueue(showToast('Comments cannot be kept on this machine.', 'bad')));
	});
};

/**
 * Previews the selected task of the review queue. Reads it again after a new proposal, or when its conflicts
 * or its base change.
 */
export const previewSelected = (
	{world: services, store, signal}: PreviewContext,
	memoryLoaded: Promise<void>,
): void => {
	let [requestedKey, requestedBase] = ['', ''];
	onChange(store, signal, state => {
		if (state.tab !== 'review' || state.live) return;
		const row = selectedReview(state);
		if (!row) {
			[requestedKey, requestedBase] = ['', ''];
			if (state.preview) store.dispatch(dropPreview);
			return;
		}
		const {work, paths = []} = state.clashes.conflicts.get(row.trace.traceId) ?? {};
		const key = [queueKey(row), row.task.proposal?.sequence ?? row.task.updatedAt, work, ...paths].join('@');
		const base = state.clashes.bases.get(row.trace.traceId) ?? '';
		if (key === requestedKey && base === requestedBase) return;
		// A diff that is being read stays while the same work is previewed on another base.
		const isShown = key === requestedKey;
		[requestedKey, requestedBase] = [key, base];
		if (!isShown) store.dispatch(previewReceived({key, state: 'loading'}));
		const isNewest = (): boolean => key === requestedKey && base === requestedBase;
		void loadPreview({world: services, store, signal}, memoryLoaded, {key, row, isNewest});
	});
};

type PreviewContext = {
	readonly world: DashboardServices;
	readonly store: Store;
	readonly signal: AbortSignal;
};

const loadPreview = async (
	{world: services, store}: PreviewContext,
	memoryLoaded: Promise<void>,
	{key, row, isNewest}: {readonly key: string; readonly row: ReviewRow; readonly isNewest: () => boolean},
): Promise<void> => {
	const target = {traceId: row.trace.traceId, taskId: row.task.taskId};
	const outcome = await outcomeOf(services, () => services.preview(target));
	if (!isNewest()) return;
	if (!outcome.ok) {
		const message = `${outcome.refusal.message} ${outcome.refusal.hint}`;
		store.enqueue(previewReceived({key, state: 'refused', message}));
		return;
	}
	await memoryLoaded;
	const preview = outcome.value;
	const before = lastViewedWork(store.getState(), queueKey(row), preview.work);
	const since =
		before === undefined
			? undefined
			: await outcomeOf(services, () => services.compare({before, after: preview.work}));
	if (!isNewest()) return;
	const isKnown = since?.ok === true && since.value.files.length > 0;
	store.enqueue(previewReceived({key, state: 'ready', preview, ...(isKnown && {since: since.value})}));
};

/** Reads files that changed below comments, one after the other. */
export const readCommentedFiles = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let isBusy = false;
	onChange(store, signal, state => {
		const blob = isBusy ? undefined : nextUnreadBlob(state);
		if (blob === undefined) return;
		isBusy = true;
		void services
			.lines(blob)
			.catch(() => undefined)
			.then(lines => {
				isBusy = false;
				store.enqueue(linesReceived(blob, lines));
			});
	});
};

/** Records that the person has looked at the change: they are in the diff, or decide about it. */
export const recordViewed = (store: Store, signal: AbortSignal): void =>
	onChange(store, signal, state => {
		const {tab, preview, mode, live} = state;
		if (live || tab !== 'review' || preview?.state !== 'ready' || preview.preview.work === '') return;
		if (focusedPane(state) !== 'diff' && mode.kind !== 'form') return;
		const row = selectedReview(state);
		if (row === undefined || !preview.key.startsWith(`${queueKey(row)}@`)) return;
		const change = markViewed(queueKey(row), preview.preview.work);
		if (change(state) !== state) store.dispatch(change);
	});
