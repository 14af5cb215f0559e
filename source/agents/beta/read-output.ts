import {contentText} from '../content.ts';
import {errorIn} from '../error-in.ts';
import {isRecord, readJson} from '../json-lines.ts';
import {type AgentOutput, exitError} from '../output.ts';

type Json = Readonly<Record<string, unknown>>;

const textFields = ['summary', 'output', 'text', 'content', 'message', 'result', 'assistant', 'response'];
/** `item` and `part` hold what other tools stream piece by piece. */
const nestedFields = ['response', 'data', 'item', 'part'];

/**
 * Reads what beta printed: the newest JSON object that holds a text in one of the common fields, else the output as it
 * is (docs/rules.md §8). A bad exit code fails the run, and so does an error in the last object.
 */
export const readBetaOutput = (stdout: string, exitCode: number): AgentOutput => {
	const records = readJson(stdout);
	const last = records.at(-1);
	const error = last === undefined ? undefined : errorIn(last);
	const found = records
		.filter(record => !isForeign(record))
		.map(record => textOf(record, 0))
		.findLast(text => text !== '');
	return {summary: found ?? stdout.trim(), ...(error === undefined ? exitError(exitCode) : {error})};
};

/** What a person or a tool said is not the agent's. */
const isForeign = ({type, role, message}: Json): boolean =>
	(typeof type === 'string' && type.startsWith('tool_')) ||
	[role, isRecord(message) ? message.role : undefined].some(
		speaker => typeof speaker === 'string' && speaker !== 'assistant',
	);

const maxDepth = 8;

const textOf = (record: Json, depth: number): string => {
	const own = textFields.map(field => record[field]);
	const text = own.map(contentText).find(value => value !== '');
	if (text !== undefined) return text;
	const spoken: readonly unknown[] = Array.isArray(record.messages) ? record.messages : [];
	const answer = spoken.filter(isRecord).findLast(({role}) => role === 'assistant');
	const nested = [...nestedFields.map(field => record[field]), ...own, answer].filter(isRecord);
	if (depth >= maxDepth) return '';
	return nested.map(value => textOf(value, depth + 1)).find(value => value !== '') ?? '';
};
