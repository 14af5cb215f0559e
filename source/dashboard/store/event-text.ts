import {counted} from '../../domain/counted.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {eventView} from '../../host/views/event.ts';
import {warningMark} from '../../host/views/run.ts';

/** What an event says, in a few words. */
export const eventText = ({payload}: StoredEvent): string => {
	const {taskId, status, change, tasks, text, warnings} = eventView(payload);
	const planned = tasks ? counted(tasks.length, 'task') : '';
	const mark = warningMark(warnings.length);
	return [taskId, status && `→ ${status}`, change, planned, text && `"${text}"`, mark]
		.filter(Boolean)
		.join(' ');
};
