import type {StoredEvent} from '../../domain/event.ts';
import type {Invite} from '../../domain/invite.ts';
import type {RunRecord} from '../../domain/run.ts';
import {awaitsPerson, type Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import {liveBees as countLiveBees, runsOf} from '../../host/views/run.ts';
import {statusWords} from '../../host/views/task.ts';
import {type TraceView, traceView} from '../../host/views/trace.ts';
import type {Wait} from '../../host/waits.ts';
import {type OrderedTask, orderTasks} from '../parts/task-order.ts';
import {eventText} from './event-text.ts';
import {createList, type List, matches} from './list.ts';
import {memoized, perObject} from './memo.ts';
import {queueKey, queueList} from './queue.ts';
import {type SessionRow, sessionRows} from './sessions.ts';
import type {EventRow, ListId, Notice, PaneId, State, TraceSort} from './state.ts';

export type TraceRow = Omit<TraceView, 'status'> & {
	readonly status: Exclude<TraceView['status'], 'requested'>;
	readonly trace: Trace;
	/** A task or an invite waits for a person. */
	readonly isWaiting: boolean;
};
export type RunRow = {readonly run: RunRecord; readonly trace: Trace};
export const focusedPane = ({tab, focus}: State): PaneId => focus[tab];

const traceRow = perObject((trace: Trace): TraceRow => {
	const view = traceView(trace);
	const status = view.status === 'requested' ? 'planned' : view.status;
	return {...view, status, trace, isWaiting: view.needs === 'waiting_review' || view.needs === 'invited'};
});

const sortedTraces = memoized((traces: ReadonlyMap<string, Trace>, sort: TraceSort, filter: string) =>
	[...traces.values()]
		.map(traceRow)
		.filter(({trace, title, status}) => matches(filter, trace.traceId, title, status))
		.sort(traceOrders[sort]),
);

const newest = (a: TraceRow, b: TraceRow): number => (a.trace.createdAt < b.trace.createdAt ? 1 : -1);
const urgency = ({needs, status}: TraceRow): number =>
	[
		'waiting_review',
		'invited',
		'failed',
		'blocked',
		'paused',
		'running',
		'ready',
		'planned',
		'completed',
		'cancelled',
	].indexOf(needs ?? status);
const traceOrders: Readonly<Record<TraceSort, (a: TraceRow, b: TraceRow) => number>> = {
	newest,
	'needs you first': (a, b) => urgency(a) - urgency(b) || newest(a, b),
	title: (a, b) => a.title.localeCompare(b.title) || newest(a, b),
};

export const traceList = createList({
	name: 'traces',
	rows: ({traces, sort, filters}) => sortedTraces(traces, sort, filters.traces ?? ''),
	id: ({trace}) => trace.traceId,
});

export const selectedTrace = (state: State): Trace | undefined => traceList.selected(state)?.trace;

const orderOf = perObject(orderTasks);
const filteredTasks = memoized((trace: Trace, filter: string) => {
	const order = orderOf(trace.tasks);
	return filter === ''
		? order
		: order.filter(({task}) => matches(filter, task.taskId, task.title, task.bee, statusWords(trace, task)));
});

const noTasks: readonly OrderedTask[] = [];

/** Tasks of the selected trace. Starts at the one that needs a person, else at the one that runs. */
export const taskList = createList({
	name: 'tasks',
	rows: state => {
		const trace = selectedTrace(state);
		return trace ? filteredTasks(trace, state.filters.tasks ?? '') : noTasks;
	},
	id: ({task}) => task.taskId,
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

/** Runs of the selected task; of the whole trace while it has no tasks. */
export const runList = createList({
	name: 'runs',
	rows: state => runsOfTask(selectedTrace(state), selectedTask(state)?.taskId),
	id: ({run}) => run.agentId,
});

const everyRun = memoized((traces: ReadonlyMap<string, Trace>, filter: string): readonly RunRow[] =>
	[...traces.values()]
		.flatMap(runsOfTrace)
		.filter(({run, trace}) =>
			matches(filter, run.agentId, run.bee, run.taskId ?? '', run.status, trace.traceId),
		)
		.sort((a, b) => (a.run.startedAt < b.run.startedAt ? 1 : -1)),
);

export const allRunList = createList({
	name: 'allRuns',
	rows: ({traces, filters}) => everyRun(traces, filters.allRuns ?? ''),
	id: ({run}) => run.agentId,
});

const foundSessions = memoized((rows: readonly SessionRow[], filter: string): readonly SessionRow[] =>
	rows.filter(({session: {sessionId, bee, state}, trace}) =>
		matches(filter, sessionId, bee, state, trace.traceId, titleOf(trace)),
	),
);

/** Sessions of this checkout: the open ones first, then the newest. */
export const sessionList = createList({
	name: 'sessions',
	rows: ({sessions, traces, filters}) => foundSessions(sessionRows(sessions, traces), filters.sessions ?? ''),
	id: ({session}) => session.sessionId,
});

/** The run whose log is shown, or whose screen. */
export const selectedRun = (state: State): RunRow | undefined => {
	switch (state.tab) {
		case 'runs':
			return allRunList.selected(state);
		case 'sessions':
			return sessionList.selected(state);
		default:
			return runList.selected(state);
	}
};

export const liveBees = ({traces}: State): number => live(traces);
const live = memoized((traces: ReadonlyMap<string, Trace>) => countLiveBees(traces.values()));

/** Events and what the dashboard said, oldest first. */
export const eventRows = ({events, notices}: State): readonly EventRow[] => mergedRows(events, notices);

const mergedRows = memoized(
	(events: readonly StoredEvent[], notices: readonly Notice[]): readonly EventRow[] =>
		notices.length === 0
			? events
			: [...events, ...notices].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)),
);

const newestRows = memoized((rows: readonly EventRow[], filter: string) =>
	rows
		.filter(row =>
			isNotice(row)
				? matches(filter, row.text)
				: matches(filter, row.traceId, row.type, row.payload.kind, eventText(row)),
		)
		.reverse(),
);

export const isNotice = (row: EventRow): row is Notice => 'number' in row;

export const eventList = createList({
	name: 'events',
	rows: state => newestRows(state.frozenEvents ?? eventRows(state), state.filters.events ?? ''),
	id: row => (isNotice(row) ? `said-${row.number}` : String(row.sequence)),
});

export const lists: Readonly<Record<ListId, Pick<List<unknown>, 'rows' | 'position' | 'idAt'>>> = {
	traces: traceList,
	tasks: taskList,
	runs: runList,
	allRuns: allRunList,
	queue: queueList,
	events: eventList,
	sessions: sessionList,
};

const noWaits: readonly Wait[] = [];

/** Names what waits: a task, or without one its trace. */
export const waitsKey = (trace: Trace, task: Task | undefined): string =>
	task ? queueKey({trace, task}) : trace.traceId;

/** What the selected task, or the trace without one, waits for, when it was asked of that. */
export const selectedWaits = (state: State): readonly Wait[] => {
	const trace = selectedTrace(state);
	const isAsked = trace && state.waits?.key === waitsKey(trace, selectedTask(state));
	return isAsked ? (state.waits?.waits ?? noWaits) : noWaits;
};

/** What an action would act on: a trace, perhaps one of its tasks, a run or an invite. */
export type Subject = {
	readonly trace?: Trace;
	readonly task?: Task;
	readonly run?: RunRecord;
	readonly invite?: Invite;
};

export const subjectOf = perObject((state: State): Subject => {
	switch (state.tab) {
		case 'traces':
			return subject(selectedTrace(state), selectedTask(state), selectedRun(state)?.run);
		case 'runs':
		case 'sessions': {
			const row = selectedRun(state);
			return subject(row?.trace, row?.trace.tasks.get(row.run.taskId ?? ''), row?.run);
		}
		case 'review': {
			const row = queueList.selected(state);
			return {...subject(row?.trace, row?.task), ...(row?.invite && {invite: row.invite})};
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

const subject = (trace?: Trace, task?: Task, run?: RunRecord): Subject => ({
	...(trace && {trace}),
	...(task && {task}),
	...(run && {run}),
});
