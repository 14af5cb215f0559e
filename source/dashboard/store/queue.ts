import {firstLineOf, type Invite} from '../../domain/invite.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';
import {openInvites} from '../../host/views/invite.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {agentTitle, reviewName} from '../../host/views/name.ts';
import {type Review, reviewQueue} from '../../host/views/review.ts';
import {matchesFilter, parseFilter} from './filter.ts';
import {inbox} from './inbox.ts';
import {inviteTitle} from './invite.ts';
import {createList} from './list.ts';
import {memoized, perObject} from './memo.ts';
import {searchTermsOfNeed} from './search-terms.ts';
import type {State} from './state.ts';

export type ReviewRow = Pick<Review, 'gate' | 'round' | 'judgement' | 'warnings'> & {
	readonly trace: Trace;
	readonly task: Task;
	readonly entry: InboxEntry;
	readonly invite?: never;
};
export type InviteRow = {
	readonly trace: Trace;
	readonly invite: Invite;
	readonly task?: never;
	readonly entry?: never;
};
/** A cause that is neither a review nor an invite: a question, no change, a failure, or a blocked task. */
export type CauseRow = {
	readonly entry: InboxEntry;
	/** Absent if the cause concerns the whole colony. */
	readonly trace?: Trace;
	/** The task and run to act on. */
	readonly about: {readonly task?: Task; readonly run?: RunRecord};
	readonly task?: never;
	readonly invite?: never;
};
export type QueueRow = ReviewRow | InviteRow | CauseRow;

const reviews = memoized(
	(traces: ReadonlyMap<string, Trace>) =>
		new Map(
			reviewQueue(traces.values()).map(review => [`${review.task.traceId}/${review.task.taskId}`, review]),
		),
);

/** Invites that no longer wait for a person, but can still be accepted. */
const leftInvites = memoized((traces: ReadonlyMap<string, Trace>): readonly InviteRow[] =>
	openInvites(traces.values()).flatMap(({traceId, inviteId, status}) => {
		const trace = traces.get(traceId);
		const invite = status === 'pending' ? undefined : trace?.invites.get(inviteId);
		return trace && invite ? [{trace, invite}] : [];
	}),
);

const rowOf = (entry: InboxEntry, traces: ReadonlyMap<string, Trace>): QueueRow => {
	const {traceId = '', taskId = '', inviteId = '', agentId = ''} = entry;
	const trace = traces.get(traceId);
	if (trace === undefined) return {entry, about: {}};
	const invite = trace.invites.get(inviteId);
	if (invite !== undefined) return {trace, invite};
	const task = trace.tasks.get(taskId);
	const review = reviews(traces).get(`${traceId}/${taskId}`);
	if (task !== undefined && review !== undefined && hasChange(entry, task)) {
		const {gate, round, judgement, warnings} = review;
		return {trace, task, entry, gate, round, judgement, warnings};
	}
	const run = trace.runs.get(agentId);
	return {entry, trace, about: {...(task && {task}), ...(run && {run})}};
};

/** A question, or work without a change, has a diff only if it was proposed before. */
const hasChange = ({kind}: InboxEntry, {proposal}: Task): boolean =>
	(kind !== 'question' && kind !== 'no_change') || proposal !== undefined;

/** The inbox in its order, followed by the invites that can still be accepted. */
const allRows = memoized((traces: ReadonlyMap<string, Trace>, entries: readonly InboxEntry[]) => [
	...entries.map(entry => rowOf(entry, traces)),
	...leftInvites(traces),
]);

const foundRows = memoized((rows: readonly QueueRow[], text: string): readonly QueueRow[] => {
	const filter = parseFilter(text);
	return filter.length === 0 ? rows : rows.filter(row => matchesFilter(filter, searchTermsOfNeed(row)));
});

export const queueKey = ({trace, task}: {readonly trace: Trace; readonly task: Task}): string =>
	`${trace.traceId}/${task.taskId}`;

/** `//` cannot occur in a task key, so these keys cannot collide. */
const keyOf = (row: QueueRow): string => {
	if (row.task) return queueKey(row);
	return row.invite ? `${row.trace.traceId}//${row.invite.inviteId}` : row.entry.key;
};

export const queueList = createList({
	name: 'queue',
	rows: state => foundRows(allRows(state.traces, inbox(state)), state.filters.queue ?? ''),
	id: keyOf,
});

/** The selected review, invite or other cause in the queue. */
export const selectedReview = (state: State): ReviewRow | undefined => {
	const row = queueList.selected(state);
	return row?.task ? row : undefined;
};
export const selectedInvite = (state: State): Invite | undefined => queueList.selected(state)?.invite;
export const selectedCause = (state: State): CauseRow | undefined => {
	const row = queueList.selected(state);
	return row && !row.task && !row.invite ? row : undefined;
};

/** The file to repair for the selected cause. */
export const selectedFile = (state: State): string | undefined => selectedCause(state)?.entry.file;

/** The id of the session that the selected cause is about. */
export const selectedWaitingSession = (state: State): string | undefined => {
	const entry = selectedCause(state)?.entry;
	return entry?.kind === 'session' ? entry.agentId : undefined;
};

/** The title of a row, as the queue shows it. */
export const rowName = (row: QueueRow): string => {
	if (row.task) return reviewName(row.trace, row.task);
	return row.invite ? `${firstLineOf(row.invite)} · ${inviteTitle(row.invite)}` : row.entry.title;
};

/** What tells rows of the same title but of other traces apart, by row; empty for most lists. */
export const twinNotes = perObject((rows: readonly QueueRow[]): ReadonlyMap<QueueRow, string> => {
	const named = new Map<string, Map<string, Trace>>();
	for (const row of rows) {
		const same = named.get(rowName(row)) ?? new Map<string, Trace>();
		if (row.trace) named.set(rowName(row), same.set(row.trace.traceId, row.trace));
	}
	return new Map(
		rows.flatMap(row => {
			const same = named.get(rowName(row)) ?? noTraces;
			return row.trace && same.size > 1 ? [[row, noteAmong([...same.values()], row.trace)]] : [];
		}),
	);
});

const noTraces: ReadonlyMap<string, Trace> = new Map();

/** The first of its notes that no other of these traces has. */
const noteAmong = (traces: readonly Trace[], trace: Trace): string =>
	[agentTitle, requestLine, askedAt]
		.filter(note => note(trace) !== '' && traces.every(one => one === trace || note(one) !== note(trace)))
		.map(note => note(trace))[0] ?? '';

/** The first line of what was asked. A trace without a request has that of its first task. */
const requestLine = ({request, tasks}: Trace): string => {
	const [task] = tasks.values();
	return (request ?? task)?.body.trim().split('\n', 1)[0] ?? '';
};

const askedAt = ({createdAt}: Trace): string => `asked ${localMoment(createdAt)}`;

/** The number of causes that need a person, regardless of the filter. */
export const waitingCount = (state: State): number => inbox(state).length;
