import type {Payload, StoredEvent} from '../domain/event.ts';
import type {Line} from './command.ts';

/** One event as a line: for scripts whole, for people what it is about. */
export const eventLine = ({sequence, id, at, traceId, agentId = '', type, payload}: StoredEvent): Line => ({
	json: {sequence, id, at, traceId, agentId, type, payload},
	text: `${String(sequence).padStart(5)}  ${at.slice(11, 19)}  ${payload.kind.padEnd(22)}  ${subjectOf(payload)}`.trimEnd(),
});

/** Lines of events of any traces: for people, a trace is named whenever it is another one than before. */
export const createEventLines = (): ((event: StoredEvent) => Line) => {
	let last = '';
	return event => {
		const {json, text} = eventLine(event);
		if (event.traceId === last) return {json, text};
		last = event.traceId;
		return {
			json,
			text: [{text: `${last}\n`, style: 'strong'}, ...(typeof text === 'string' ? [text] : text)],
		};
	};
};

/** What an event is about, in one line. */
export const subjectOf = (payload: Payload): string =>
	payload.kind === 'task.plan' ? plannedTasks(payload) : wordsOf(payload);

const plannedTasks = ({tasks}: Payload): string =>
	(Array.isArray(tasks) ? tasks : []).map(({taskId}: {taskId?: unknown}) => String(taskId)).join(', ');

const wordsOf = (payload: Payload): string =>
	['taskId', 'status', 'bee', 'title', 'summary', 'reason', 'message']
		.map(field => payload[field])
		.filter(value => typeof value === 'string' && value !== '')
		.map(value => String(value).split('\n')[0])
		.join(' · ')
		.slice(0, 160);
