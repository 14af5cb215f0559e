import {parseObject} from '../../domain/json.ts';

/**
 * True for a line that has exactly the format of `hive event emit`'s answer (docs/rules.md §5). It is not the
 * script's own output.
 */
export const isFeedback = (line: string): boolean => {
	if (!line.startsWith('{"')) return false;
	const {v: _, ...said} = parseObject(line) ?? {};
	const fields = Object.keys(said).join(' ');
	return feedbacks.some(feedback => feedback.fields === fields && feedback.ok === said.ok);
};

const feedbacks = [
	{ok: true, fields: 'ok traceId type kind id sequence eventLogPath warnings'},
	{ok: true, fields: 'ok deferred traceId type kind id pendingPath warnings'},
	{ok: true, fields: 'ok queued traceId type kind id spoolPath warnings'},
	{ok: false, fields: 'ok error details'},
];
