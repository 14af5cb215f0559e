import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {noMemory} from '../host/review/review-memory.ts';
import {isAtGuard} from '../host/views/task.ts';
import {startClock} from './clock.ts';
import {outcomeOf} from './outcome-of.ts';
import {colonyProblems, colonyText} from './store/colony-text.ts';
import {detailView} from './store/detail.ts';
import {tookDetail} from './store/detail-changes.ts';
import {
	tookClashes,
	tookColony,
	tookConsole,
	tookDoings,
	tookSessions,
	tookSpent,
	tookStatus,
	tookSurvey,
	tookUpdate,
	tookWaits,
} from './store/feed-changes.ts';
import type {LogStream} from './store/log.ts';
import {startedLog, tookLog} from './store/log-changes.ts';
import {say} from './store/notice-changes.ts';
import {onChange} from './store/on-change.ts';
import {queueKey, type ReviewRow, selectedReview} from './store/queue.ts';
import {lookedBefore, wantedBlob} from './store/review.ts';
import {dropPreview, lookedAt, tookLines, tookMemory, tookPreview} from './store/review-changes.ts';
import {focusedPane, liveBees, selectedRun, selectedTask, waitsKey} from './store/selectors.ts';
import type {Store} from './store/store.ts';
import {selectedTrace} from './store/trace-list.ts';
import type {World} from './world.ts';

/** Feeds the outside world into the store, frame by frame, until the signal aborts. */
export const startFeeds = (world: World, store: Store, signal: AbortSignal): void => {
	world.follow(signal, update => {
		// The initial state belongs in the first frame.
		if (store.getState().loaded) store.fold(tookUpdate(update));
		else store.dispatch(tookUpdate(update));
	});
	world.status(signal, status => store.fold(tookStatus(status)));
	world.survey(signal, survey => store.fold(tookSurvey(survey)));
	world.clashes(signal, clashes => store.fold(tookClashes(clashes)));
	world.sessions(signal, sessions => store.fold(tookSessions(sessions)));
	world.doing(signal, doings => store.fold(tookDoings(doings)));
	world.spent(signal, spent => store.fold(tookSpent(spent)));
	world.complaints(signal, reason => store.fold(say(reason, 'bad')));
	world.reloaded(signal, () => store.fold(tookColony(colonyText(world), colonyProblems(world))));
	world.consoleOpened(signal, () => store.fold(tookConsole(colonyText(world), world.consoleAt()?.url ?? '')));
	startClock(world, store, signal);
	followSelectedLog(world, store, signal);
	explainSelected(world, store, signal);
	rememberChoices(world, store, signal);
	const remembered = rememberReviews(world, store, signal);
	previewSelected({world, store, signal}, remembered);
	noteLooked(store, signal);
	readCommented(world, store, signal);
	readOpenDetail(world, store, signal);
};

/**
 * Reads details that the snapshots lack. Reads them again when the trace changes, or something it may wait
 * for.
 */
const readOpenDetail = (world: World, store: Store, signal: AbortSignal): void => {
	let wanted = '';
	onChange(store, signal, state => {
		const view = detailView(state);
		if (state.detail === undefined || view === undefined) {
			wanted = '';
			return;
		}
		const {traceId, taskId} = state.detail;
		const agentId = view.run?.agentId;
		const asked = [traceId, taskId, agentId, view.trace.sequence, state.status.reactor, liveBees(state)].join(
			'@',
		);
		if (asked === wanted) return;
		wanted = asked;
		const {detail} = state;
		world.detail({traceId, taskId, agentId}).then(
			facts => {
				if (wanted === asked) store.fold(tookDetail(detail, facts));
			},
			// The log cannot be read, which the banner shows.
			() => {},
		);
	});
};

/** Follows the log of the selected run: its standard output first, then the stream that is chosen. */
const followSelectedLog = (world: World, store: Store, signal: AbortSignal): void => {
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
		if (!isSame) store.dispatch(startedLog(traceId, agentId, stream));
		if (row)
			world.log({traceId, agentId, stream}, AbortSignal.any([signal, stop.signal]), parts =>
				store.fold(tookLog(agentId, stream, parts)),
			);
	});
};

/** Loads the drafts and marks of reviews, and saves their changes, one write after the other. */
const rememberReviews = async (world: World, store: Store, signal: AbortSignal): Promise<void> => {
	let kept = await world.reviews.read().catch(() => noMemory);
	if (signal.aborted) return;
	store.dispatch(tookMemory(kept));
	let [written, saved] = [Promise.resolve(), kept];
	onChange(store, signal, ({review: {drafts, reviewed, looked}}) => {
		if (drafts === kept.drafts && reviewed === kept.reviewed && looked === kept.looked) return;
		kept = {drafts, reviewed, looked};
		const memory = kept;
		written = written
			.then(() => world.reviews.write(memory, saved))
			.then(() => {
				saved = memory;
			})
			.catch(() => store.fold(say('Comments cannot be kept on this machine.', 'bad')));
	});
};

/**
 * Previews the selected task of the review queue. Reads it again after a new proposal, or when its conflicts
 * change.
 */
const previewSelected = ({world, store, signal}: Previewing, remembered: Promise<void>): void => {
	let wanted = '';
	onChange(store, signal, state => {
		if (state.tab !== 'review') return;
		const row = selectedReview(state);
		if (!row) {
			wanted = '';
			if (state.preview) store.dispatch(dropPreview);
			return;
		}
		const {work, paths = []} = state.clashes.conflicts.get(row.trace.traceId) ?? {};
		const key = [queueKey(row), row.task.proposal?.sequence ?? row.task.updatedAt, work, ...paths].join('@');
		if (key === wanted) return;
		wanted = key;
		store.dispatch(tookPreview({key, state: 'loading'}));
		void loadPreview({world, store, signal}, remembered, key, row);
	});
};

type Previewing = {readonly world: World; readonly store: Store; readonly signal: AbortSignal};

const loadPreview = async (
	{world, store}: Previewing,
	remembered: Promise<void>,
	key: string,
	row: ReviewRow,
): Promise<void> => {
	const target = {traceId: row.trace.traceId, taskId: row.task.taskId};
	const outcome = await outcomeOf(world, () => world.preview(target));
	if (!outcome.ok) {
		const message = `${outcome.refusal.message} ${outcome.refusal.hint}`;
		store.fold(tookPreview({key, state: 'refused', message}));
		return;
	}
	await remembered;
	const preview = outcome.value;
	const before = lookedBefore(store.getState(), queueKey(row), preview.work);
	const since =
		before === undefined
			? undefined
			: await outcomeOf(world, () => world.compare({before, after: preview.work}));
	const isKnown = since?.ok === true && since.value.files.length > 0;
	store.fold(tookPreview({key, state: 'ready', preview, ...(isKnown && {since: since.value})}));
};

/** Reads files that changed below comments, one after the other. */
const readCommented = (world: World, store: Store, signal: AbortSignal): void => {
	let isBusy = false;
	onChange(store, signal, state => {
		const blob = isBusy ? undefined : wantedBlob(state);
		if (blob === undefined) return;
		isBusy = true;
		void world
			.lines(blob)
			.catch(() => undefined)
			.then(lines => {
				isBusy = false;
				store.fold(tookLines(blob, lines));
			});
	});
};

/** Records that the person has looked at the change: they are in the diff, or decide about it. */
const noteLooked = (store: Store, signal: AbortSignal): void =>
	onChange(store, signal, state => {
		const {tab, preview, mode} = state;
		if (tab !== 'review' || preview?.state !== 'ready' || preview.preview.work === '') return;
		if (focusedPane(state) !== 'diff' && mode.kind !== 'form') return;
		const row = selectedReview(state);
		if (row === undefined || !preview.key.startsWith(`${queueKey(row)}@`)) return;
		const change = lookedAt(queueKey(row), preview.preview.work);
		if (change(state) !== state) store.dispatch(change);
	});

/**
 * Explains what the selected task, or the request without tasks, waits for while no run of its own is open.
 * Reads it again when its trace changes, or something it may wait for.
 */
const explainSelected = (world: World, store: Store, signal: AbortSignal): void => {
	let wanted = '';
	onChange(store, signal, state => {
		const trace = selectedTrace(state);
		const task = selectedTask(state);
		if (state.tab !== 'traces' || !trace) return;
		const key = waitsKey(trace, task);
		const asked = [key, trace.sequence, state.status.reactor, liveBees(state)].join('@');
		if (asked === wanted) return;
		wanted = asked;
		if (task ? waitsForNothing(trace, task) : openRuns(trace).length > 0) return;
		world.waits({traceId: trace.traceId, taskId: task?.taskId ?? ''}).then(
			waits => {
				if (wanted === asked) store.fold(tookWaits({key, waits}));
			},
			// The log cannot be read, which the banner shows.
			() => {},
		);
	});
};

const waitsForNothing = (trace: Trace, task: Task): boolean =>
	task.status === 'completed' ||
	task.status === 'cancelled' ||
	(task.status === 'running' && !isAtGuard(trace, task));

/** Saves the sort order and the archived traces for the next start. */
const rememberChoices = (world: World, store: Store, signal: AbortSignal): void => {
	let {sort, archived} = store.getState();
	onChange(store, signal, state => {
		if (state.sort === sort && state.archived === archived) return;
		const [before, now] = [archived, state.archived];
		({sort, archived} = state);
		world
			.remember(kept => ({
				sort: state.sort,
				archived: [...kept.archived.filter(traceId => !now.has(traceId) && !before.has(traceId)), ...now],
			}))
			.catch((error: unknown) => store.fold(say(`This is not remembered: ${String(error)}`, 'bad')));
	});
};
