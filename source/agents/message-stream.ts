import {isObject, type JsonObject} from '../domain/json.ts';
import {errorIn} from './errors.ts';
import {countIn, given, numberIn, recordIn, textIn} from './json.ts';
import {messageSays, resultsSay} from './message.ts';
import type {Amount, Said} from './said.ts';

/**
 * Reads one record of Claude Code's format, which other tools adopted. It has `system`, `assistant` and
 * `user` messages with blocks, `rate_limit_event`, and one `result` at the end.
 */
export const readMessageStream = (record: JsonObject): readonly Said[] | undefined => {
	switch (record.type) {
		case 'system':
			return systemSays(record);
		case 'assistant':
			return assistantSays(recordIn(record, 'message'));
		case 'user':
			return resultsSay(record);
		case 'result':
			return resultSays(record);
		case 'rate_limit_event':
			return refusalSays(recordIn(record, 'rate_limit_info'));
		case 'stream_event':
		case 'thinking':
			return [];
		default:
			return undefined;
	}
};

const systemSays = (record: JsonObject): readonly Said[] => {
	if (record.subtype === 'init')
		return [
			{says: 'session', ...given({id: textIn(record, 'session_id') || undefined, model: modelIn(record)})},
		];
	if (record.subtype !== 'api_retry') return [];
	const reason = [record.error_status, record.error]
		.filter(word => word !== undefined && word !== null)
		.join(' ');
	const retry = given({
		attempt: countIn(record, 'attempt'),
		most: countIn(record, 'max_retries'),
		wait: numberIn(record, 'retry_delay_ms'),
	});
	return [{says: 'retry', retry: {...retry, reason}}];
};

const modelIn = (record: JsonObject): string | undefined => textIn(record, 'model') || undefined;

/** Messages that the tool itself writes as the assistant. The result repeats them. */
const synthetic = '<synthetic>';

const assistantSays = (message: JsonObject): readonly Said[] => {
	if (message.model === synthetic) return [];
	const id = textIn(message, 'id') || undefined;
	const amount = amountIn(message.usage);
	return [
		...messageSays(message),
		...(amount && id !== undefined ? [{says: 'usage', of: 'call', id, amount} as const] : []),
	];
};

/** Paid usage beyond the limit may serve what the limit refuses. */
const refusalSays = (info: JsonObject): readonly Said[] =>
	info.status === 'rejected' && info.isUsingOverage !== true
		? [{says: 'limit', cause: {status: 429, ...given({resetsAt: numberIn(info, 'resetsAt')})}}]
		: [];

/** Any subtype except `success` is an error. */
const resultSays = (record: JsonObject): readonly Said[] => {
	const {subtype} = record;
	const isError = typeof subtype === 'string' && subtype !== 'success';
	const error = errorIn(isError ? {...record, is_error: true} : record);
	const amount = amountIn(record.usage, numberIn(record, 'total_cost_usd'));
	const words = textIn(record, 'result').trim() || undefined;
	return [
		...(amount ? [{says: 'usage', of: 'run', amount} as const] : []),
		{
			says: 'end',
			...given({
				words: error === undefined ? words : undefined,
				error,
				cause: error === undefined ? undefined : causeOf(record),
				took: numberIn(record, 'duration_ms'),
			}),
		},
	];
};

const causeOf = (record: JsonObject) =>
	given({
		status: countIn(record, 'api_error_status'),
		text:
			['api_error', 'api_error_type']
				.map(name => textIn(record, name))
				.join(' ')
				.trim() || undefined,
	});

/** Reads both spellings in use. */
const amountIn = (value: unknown, costUsd?: number): Amount | undefined => {
	const usage = isObject(value) ? value : {};
	const amount = given({
		inputTokens: countIn(usage, 'inputTokens', 'input_tokens'),
		outputTokens: countIn(usage, 'outputTokens', 'output_tokens'),
		cacheReadTokens: countIn(usage, 'cacheReadTokens', 'cache_read_input_tokens'),
		cacheWriteTokens: countIn(usage, 'cacheWriteTokens', 'cache_creation_input_tokens'),
		costUsd,
	});
	return Object.keys(amount).length === 0 ? undefined : amount;
};
