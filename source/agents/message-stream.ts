import {isObject, type JsonObject} from '../domain/json.ts';
import {errorIn} from './errors.ts';
import {countIn, numberIn, omitUndefined, recordIn, textIn} from './json.ts';
import {parseMessage, parseResults} from './message.ts';
import type {ParsedRecord, UsageAmount} from './parsed-record.ts';

/**
 * Reads one record of Claude Code's format, which other tools adopted. It has `system`, `assistant` and
 * `user` messages with blocks, `rate_limit_event`, and one `result` at the end.
 */
export const readMessageStream = (record: JsonObject): readonly ParsedRecord[] | undefined => {
	switch (record.type) {
		case 'system':
			return parseSystemRecord(record);
		case 'assistant':
			return parseAssistantRecord(recordIn(record, 'message'), textIn(record, 'parent_tool_use_id') !== '');
		case 'user':
			return parseResults(record);
		case 'result':
			return parseResultRecord(record);
		case 'rate_limit_event':
			return parseRefusal(recordIn(record, 'rate_limit_info'));
		case 'stream_event':
		case 'thinking':
			return [];
		default:
			return undefined;
	}
};

const parseSystemRecord = (record: JsonObject): readonly ParsedRecord[] => {
	if (record.subtype === 'init')
		return [
			{
				type: 'session',
				...omitUndefined({id: textIn(record, 'session_id') || undefined, model: modelIn(record)}),
			},
		];
	if (record.subtype !== 'api_retry') return [];
	const reason = [record.error_status, record.error]
		.filter(word => word !== undefined && word !== null)
		.join(' ');
	const retry = omitUndefined({
		attempt: countIn(record, 'attempt'),
		maxAttempts: countIn(record, 'max_retries'),
		waitMs: numberIn(record, 'retry_delay_ms'),
	});
	return [{type: 'retry', retry: {...retry, reason}}];
};

const modelIn = (record: JsonObject): string | undefined => textIn(record, 'model') || undefined;

/** Messages that the tool itself writes as the assistant. The result repeats them. */
const synthetic = '<synthetic>';

const parseAssistantRecord = (message: JsonObject, isNested: boolean): readonly ParsedRecord[] => {
	if (message.model === synthetic) return [];
	const id = textIn(message, 'id') || undefined;
	const amount = amountIn(message.usage);
	return [
		...parseMessage(message).map(parsed =>
			isNested && parsed.type === 'tool' ? {...parsed, isNested} : parsed,
		),
		...(amount && id !== undefined ? [{type: 'usage', of: 'call', id, amount} as const] : []),
	];
};

/** Paid usage beyond the limit may serve what the limit refuses. */
const parseRefusal = (info: JsonObject): readonly ParsedRecord[] =>
	info.status === 'rejected' && info.isUsingOverage !== true
		? [{type: 'limit', cause: {status: 429, ...omitUndefined({resetsAt: numberIn(info, 'resetsAt')})}}]
		: [];

/** Any subtype except `success` is an error. */
const parseResultRecord = (record: JsonObject): readonly ParsedRecord[] => {
	const {subtype} = record;
	const isError = typeof subtype === 'string' && subtype !== 'success';
	const error = errorIn(isError ? {...record, is_error: true} : record);
	const amount = amountIn(record.usage, numberIn(record, 'total_cost_usd'));
	const message = textIn(record, 'result').trim() || undefined;
	return [
		...(amount ? [{type: 'usage', of: 'run', amount} as const] : []),
		{
			type: 'end',
			...omitUndefined({
				message: error === undefined ? message : undefined,
				error,
				cause: error === undefined ? undefined : causeOf(record),
				durationMs: numberIn(record, 'duration_ms'),
			}),
		},
	];
};

const causeOf = (record: JsonObject) =>
	omitUndefined({
		status: countIn(record, 'api_error_status'),
		text:
			['api_error', 'api_error_type']
				.map(name => textIn(record, name))
				.join(' ')
				.trim() || undefined,
	});

/** Reads both spellings in use. */
const amountIn = (value: unknown, costUsd?: number): UsageAmount | undefined => {
	const usage = isObject(value) ? value : {};
	const amount = omitUndefined({
		inputTokens: countIn(usage, 'inputTokens', 'input_tokens'),
		outputTokens: countIn(usage, 'outputTokens', 'output_tokens'),
		cacheReadTokens: countIn(usage, 'cacheReadTokens', 'cache_read_input_tokens'),
		cacheWriteTokens: countIn(usage, 'cacheWriteTokens', 'cache_creation_input_tokens'),
		costUsd,
	});
	return Object.keys(amount).length === 0 ? undefined : amount;
};
