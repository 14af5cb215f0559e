import type {Invite} from '../../domain/invite.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {openInvites} from '../../host/views/invite.ts';
import {type Review, reviewQueue} from '../../host/views/review.ts';
import {createList, matches} from './list.ts';
import {memoized} from './memo.ts';
import type {State} from './state.ts';

export type ReviewRow = Pick<Review, 'gate' | 'judgement' | 'warnings'> & {
	readonly trace: Trace;
	readonly task: Task;
	readonly invite?: never;
};
export type InviteRow = {
	readonly trace: Trace;
	readonly invite: Invite;
	readonly task?: never;
	readonly gate?: never;
	readonly judgement?: never;
};
export type QueueRow = ReviewRow | InviteRow;

const queue = memoized((traces: ReadonlyMap<string, Trace>) => reviewQueue(traces.values()));

const invited = memoized((traces: ReadonlyMap<string, Trace>): readonly InviteRow[] =>
	openInvites(traces.values()).flatMap(({traceId, inviteId}) => {
		const trace = traces.get(traceId);
		const invite = trace?.invites.get(inviteId);
		return trace && invite ? [{trace, invite}] : [];
	}),
);

const reviewRows = memoized((traces: ReadonlyMap<string, Trace>, filter: string): readonly ReviewRow[] =>
	queue(traces).flatMap(({gate, judgement, warnings, task: {traceId, taskId, title}}) => {
		const trace = traces.get(traceId);
		const task = trace?.tasks.get(taskId);
		return trace && task && matches(filter, traceId, taskId, title)
			? [{trace, task, gate, judgement, warnings}]
			: [];
	}),
);

const isPending = ({invite}: InviteRow): boolean => invite.status === 'pending';

/** Invites that wait lead: they are short to answer, and work waits for what comes of them. Others can be accepted still, and wait for nobody. */
const queueRows = memoized((traces: ReadonlyMap<string, Trace>, filter: string): readonly QueueRow[] => {
	const found = invited(traces).filter(({trace: {traceId}, invite: {inviteId, bee, intent = '', task}}) =>
		matches(filter, traceId, inviteId, bee, intent, task),
	);
	return [...found.filter(isPending), ...reviewRows(traces, filter), ...found.filter(row => !isPending(row))];
});

export const queueKey = ({trace, task}: {readonly trace: Trace; readonly task: Task}): string =>
	`${trace.traceId}/${task.taskId}`;

/** No task is named so. */
const inviteKey = ({trace, invite}: InviteRow): string => `${trace.traceId}//${invite.inviteId}`;

export const queueList = createList({
	name: 'queue',
	rows: ({traces, filters}) => queueRows(traces, filters.queue ?? ''),
	id: row => (row.task ? queueKey(row) : inviteKey(row)),
});

/** The task under review, and the invite, that is selected in the queue. */
export const selectedReview = (state: State): ReviewRow | undefined => {
	const row = queueList.selected(state);
	return row?.task ? row : undefined;
};
export const selectedInvite = (state: State): Invite | undefined => queueList.selected(state)?.invite;

/** How many tasks and invites wait for a person, whatever is filtered. */
export const waitingCount = ({traces}: State): number =>
	queue(traces).length + invited(traces).filter(isPending).length;
