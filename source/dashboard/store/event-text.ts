import {counted} from '../../domain/counted.ts';
import type {StoredEvent} from '../../domain/event.ts';

/** What an event says, in a few words. */
export const eventText = ({payload}: StoredEvent): string => {
	const taskId = textField(payload.taskId);
	const status = textField(payload.status);
	const amount = typeof payload.amount === 'number' ? payload.amount : undefined;
	const said = firstText(payload.summary, payload.message, payload.title, payload.reason, payload.body);
	const tasks = Array.isArray(payload.tasks) ? counted(payload.tasks.length, 'task') : '';
	const change = amount === undefined ? '' : payload.kind === 'energy.consume' ? `-${amount}` : `+${amount}`;
	return [taskId, status && `→ ${status}`, change, tasks, said && `"${said}"`].filter(Boolean).join(' ');
};

const textField = (value: unknown): string => (typeof value === 'string' ? value : '');

const firstText = (...values: readonly unknown[]): string => values.map(textField).find(Boolean) ?? '';
