import {compareText} from '../../domain/compare-text.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {Invite} from '../../domain/invite.ts';
import {waitingPlan} from '../../domain/plan-review.ts';
import type {RunRecord} from '../../domain/run.ts';
import {awaitsPerson, type Task} from '../../domain/task.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {lastActiveAt, type RunActivities} from '../../host/views/activity.ts';
import {mergedWithoutChecks} from '../../host/views/landing.ts';
import {liveBees as countLiveBees, runsOf} from '../../host/views/run.ts';
import {taskOfSheet} from '../../host/views/sheet.ts';
import {awaitsDecision, isLanding} from '../../host/views/task.ts';
import {type OrderedTask, orderTasks} from '../parts/task-order.ts';
import {detailPane, detailView} from './detail.ts';
import {factsOfFilter, matchesFilter, parseFilter, textOfFilter} from './filter.ts';
import {createList, type List} from './list.ts';
import {liveView} from './live.ts';
import {emptyLog, type LogView} from './log.ts';
import {memoized, perObject} from './memo.ts';
import {queueList, selectedCause, selectedReview} from './queue.ts';
import {
	searchTermsOfEvent,
	searchTermsOfRun,
	searchTermsOfSession,
	searchTermsOfTask,
} from './search-terms.ts';
import {type SessionRow, sessionRows} from './sessions.ts';
import {type EventRow, type ListId, type Notice, type PaneId, type State, tabPanes} from './state.ts';
import {selectedTrace, traceList} from './trace-list.ts';

export type RunRow = {readonly run: RunRecord; readonly trace: Trace};

/** The pane with the focus: the open live diff or detail, else a pane of the tab. */
export const focusedPane = (state: State): PaneId => {
	if (state.live) return 'diff';
	const pane = detailPane(state) ?? state.focus[state.tab];
	const panes = panesOf(state);
	if (state.detail || panes.includes(pane)) return pane;
	// The selection has other panes: the last one takes the place of the one that had the focus.
	return panes.at(-1) ?? pane;
};

const orderOf = perObject(orderTasks);
const filteredTasks = memoized((trace: Trace, filter: string) => {
	const order = orderOf(trace.tasks);
	const wanted = parseFilter(filter);
	return wanted.length === 0
		? order
		: order.filter(({task}) => matchesFilter(wanted, searchTermsOfTask(trace, task)));
});

const noTasks: readonly OrderedTask[] = [];

/** Tasks of the selected trace. Starts at the one that needs a person, else at the running one. */
export const taskList = createList({
	name: 'tasks',
	rows: state => {
		const trace = selectedTrace(state);
		return trace ? filteredTasks(trace, state.filters.tasks ?? '') : noTasks;
	},
	id: ({task}) => task.taskId,
	scopeOf: state => selectedTrace(state)?.traceId ?? '',
	start: rows => {
		const waits = rows.findIndex(({task}) => awaitsPerson(task));
		return waits >= 0
			? waits
			: Math.max(
					0,
					rows.findIndex(({task}) => task.status === 'running'),
				);
	},
});

export const selectedTask = (state: State): Task | undefined => taskList.selected(state)?.task;

const runRows = (trace: Trace, taskId?: string): readonly RunRow[] =>
	runsOf(trace, taskId)
		.map(run => ({run, trace}))
		.reverse();
const runsOfTask = memoized((trace: Trace | undefined, taskId: string | undefined): readonly RunRow[] =>
	trace ? runRows(trace, taskId) : [],
);
const runsOfTrace = perObject((trace: Trace) => runRows(trace));

/** Runs of the selected task, or of the whole trace if it has no tasks. */
export const runList = createList({
	name: 'runs',
	rows: state => runsOfTask(selectedTrace(state), selectedTask(state)?.taskId),
	id: ({run}) => run.agentId,
	scopeOf: state => [selectedTrace(state)?.traceId, selectedTask(state)?.taskId].filter(Boolean).join(' '),
});

const everyRun = memoized((traces: ReadonlyMap<string, Trace>, filter: string): readonly RunRow[] => {
	const wanted = parseFilter(filter);
	return [...traces.values()]
		.flatMap(runsOfTrace)
		.filter(row => wanted.length === 0 || matchesFilter(wanted, searchTermsOfRun(row)))
		.sort((a, b) => (a.run.startedAt < b.run.startedAt ? 1 : -1));
});

export const allRunList = createList({
	name: 'allRuns',
	rows: ({traces, filters}) => everyRun(traces, filters.allRuns ?? ''),
	id: ({run}) => run.agentId,
});

/** A session is found by its own words, or by what was said in it. */
const foundSessions = memoized(
	(rows: readonly SessionRow[], filter: string, said: State['said']): readonly SessionRow[] => {
		const wanted = parseFilter(filter);
		const facts = factsOfFilter(wanted);
		const saidIn = said?.text === textOfFilter(wanted) ? said.sessionIds : noIds;
		return rows.filter(row => {
			const terms = searchTermsOfSession(row);
			return (
				matchesFilter(wanted, terms) || (saidIn.has(row.session.sessionId) && matchesFilter(facts, terms))
			);
		});
	},
);

const noIds: ReadonlySet<string> = new Set();

/** Sessions of this checkout: open ones first, then the newest. */
export const sessionList = createList({
	name: 'sessions',
	rows: ({sessions, traces, filters, said}) =>
		foundSessions(sessionRows(sessions, traces), filters.sessions ?? '', said),
	id: ({session}) => session.sessionId,
});

/**
 * The lower panes of the traces tab. Alone, the sheet takes the place of the tasks too. Beside the runs of a
 * decision is its sheet, or the log while the runs or the log have the focus.
 */
export type LowerPanes = 'sheet alone' | 'sheet' | 'sheet or log' | 'runs and log';

const panesWith: Readonly<Record<LowerPanes, readonly PaneId[]>> = {
	'sheet alone': ['traces', 'sheet'],
	sheet: ['traces', 'tasks', 'sheet'],
	'sheet or log': ['traces', 'tasks', 'sheet', 'runs', 'log'],
	'runs and log': ['traces', 'tasks', 'runs', 'log'],
};

/** The shown panes of the open tab, in the order in which the Tab key visits them. */
export const panesOf = (state: State): readonly PaneId[] => {
	if (state.tab === 'traces') return isEmptyColony(state) ? onlySheet : panesWith[lowerPanes(state)];
	if (state.tab !== 'review' || hasReview(state)) return tabPanes[state.tab];
	return shownPlan(state) === undefined ? reviewWithoutSheet : reviewWithoutDiff;
};

/** True if nothing was ever asked for, so that there is nothing to select. */
export const isEmptyColony = ({loaded, traces}: State): boolean => loaded && traces.size === 0;

/** The sheet says how to begin. The empty list above or beside it takes no keys. */
const onlySheet: readonly PaneId[] = ['sheet'];

const reviewWithoutSheet = tabPanes.review.filter(pane => pane !== 'sheet');

const reviewWithoutDiff = tabPanes.review.filter(pane => pane !== 'diff');

/** True if a review is selected, which has a sheet. */
export const hasReview = (state: State): boolean => selectedReview(state) !== undefined;

/** `taskOfSheet` of a trace of any size, read with every key and frame. */
export const decisionOf = perObject(taskOfSheet);

/**
 * The task that the lower half of the traces tab is about. While the list of traces has the focus, it is the
 * decision that the trace waits for, else its review that has to land, else the selected task.
 */
export const shownTask = (state: State): Task | undefined => {
	const trace = selectedTrace(state);
	const decision = trace !== undefined && state.focus.traces === 'traces' ? decisionOf(trace) : undefined;
	return decision ?? selectedTask(state);
};

/**
 * The trace whose waiting plan is shown: in the Review tab that of the selected entry, in the Traces tab that
 * of the selected trace while its list has the focus and no review is due.
 */
export const shownPlan = (state: State): Trace | undefined => {
	if (state.live || state.detail || state.past !== undefined) return undefined;
	if (state.tab === 'review') {
		const cause = selectedCause(state);
		return cause?.entry.kind === 'plan' ? cause.trace : undefined;
	}
	if (state.tab !== 'traces' || state.focus.traces === 'tasks') return undefined;
	const trace = selectedTrace(state);
	return trace !== undefined && decisionOf(trace) === undefined && waitingPlan(trace) ? trace : undefined;
};

/** A decision has its sheet, a run its log. Without either, the sheet shows what is known. */
export const lowerPanes = perObject((state: State): LowerPanes => {
	if (!state.loaded) return 'runs and log';
	const trace = selectedTrace(state);
	const task = shownTask(state);
	if (trace === undefined) return 'sheet alone';
	if (runList.rows(state).length === 0) return 'sheet';
	if (shownPlan(state) !== undefined) return 'sheet or log';
	return task !== undefined && hasSheet(trace, task) ? 'sheet or log' : 'runs and log';
});

/** True if its sheet has more to say than the log of its runs. */
const hasSheet = (trace: Trace, task: Task): boolean =>
	awaitsDecision(trace, task) ||
	isLanding(trace, task) ||
	mergedWithoutChecks(trace, task.taskId) !== undefined;

/** True if the shown task waits for a decision, so that its sheet matters more than the list of tasks. */
export const isSheetFirst = (state: State): boolean => {
	const trace = selectedTrace(state);
	const task = shownTask(state);
	if (shownPlan(state) !== undefined) return true;
	return trace !== undefined && task !== undefined && awaitsDecision(trace, task);
};

/** The run whose log or screen is shown. */
export const selectedRun = (state: State): RunRow | undefined => {
	if (state.detail) {
		const view = detailView(state);
		return view?.run && runRow(view.trace, view.run);
	}
	switch (state.tab) {
		case 'runs':
			return allRunList.selected(state);
		case 'sessions':
			return sessionList.selected(state);
		default:
			return runList.selected(state);
	}
};

/** The log of the selected run. Empty while only another run's log is known. */
export const logOfRun = (state: State): LogView =>
	state.log.agentId === (selectedRun(state)?.run.agentId ?? '') ? state.log : noLog;
const noLog = emptyLog();

const runRow = memoized((trace: Trace, run: RunRecord): RunRow => ({trace, run}));

export const liveBees = ({traces}: State): number => countLive(traces);
const countLive = memoized((traces: ReadonlyMap<string, Trace>) => countLiveBees(traces.values()));

/** Number of runs at work, also of hive's own checks. */
export const liveRuns = ({traces}: State): number => countOpen(traces);
const countOpen = memoized((traces: ReadonlyMap<string, Trace>): number =>
	[...traces.values()].reduce((sum, trace) => sum + openRuns(trace).length, 0),
);

/** When a live run last had output, in milliseconds since 1970. -Infinity if none is live. */
export const lastOutputAt = ({traces, activities}: State): number => newestOutputAt(traces, activities);
const newestOutputAt = memoized((traces: ReadonlyMap<string, Trace>, activities: RunActivities): number =>
	[...traces.values()]
		.flatMap(openRuns)
		.reduce((newest, run) => Math.max(newest, lastActiveAt(run, activities)), Number.NEGATIVE_INFINITY),
);

/** Events and notices of the dashboard, oldest first. */
export const eventRows = ({events, notices}: State): readonly EventRow[] => mergedRows(events, notices);

const mergedRows = memoized(
	(events: readonly StoredEvent[], notices: readonly Notice[]): readonly EventRow[] =>
		notices.length === 0 ? events : [...events, ...notices].sort((a, b) => compareText(a.at, b.at)),
);

type Traces = ReadonlyMap<string, Trace>;

const noTraces: Traces = new Map();

/** The names of traces matter only with a filter. */
const newestRows = memoized((rows: readonly EventRow[], filter: string, traces: Traces) => {
	const wanted = parseFilter(filter);
	const isWanted = (row: EventRow): boolean =>
		matchesFilter(
			wanted,
			isNotice(row) ? {texts: [row.text], facts: {}} : searchTermsOfEvent(row, traces.get(row.traceId)),
		);
	return (wanted.length === 0 ? [...rows] : rows.filter(isWanted)).reverse();
});

export const isNotice = (row: EventRow): row is Notice => 'number' in row;

export const eventList = createList({
	name: 'events',
	rows: state => {
		const filter = state.filters.events ?? '';
		const traces = filter === '' ? noTraces : state.traces;
		return newestRows(state.frozenEvents ?? eventRows(state), filter, traces);
	},
	id: row => (isNotice(row) ? `said-${row.number}` : String(row.sequence)),
});

export const lists: Readonly<Record<ListId, List<unknown>>> = {
	traces: traceList,
	tasks: taskList,
	runs: runList,
	allRuns: allRunList,
	queue: queueList,
	events: eventList,
	sessions: sessionList,
};

/** The subject of an action: a trace, and perhaps one of its tasks, a run or an invite. */
export type Subject = {
	readonly trace?: Trace;
	readonly task?: Task;
	readonly run?: RunRecord;
	readonly invite?: Invite;
};

export const subjectOf = perObject((state: State): Subject => {
	// The panes behind a detail are not visible, so actions do not apply to them.
	if (state.live) return liveView(state) ?? {};
	if (state.detail) return detailView(state) ?? {};
	switch (state.tab) {
		case 'traces':
			return shownSubject(state);
		case 'runs':
		case 'sessions': {
			const row = selectedRun(state);
			return subject(row?.trace, row?.trace.tasks.get(row.run.taskId ?? ''), row?.run);
		}
		case 'review': {
			const row = queueList.selected(state);
			const {task, run} = row && !row.task && !row.invite ? row.about : {task: row?.task};
			return {...subject(row?.trace, task, run), ...(row?.invite && {invite: row.invite})};
		}
		case 'events': {
			const row = eventList.selected(state);
			if (row === undefined || isNotice(row)) return {};
			const trace = state.traces.get(row.traceId);
			const {taskId} = row.payload;
			return subject(trace, typeof taskId === 'string' ? trace?.tasks.get(taskId) : undefined);
		}
		default:
			return {};
	}
});

/** The subject in the traces tab: what its lower half shows is what a key acts on. */
const shownSubject = (state: State): Subject => {
	const trace = selectedTrace(state);
	const task = shownPlan(state) === undefined ? shownTask(state) : undefined;
	const run = task === selectedTask(state) ? selectedRun(state)?.run : undefined;
	return subject(trace, task, run);
};

const subject = (trace?: Trace, task?: Task, run?: RunRecord): Subject => ({
	...(trace && {trace}),
	...(task && {task}),
	...(run && {run}),
});
