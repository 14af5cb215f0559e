import type {Payload, StoredEvent} from '../../domain/event.ts';
import {formatOutsideFact, isSevere} from '../../domain/outside.ts';
import {amountIn, outsideIn, warningsIn} from '../../ledger/payload.ts';
import {formatCompactCount, formatDollars} from './format-reserve.ts';
import {localMoment} from './local-time.ts';
import {paused} from './run.ts';

/** An event in the shape that scripts rely on. */
export const eventSnapshot = ({sequence, id, at, traceId, agentId = '', type, payload}: StoredEvent) => ({
	sequence,
	id,
	at,
	traceId,
	agentId,
	type,
	payload,
});

/** The subject of an event, as far as it is in the payload. */
export type EventView = {
	readonly taskId: string;
	readonly status: string;
	readonly bee: string;
	/** Ids of the tasks that it plans. */
	readonly tasks?: readonly string[];
	/** Honey, money and tokens that it adds, or takes (negative): `+5`; empty for none. */
	readonly change: string;
	/** Its text. */
	readonly text: string;
	/** For the end of a run: hive's warnings about it. */
	readonly warnings: readonly string[];
	/** For the end of a run: changes outside of its workspace that no warning mentions. */
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
	(outsideIn(payload).outside ?? []).filter(fact => !isSevere(fact)).map(formatOutsideFact);

/** The status; for a paused one also until when. */
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
	const added = [
		honey && String(honey),
		cost && formatDollars(cost),
		tokens && `${formatCompactCount(tokens)} tokens`,
	];
	return added.flatMap(amount => (amount ? [`+${amount}`] : [])).join(' ');
};

/** Fields that may have the event's text; the first that is present is used. */
const preferredFields = [
	...(['summary', 'message', 'title', 'reason', 'rationale', 'body', 'task', 'option', 'text'] as const),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const idOf = (task: unknown): string =>
	typeof task === 'object' && task !== null && 'taskId' in task ? textOf(task.taskId) : '';
