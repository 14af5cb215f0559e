import {parseObject} from '../../domain/json.ts';

/**
 * A line of exactly the form in which `hive event emit` answers (docs/rules.md §5): no words of the script.
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
