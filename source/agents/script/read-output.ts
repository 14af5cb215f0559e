import {type AgentOutput, exitError} from '../output.ts';

/** Of a longer output the end is the summary, in characters. */
const longest = 16 * 1024;

/** What a script printed is its summary, without what hive said to it; a non-zero exit code fails the run (docs/rules.md §8). */
export const readScriptOutput = (stdout: string, exitCode: number): AgentOutput => ({
	summary: keepEnd(withoutFeedback(stdout).trim()),
	...exitError(exitCode),
});

/** Whole lines where there are any. */
const keepEnd = (text: string): string => {
	if (text.length <= longest) return text;
	const end = text.slice(-longest);
	return `… (stdout.log has the rest)\n${end.slice(end.indexOf('\n') + 1).trim()}`;
};

const withoutFeedback = (text: string): string =>
	text
		.split('\n')
		.filter(line => !isFeedback(line))
		.join('\n');

/** Exactly what `hive event emit` prints (docs/rules.md §5). */
const isFeedback = (line: string): boolean => {
	if (!line.startsWith('{"')) return false;
	const {v: _, ...said} = parseRecord(line);
	const fields = Object.keys(said).join(' ');
	return feedbacks.some(feedback => feedback.fields === fields && feedback.ok === said.ok);
};

const feedbacks = [
	{ok: true, fields: 'ok traceId type kind id sequence eventLogPath warnings'},
	{ok: true, fields: 'ok deferred traceId type kind id pendingPath warnings'},
	{ok: false, fields: 'ok error details'},
];

const parseRecord = (line: string): Readonly<Record<string, unknown>> => {
	try {
		return JSON.parse(line);
	} catch {
		return {};
	}
};
