import type {CallRef} from '../domain/call-ref.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {UnfoldedCall} from '../host/live/live.ts';
import {noMemory} from '../host/review/review-memory.ts';
import type {SheetFacts} from '../host/views/sheet.ts';
import {isAtGuard} from '../host/views/task.ts';
import {startClock} from './clock.ts';
import {outcomeOf} from './outcome-of.ts';
import {colonyProblems, colonyText} from './store/colony-text.ts';
import {detailView} from './store/detail.ts';
import {detailReceived} from './store/detail-changes.ts';
import {
	activitiesReceived,
	clashesReceived,
	colonyReceived,
	consoleReceived,
	liveFactsReceived,
	sessionsReceived,
	spendingReceived,
	statusReceived,
	updateReceived,
	waitsReceived,
} from './store/feed-changes.ts';
import {closeLive, liveReceived, liveRefused} from './store/live-changes.ts';
import type {LogStream} from './store/log.ts';
import {callReceived, logReceived, openLog} from './store/log-changes.ts';
import {withTitles} from './store/names.ts';
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
import {focusedPane, liveBees, selectedRun, selectedTask, waitsKey} from './store/selectors.ts';
import {sheetToRead} from './store/sheet.ts';
import {sheetFactsReceived} from './store/sheet-changes.ts';
import type {State} from './store/state.ts';
import type {Store} from './store/store.ts';
import {selectedTrace} from './store/trace-list.ts';
import type {DashboardServices} from './world.ts';

/** Feeds the outside world into the store, frame by frame, until the signal aborts. */
export const startFeeds = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	services.follow(signal, update => {
		// The initial state belongs in the first frame.
		if (store.getState().loaded) store.enqueue(updateReceived(update));
		else store.dispatch(updateReceived(update));
	});
	services.status(signal, status => store.enqueue(statusReceived(status)));
	services.survey(signal, survey => store.enqueue(liveFactsReceived(survey)));
	services.clashes(signal, clashes => store.enqueue(clashesReceived(clashes)));
	services.sessions(signal, sessions => store.enqueue(sessionsReceived(sessions)));
	services.doing(signal, activities => store.enqueue(activitiesReceived(activities)));
	services.spent(signal, spent => store.enqueue(spendingReceived(spent)));
	services.onProblem(signal, reason => store.enqueue(showToast(reason, 'bad')));
	services.reloaded(signal, () =>
		store.enqueue(colonyReceived(colonyText(services), colonyProblems(services))),
	);
	services.consoleOpened(signal, () =>
		store.enqueue(consoleReceived(colonyText(services), services.consoleAt()?.url ?? '')),
	);
	startClock(services, store, signal);
	followSelectedLog(services, store, signal);
	inspectSelected(services, store, signal);
	followUnfoldedCall(services, store, signal);
	explainSelected(services, store, signal);
	persistChoices(services, store, signal);
	const memoryLoaded = persistReviews(services, store, signal);
	previewSelected({world: services, store, signal}, memoryLoaded);
	recordViewed(store, signal);
	readCommentedFiles(services, store, signal);
	readOpenDetail(services, store, signal);
	followLive(services, store, signal);
	readShownSheet(services, store, signal);
};

/**
 * Reads details that the snapshots lack. Reads them again when the trace changes, or something it may wait
 * for.
 */
const readOpenDetail = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let requestedKey = '';
	onChange(store, signal, state => {
		const view = detailView(state);
		if (state.detail === undefined || view === undefined) {
			requestedKey = '';
			return;
		}
		const {traceId, taskId} = state.detail;
		const agentId = view.run?.agentId;
		const currentKey = [
			traceId,
			taskId,
			agentId,
			view.trace.sequence,
			state.status.reactor,
			liveBees(state),
		].join('@');
		if (currentKey === requestedKey) return;
		requestedKey = currentKey;
		const {detail} = state;
		services.detail({traceId, taskId, agentId}).then(
			facts => {
				if (requestedKey === currentKey) store.enqueue(detailReceived(detail, facts));
			},
			// The log cannot be read, which the banner shows.
			() => {},
		);
	});
};

/** Follows the change of the worktree whose live view is open. A first refusal closes the view. */
const followLive = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let current: {readonly traceId: string; readonly stop: AbortController} | undefined;
	onChange(store, signal, ({live}) => {
		if (live?.traceId === current?.traceId) return;
		current?.stop.abort();
		current = undefined;
		if (live === undefined) return;
		const {traceId} = live;
		const stop = new AbortController();
		current = {traceId, stop};
		services.liveChange(traceId, AbortSignal.any([signal, stop.signal]), change => {
			if (change.ok) return store.enqueue(liveReceived(traceId, change.value));
			const state = store.getState();
			const {message, hint} = change.refusal;
			const text = withTitles(`${message} ${hint}`, state.traces, {traceId});
			if (state.live?.change !== undefined) return store.enqueue(liveRefused(traceId, text));
			store.enqueue(closeLive);
			store.enqueue(showToast(text, 'bad'));
		});
	});
};

/**
 * Reads the facts of the shown sheet that only git and the log have. One read at a time, so that a selection
 * that moves on quickly costs little. Then the sheet that is shown by now is read.
 */
const readShownSheet = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let requestedKey = '';
	let isBusy = false;
	const read = (state: State): void => {
		const shown = isBusy ? undefined : sheetToRead(state);
		if (shown === undefined) return;
		const {trace, task, withMerge} = shown;
		const key = queueKey(shown);
		const {work, paths = []} = state.clashes.conflicts.get(trace.traceId) ?? {};
		const runs = [trace.runs.size, openRuns(trace).length];
		const currentKey = [
			key,
			withMerge,
			task.updatedAt,
			task.proposal?.sequence,
			...runs,
			work,
			...paths,
		].join('@');
		if (currentKey === requestedKey) return;
		requestedKey = currentKey;
		isBusy = true;
		void services
			.sheetFacts({traceId: trace.traceId, taskId: task.taskId, withMerge})
			.catch((error: unknown): SheetFacts => ({missing: {changes: `Not readable: ${String(error)}`}}))
			.then(facts => {
				isBusy = false;
				store.enqueue(sheetFactsReceived(key, facts));
			});
	};
	onChange(store, signal, read);
};

/** Follows the log of the selected run: its standard output first, then the stream that is chosen. */
const followSelectedLog = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let current: {readonly key: string; readonly stream: LogStream; readonly stop: AbortController} | undefined;
	onChange(store, signal, state => {
		const row = selectedRun(state);
		const key = row ? `${row.trace.traceId}/${row.run.agentId}` : '';
		const isSame = key === (current?.key ?? '');
		const stream = isSame ? state.log.stream : 'stdout';
		if (isSame && stream === (current?.stream ?? stream)) return;
		current?.stop.abort();
		const stop = new AbortController();
		current = {key, stream, stop};
		const traceId = row?.trace.traceId ?? '';
		const agentId = row?.run.agentId ?? '';
		if (!isSame) store.dispatch(openLog(traceId, agentId, stream));
		if (row)
			services.log({traceId, agentId, stream}, AbortSignal.any([signal, stop.signal]), parts =>
				store.enqueue(logReceived(agentId, stream, parts)),
			);
	});
};

/** Reads the touched files of the selected open run while the traces tab is shown. */
const inspectSelected = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let inspected: string | undefined;
	let stop = new AbortController();
	onChange(store, signal, state => {
		const row = state.tab === 'traces' && state.past === undefined ? selectedRun(state) : undefined;
		const open = row?.run.status === 'running' ? row : undefined;
		if (open?.run.agentId === inspected) return;
		stop.abort();
		inspected = open?.run.agentId;
		if (open === undefined) return;
		stop = new AbortController();
		const {trace, run} = open;
		services.inspect({traceId: trace.traceId, agentId: run.agentId}, AbortSignal.any([signal, stop.signal]));
	});
};

/** Reads the tool call that is unfolded in the log, and what its tool writes. */
const followUnfoldedCall = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let call: CallRef | undefined;
	let stop = new AbortController();
	onChange(store, signal, ({log: {traceId, agentId, unfolded}}) => {
		if (unfolded?.call === call) return;
		stop.abort();
		call = unfolded?.call;
		if (unfolded === undefined) return;
		const shown = unfolded.call;
		stop = new AbortController();
		services.toolCall(
			{traceId, agentId, call: shown},
			AbortSignal.any([signal, stop.signal]),
			(found: UnfoldedCall) => store.enqueue(callReceived(agentId, shown, found)),
		);
	});
};

/** Loads the drafts and marks of reviews, and saves their changes, one write after the other. */
const persistReviews = async (
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
 * change.
 */
const previewSelected = (
	{world: services, store, signal}: PreviewContext,
	memoryLoaded: Promise<void>,
): void => {
	let requestedKey = '';
	onChange(store, signal, state => {
		if (state.tab !== 'review' || state.live) return;
		const row = selectedReview(state);
		if (!row) {
			requestedKey = '';
			if (state.preview) store.dispatch(dropPreview);
			return;
		}
		const {work, paths = []} = state.clashes.conflicts.get(row.trace.traceId) ?? {};
		const key = [queueKey(row), row.task.proposal?.sequence ?? row.task.updatedAt, work, ...paths].join('@');
		if (key === requestedKey) return;
		requestedKey = key;
		store.dispatch(previewReceived({key, state: 'loading'}));
		void loadPreview({world: services, store, signal}, memoryLoaded, key, row);
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
	key: string,
	row: ReviewRow,
): Promise<void> => {
	const target = {traceId: row.trace.traceId, taskId: row.task.taskId};
	const outcome = await outcomeOf(services, () => services.preview(target));
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
	const isKnown = since?.ok === true && since.value.files.length > 0;
	store.enqueue(previewReceived({key, state: 'ready', preview, ...(isKnown && {since: since.value})}));
};

/** Reads files that changed below comments, one after the other. */
const readCommentedFiles = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
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
const recordViewed = (store: Store, signal: AbortSignal): void =>
	onChange(store, signal, state => {
		const {tab, preview, mode, live} = state;
		if (live || tab !== 'review' || preview?.state !== 'ready' || preview.preview.work === '') return;
		if (focusedPane(state) !== 'diff' && mode.kind !== 'form') return;
		const row = selectedReview(state);
		if (row === undefined || !preview.key.startsWith(`${queueKey(row)}@`)) return;
		const change = markViewed(queueKey(row), preview.preview.work);
		if (change(state) !== state) store.dispatch(change);
	});

/**
 * Explains what the selected task, or the request without tasks, waits for while no run of its own is open.
 * Reads it again when its trace changes, or something it may wait for.
 */
const explainSelected = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let requestedKey = '';
	onChange(store, signal, state => {
		const trace = selectedTrace(state);
		const task = selectedTask(state);
		if (state.tab !== 'traces' || !trace) return;
		const key = waitsKey(trace, task);
		const currentKey = [key, trace.sequence, state.status.reactor, liveBees(state)].join('@');
		if (currentKey === requestedKey) return;
		requestedKey = currentKey;
		if (task ? hasNoWaits(trace, task) : openRuns(trace).length > 0) return;
		services.waits({traceId: trace.traceId, taskId: task?.taskId ?? ''}).then(
			waits => {
				if (requestedKey === currentKey) store.enqueue(waitsReceived({key, waits}));
			},
			// The log cannot be read, which the banner shows.
			() => {},
		);
	});
};

const hasNoWaits = (trace: Trace, task: Task): boolean =>
	task.status === 'completed' ||
	task.status === 'cancelled' ||
	(task.status === 'running' && !isAtGuard(trace, task));

/** Saves the sort order and the archived traces for the next start. */
const persistChoices = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let {sort, archived} = store.getState();
	onChange(store, signal, state => {
		if (state.sort === sort && state.archived === archived) return;
		const [before, now] = [archived, state.archived];
		({sort, archived} = state);
		services
			.updatePreferences(kept => ({
				sort: state.sort,
				archived: [...kept.archived.filter(traceId => !now.has(traceId) && !before.has(traceId)), ...now],
			}))
			.catch((error: unknown) =>
				store.enqueue(
					showToast(`The order and the archive of the traces could not be saved: ${String(error)}`, 'bad'),
				),
			);
	});
};
