import type {Payload, StoredEvent} from '../../domain/event.ts';
import {isRed, outsideWords} from '../../domain/outside.ts';
import {amountIn, outsideIn, warningsIn} from '../../ledger/payload.ts';
import {localMoment} from './local-time.ts';
import {compactCount, dollars} from './reserve.ts';
import {paused} from './run.ts';

/** An event as scripts know it. */
export const eventSnapshot = ({sequence, id, at, traceId, agentId = '', type, payload}: StoredEvent) => ({
	sequence,
	id,
	at,
	traceId,
	agentId,
	type,
	payload,
});

/** What an event is about, as far as it says. */
export type EventView = {
	readonly taskId: string;
	readonly status: string;
	readonly bee: string;
	/** Ids of the tasks it plans. */
	readonly tasks?: readonly string[];
	/** Honey, money and tokens that it adds, negative for what it takes: `+5`; empty for none. */
	readonly change: string;
	/** What it says in words. */
	readonly text: string;
	/** Of the end of a run: what hive warns of about it. */
	readonly warnings: readonly string[];
	/** And what was other outside of its workspace, as far as no warning says it. */
	readonly outside: readonly string[];
};

export const eventView = (payload: Payload): EventView => {
	const {taskId, bee, tasks} = payload;
	const planned = Array.isArray(tasks) ? tasks : undefined;
	return {
		taskId: textOf(taskId),
		status: statusIn(payload),
		bee: textOf(bee),
		...(planned && {tasks: planned.map(idOf)}),
		change: changeIn(payload),
		text: preferredFields.map(field => textOf(payload[field])).find(Boolean) ?? '',
		warnings: payload.kind === 'run.finished' ? warningsIn(payload) : [],
		outside: payload.kind === 'run.finished' ? quietIn(payload) : [],
	};
};

const quietIn = (payload: Payload): readonly string[] =>
	(outsideIn(payload).outside ?? []).filter(fact => !isRed(fact)).map(outsideWords);

/** What is paused says so, and until when. */
const statusIn = ({status, until, pausedUntil}: Payload): string => {
	const time = textOf(pausedUntil) || (status === 'blocked' ? textOf(until) : '');
	return time === '' ? textOf(status) : `${paused} until ${localMoment(time)}`;
};

const changeIn = (payload: Payload): string => {
	const [honey, cost, tokens] = [
		amountIn(payload, 'amount', 'whole'),
		amountIn(payload, 'cost', 'money'),
		amountIn(payload, 'tokens', 'whole'),
	];
	if (payload.kind === 'energy.consume') return honey > 0 ? `-${honey}` : '';
	if (payload.kind !== 'energy.add') return '';
	const added = [honey && String(honey), cost && dollars(cost), tokens && `${compactCount(tokens)} tokens`];
	return added.flatMap(words => (words ? [`+${words}`] : [])).join(' ');
};

/** The first that an event has is what it says. */
const preferredFields = [
	...(['summary', 'message', 'title', 'reason', 'rationale', 'body', 'task', 'option', 'text'] as const),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const idOf = (task: unknown): string =>
	typeof task === 'object' && task !== null && 'taskId' in task ? textOf(task.taskId) : '';
