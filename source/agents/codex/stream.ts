import type {JsonObject} from '../../domain/json.ts';
import {errorIn, plainError} from '../errors.ts';
import {countIn, listIn, omitUndefined, recordIn, textIn} from '../json.ts';
import type {ParsedRecord, StreamReader} from '../parsed-record.ts';

/** Reads the output of `codex exec --json`: a thread, its turns, and items that start and complete. */
export const readCodexRecord: StreamReader = record => {
	switch (record.type) {
		case 'thread.started':
			return [{type: 'session', ...omitUndefined({id: textIn(record, 'thread_id') || undefined})}];
		case 'turn.started':
			return [];
		case 'item.updated':
			return [...parseOutput(recordIn(record, 'item')), ...parsePlan(recordIn(record, 'item'))];
		case 'item.started':
			return [...parseToolCall(recordIn(record, 'item')), ...parsePlan(recordIn(record, 'item'))];
		case 'item.completed':
			return parseItem(recordIn(record, 'item'));
		case 'turn.completed':
			return [{type: 'usage', of: 'run', amount: amountIn(recordIn(record, 'usage'))}, {type: 'end'}];
		case 'turn.failed':
			return [
				{
					type: 'end',
					error: errorIn(record) ?? 'the turn failed',
					cause: {text: textIn(recordIn(record, 'error'), 'message')},
				},
			];
		case 'error':
			return [parseError(plainError(textIn(record, 'message')))];
		default:
			return undefined;
	}
};

/** Codex retries by itself. A final error is followed by a failed turn. */
const parseError = (message: string): ParsedRecord => {
	const [, attempt, maxAttempts, reasonText = ''] =
		/^Reconnecting\.\.\. (\d+)\/(\d+)\s*(.*)$/s.exec(message) ?? [];
	if (attempt === undefined) return {type: 'warning', text: message};
	const reason = plainError(reasonText.replace(/^\(([\s\S]*)\)$/, '$1')) || 'the connection was lost';
	return {type: 'retry', retry: {attempt: Number(attempt), maxAttempts: Number(maxAttempts), reason}};
};

const callOf = (item: JsonObject): {call?: string} => omitUndefined({call: textIn(item, 'id') || undefined});

const parseToolCall = (item: JsonObject): readonly ParsedRecord[] => {
	const of = callOf(item);
	switch (item.type) {
		case 'command_execution':
			return [{type: 'tool', name: 'shell', input: {command: commandIn(item)}, ...of}];
		case 'mcp_tool_call':
			return [{type: 'tool', name: textIn(item, 'tool') || 'tool', input: item.arguments, ...of}];
		case 'web_search':
			return [{type: 'tool', name: 'search', input: {query: item.query}, ...of}];
		default:
			return [];
	}
};

const parsePlan = (item: JsonObject): readonly ParsedRecord[] =>
	item.type === 'todo_list' ? [{type: 'plan', items: listIn(item, 'items')}] : [];

/** The command without the shell that wraps it. */
const commandIn = (item: JsonObject): string => {
	const command = textIn(item, 'command');
	return /^(?:\S*\/)?(?:ba|z)?sh -l?c (['"]?)([\s\S]*)\1$/.exec(command)?.[2] ?? command;
};

const parseOutput = (item: JsonObject): readonly ParsedRecord[] => {
	const text = textIn(item, 'aggregated_output');
	return item.type === 'command_execution' && text !== '' ? [{type: 'output', text, ...callOf(item)}] : [];
};

const parseItem = (item: JsonObject): readonly ParsedRecord[] => {
	const of = callOf(item);
	switch (item.type) {
		case 'agent_message':
			return [{type: 'words', text: textIn(item, 'text')}];
		case 'command_execution':
			return [parseCommand(item, of)];
		case 'file_change':
			return [
				...listIn(item, 'changes').map(
					change =>
						({type: 'tool', name: textIn(change, 'kind') || 'edit', input: {path: change.path}}) as const,
				),
				...(item.status === 'failed' ? [{type: 'failure', text: 'the patch was not applied'} as const] : []),
			];
		case 'mcp_tool_call':
			return [
				item.status === 'failed'
					? {type: 'failure', text: textIn(recordIn(item, 'error'), 'message'), ...of}
					: {type: 'result', text: '', ...of},
			];
		case 'error':
			return [{type: 'warning', text: plainError(textIn(item, 'message'))}];
		default:
			return [];
	}
};

const parseCommand = (item: JsonObject, of: {call?: string}): ParsedRecord => {
	const text = textIn(item, 'aggregated_output');
	if (item.status === 'declined')
		return {type: 'failure', text: text || 'not approved', ...of, isDenied: true};
	const isFailure = item.status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0);
	return isFailure
		? {type: 'failure', text: text.trim() || `exit code ${item.exit_code}`, ...of}
		: {type: 'result', text, ...of};
};

/** Cache reads and writes are included in its input tokens, and reasoning in its output tokens. */
const amountIn = (usage: JsonObject) => {
	const [input, read, written] = ['input_tokens', 'cached_input_tokens', 'cache_write_input_tokens'].map(
		name => countIn(usage, name),
	);
	return omitUndefined({
		inputTokens: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (written ?? 0)),
		outputTokens: countIn(usage, 'output_tokens'),
		cacheReadTokens: read,
		cacheWriteTokens: written,
	});
};
