import type {Payload, StoredEvent} from '../domain/event.ts';
import {eventSnapshot, eventView} from '../host/views/event.ts';
import {localTime} from '../host/views/local-time.ts';
import type {OutputLine} from './command.ts';
import {outsideLine, warningLine} from './warning-line.ts';

/**
 * Returns one event as a line: complete for scripts, its subject for people. Below the end of a run, adds
 * hive's warnings and changes outside of its workspace.
 */
export const eventLine = (event: StoredEvent): OutputLine => {
	const {sequence, at, payload} = event;
	const line =
		`${String(sequence).padStart(5)}  ${localTime(at)}  ${payload.kind.padEnd(22)}  ${subjectOf(payload)}`.trimEnd();
	const {warnings, outside} = eventView(payload);
	return {
		json: eventSnapshot(event),
		text: [
			line,
			...[...warnings.map(warningLine), ...outside.map(outsideLine)].flatMap(text => ['\n       ', text]),
		],
	};
};

/**
 * Formats events of any traces. For people, a trace is named whenever it differs from that of the previous
 * line.
 */
export const createEventLines = (): ((event: StoredEvent) => OutputLine) => {
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

/** The subject of an event, in one line. */
export const subjectOf = (payload: Payload): string => {
	const {taskId, status, bee, tasks = [], text} = eventView(payload);
	return [taskId, status, bee, tasks.join(', '), text]
		.filter(Boolean)
		.map(word => word.split('\n', 1)[0])
		.join(' · ')
		.slice(0, 160);
};
