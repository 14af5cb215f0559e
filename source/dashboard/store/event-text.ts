import {counted} from '../../domain/counted.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {eventView} from '../../host/views/event.ts';

/** What an event says, in a few words. */
export const eventText = ({payload}: StoredEvent): string => {
	const {taskId, status, honey, tasks, text} = eventView(payload);
	const change = honey === undefined ? '' : honey < 0 ? String(honey) : `+${honey}`;
	const planned = tasks ? counted(tasks.length, 'task') : '';
	return [taskId, status && `→ ${status}`, change, planned, text && `"${text}"`].filter(Boolean).join(' ');
};
