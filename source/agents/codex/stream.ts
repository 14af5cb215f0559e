import type {JsonObject} from '../../domain/json.ts';
import {errorIn, plainError} from '../errors.ts';
import {countIn, given, listIn, recordIn, textIn} from '../json.ts';
import type {Said, StreamReader} from '../said.ts';

/** Reads the output of `codex exec --json`: a thread, its turns, and items that start and complete. */
export const readCodexRecord: StreamReader = record => {
	switch (record.type) {
		case 'thread.started':
			return [{says: 'session', ...given({id: textIn(record, 'thread_id') || undefined})}];
		case 'turn.started':
		case 'item.updated':
			return [];
		case 'item.started':
			return toolSays(recordIn(record, 'item'));
		case 'item.completed':
			return itemSays(recordIn(record, 'item'));
		case 'turn.completed':
			return [{says: 'usage', of: 'run', amount: amountIn(recordIn(record, 'usage'))}, {says: 'end'}];
		case 'turn.failed':
			return [
				{
					says: 'end',
					error: errorIn(record) ?? 'the turn failed',
					cause: {text: textIn(recordIn(record, 'error'), 'message')},
				},
			];
		case 'error':
			return [errorSays(plainError(textIn(record, 'message')))];
		default:
			return undefined;
	}
};

/** Codex retries by itself. A final error is followed by a failed turn. */
const errorSays = (message: string): Said => {
	const [, attempt, most, words = ''] = /^Reconnecting\.\.\. (\d+)\/(\d+)\s*(.*)$/s.exec(message) ?? [];
	if (attempt === undefined) return {says: 'warning', text: message};
	const reason = plainError(words.replace(/^\(([\s\S]*)\)$/, '$1')) || 'the connection was lost';
	return {says: 'retry', retry: {attempt: Number(attempt), most: Number(most), reason}};
};

const callOf = (item: JsonObject): {call?: string} => given({call: textIn(item, 'id') || undefined});

const toolSays = (item: JsonObject): readonly Said[] => {
	const of = callOf(item);
	switch (item.type) {
		case 'command_execution':
			return [{says: 'tool', name: 'shell', input: {command: commandIn(item)}, ...of}];
		case 'mcp_tool_call':
			return [{says: 'tool', name: textIn(item, 'tool') || 'tool', input: item.arguments, ...of}];
		case 'web_search':
			return [{says: 'tool', name: 'search', input: {query: item.query}, ...of}];
		default:
			return [];
	}
};

/** The command without the shell that wraps it. */
const commandIn = (item: JsonObject): string => {
	const command = textIn(item, 'command');
	return /^(?:\S*\/)?(?:ba|z)?sh -l?c (['"]?)([\s\S]*)\1$/.exec(command)?.[2] ?? command;
};

const itemSays = (item: JsonObject): readonly Said[] => {
	const of = callOf(item);
	switch (item.type) {
		case 'agent_message':
			return [{says: 'words', text: textIn(item, 'text')}];
		case 'command_execution':
			return [commandSays(item, of)];
		case 'file_change':
			return listIn(item, 'changes').map(change => ({
				says: 'tool',
				name: textIn(change, 'kind') || 'edit',
				input: {path: change.path},
			}));
		case 'mcp_tool_call':
			return [
				item.status === 'failed'
					? {says: 'failure', text: textIn(recordIn(item, 'error'), 'message'), ...of}
					: {says: 'result', text: '', ...of},
			];
		case 'error':
			return [{says: 'warning', text: plainError(textIn(item, 'message'))}];
		default:
			return [];
	}
};

const commandSays = (item: JsonObject, of: {call?: string}): Said => {
	const text = textIn(item, 'aggregated_output');
	if (item.status === 'declined')
		return {says: 'failure', text: text || 'not approved', ...of, isDenied: true};
	const isFailure = item.status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0);
	return isFailure
		? {says: 'failure', text: text.trim() || `exit code ${item.exit_code}`, ...of}
		: {says: 'result', text, ...of};
};

/** Cache reads and writes are included in its input tokens, and reasoning in its output tokens. */
const amountIn = (usage: JsonObject) => {
	const [input, read, written] = ['input_tokens', 'cached_input_tokens', 'cache_write_input_tokens'].map(
		name => countIn(usage, name),
	);
	return given({
		inputTokens: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (written ?? 0)),
		outputTokens: countIn(usage, 'output_tokens'),
		cacheReadTokens: read,
		cacheWriteTokens: written,
	});
};
