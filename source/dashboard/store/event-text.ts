import type {StoredEvent} from '../../domain/event.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {Trace} from '../../domain/trace.ts';
import {eventView} from '../../host/views/event.ts';
import {taskName, traceName} from '../../host/views/name.ts';
import {warningMark} from '../../host/views/run.ts';

/** An event in a few words. Its task is named by its title, unless that equals the trace's. */
export const eventText = ({payload}: StoredEvent, trace: Trace | undefined): string => {
	const {taskId, status, change, tasks, text, warnings} = eventView(payload);
	const task = trace?.tasks.get(taskId);
	const name = task ? taskName(task) : taskId;
	const named = trace && name === traceName(trace) ? '' : name;
	const planned = tasks ? formatCount(tasks.length, 'task') : '';
	const mark = warningMark(warnings.length);
	return [named, status && `→ ${status}`, change, planned, text && `"${text}"`, mark]
		.filter(Boolean)
		.join(' ');
};
