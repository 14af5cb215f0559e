import {openRuns} from '../domain/trace.ts';
import type {SheetFacts} from '../host/views/sheet.ts';
import {startClock} from './clock.ts';
import {persistReviews, previewSelected, readCommentedFiles, recordViewed} from './feed-reviews.ts';
import {followSelectedLog, followUnfoldedCall, inspectSelected} from './follow-logs.ts';
import {colonyProblems, colonyText} from './store/colony-text.ts';
import {detailView} from './store/detail.ts';
import {detailReceived} from './store/detail-changes.ts';
import {
	activitiesReceived,
	clashesReceived,
	colonyReceived,
	consoleReceived,
	liveFactsReceived,
	saidReceived,
	sessionsReceived,
	spendingReceived,
	statusReceived,
	updateReceived,
	waitsReceived,
} from './store/feed-changes.ts';
import {parseFilter, textOfFilter} from './store/filter.ts';
import {closeLive, liveReceived, liveRefused} from './store/live-changes.ts';
import {withTitles} from './store/names.ts';
import {showToast} from './store/notice-changes.ts';
import {onChange} from './store/on-change.ts';
import {queueKey} from './store/queue.ts';
import {liveRuns, selectedTask} from './store/selectors.ts';
import {sheetToRead} from './store/sheet.ts';
import {sheetFactsReceived} from './store/sheet-changes.ts';
import type {State} from './store/state.ts';
import type {Store} from './store/store.ts';
import {selectedTrace} from './store/trace-list.ts';
import {hasNoWaits, waitsKey} from './store/waits.ts';
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
	searchTranscripts(services, store, signal);
};

/** Searches the transcripts for the text of the sessions' filter. A later text ends an earlier search. */
const searchTranscripts = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let current: {readonly text: string; readonly stop: AbortController} | undefined;
	onChange(store, signal, ({filters}) => {
		const text = textOfFilter(parseFilter(filters.sessions ?? ''));
		if (text === (current?.text ?? '')) return;
		current?.stop.abort();
		const stop = new AbortController();
		current = {text, stop};
		if (text === '') return;
		services.searchSessions(text, AbortSignal.any([signal, stop.signal])).then(
			sessionIds => {
				if (!stop.signal.aborted) store.enqueue(saidReceived(text, sessionIds));
			},
			// The names of the sessions are searched all the same.
			() => {},
		);
	});
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
			liveRuns(state),
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
			state.clashes.bases.get(trace.traceId),
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
		const currentKey = [key, trace.sequence, state.status.reactor, liveRuns(state)].join('@');
		if (currentKey === requestedKey) return;
		requestedKey = currentKey;
		if (hasNoWaits(trace, task)) return;
		services.waits({traceId: trace.traceId, taskId: task?.taskId ?? ''}).then(
			waits => {
				if (requestedKey === currentKey) store.enqueue(waitsReceived({key, waits}));
			},
			// The log cannot be read, which the banner shows.
			() => {},
		);
	});
};

/** Saves the sort order, the archived traces and the used hints for the next start. */
const persistChoices = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let {sort, archived, untaught} = store.getState();
	onChange(store, signal, state => {
		if (state.sort === sort && state.archived === archived && state.untaught === untaught) return;
		const [before, now] = [archived, state.archived];
		const learned = [...untaught].filter(lesson => !state.untaught.has(lesson));
		({sort, archived, untaught} = state);
		services
			.updatePreferences(kept => ({
				sort: state.sort,
				archived: [...kept.archived.filter(traceId => !now.has(traceId) && !before.has(traceId)), ...now],
				learned: [...kept.learned, ...learned],
			}))
			.catch((error: unknown) =>
				store.enqueue(
					showToast(`The order, the archive and the used hints could not be saved: ${String(error)}`, 'bad'),
				),
			);
	});
};
