import {isObject, type JsonObject} from '../../domain/json.ts';
import {errorIn, plainError} from '../errors.ts';
import {countIn, given, listIn, numberIn, recordIn, textIn} from '../json.ts';
import {contentText} from '../message.ts';
import type {Said, StreamReader} from '../said.ts';
import {foreignWords} from './foreign-words.ts';

/**
 * Reads beta's stream, in which a message comes in pieces and then whole. Records of other formats give their
 * plain text, if any.
 */
export const readBetaRecord: StreamReader = record => {
	switch (record.type) {
		case 'session':
			return [{says: 'session', ...given({id: textIn(record, 'id') || undefined})}];
		case 'message_update':
			return pieceOf(recordIn(record, 'assistantMessageEvent'));
		case 'message_end':
			return messageSays(recordIn(record, 'message'));
		case 'tool_execution_start':
			return [
				{
					says: 'tool',
					name: textIn(record, 'toolName') || textIn(record, 'name') || 'tool',
					input: record.args ?? record.arguments,
					...callOf(record),
				},
			];
		case 'tool_execution_end':
			return [outcomeOf(record)];
		case 'auto_retry_start':
			return [{says: 'retry', retry: retryOf(record)}];
		case 'auto_retry_end':
			return record.success === false ? [failed(textIn(record, 'finalError'))] : [];
		case 'agent_end':
			return [endOf(record)];
		default:
			return otherSays(record);
	}
};

const known = /^(agent|turn|message|tool_execution|compaction|auto_compaction|queue)_/;

const otherSays = (record: JsonObject): readonly Said[] | undefined => {
	const error = errorIn(record);
	if (error !== undefined) return [{says: 'end', error}];
	if (known.test(textIn(record, 'type'))) return [];
	const text = foreignWords(record);
	return text === '' ? undefined : [{says: 'words', text}];
};

const callOf = (record: JsonObject): {call?: string} =>
	given({call: textIn(record, 'toolCallId') || undefined});

const pieceOf = (event: JsonObject): readonly Said[] =>
	event.type === 'text_delta' ? [{says: 'piece', text: textIn(event, 'delta')}] : [];

const messageSays = (message: JsonObject): readonly Said[] => {
	if (message.role !== 'assistant') return [];
	const model = textIn(message, 'model');
	const amount = amountIn(recordIn(message, 'usage'));
	return [
		...(model === '' ? [] : [{says: 'session', model} as const]),
		{says: 'words', text: contentText(message.content)},
		...(Object.keys(amount).length === 0 ? [] : [{says: 'usage', of: 'call', amount} as const]),
	];
};

/** The program always exits with 0, so only the last message tells how it ended. */
const endOf = (record: JsonObject): Said => {
	const last = listIn(record, 'messages').findLast(({role}) => role === 'assistant') ?? {};
	const {stopReason} = last;
	if (stopReason === 'error' || stopReason === 'aborted')
		return failed(textIn(last, 'errorMessage') || `it stopped: ${stopReason}`);
	return {says: 'end', words: contentText(last.content)};
};

const failed = (text: string): Said => ({
	says: 'end',
	error: plainError(text) || 'the agent reported an error',
	cause: {text},
});

const outcomeOf = (record: JsonObject): Said => {
	const {result} = record;
	const text = isObject(result) ? contentText(result.content) : '';
	return {says: record.isError === true ? 'failure' : 'result', text, ...callOf(record)};
};

const retryOf = (record: JsonObject) => ({
	...given({
		attempt: countIn(record, 'attempt'),
		most: countIn(record, 'maxAttempts'),
		wait: numberIn(record, 'delayMs'),
	}),
	reason: plainError(textIn(record, 'errorMessage')),
});

const amountIn = (usage: JsonObject) => {
	// The tool reports 0 for a model without a known price.
	const costUsd = numberIn(recordIn(usage, 'cost'), 'total') || undefined;
	return given({
		inputTokens: countIn(usage, 'input'),
		outputTokens: countIn(usage, 'output'),
		cacheReadTokens: countIn(usage, 'cacheRead'),
		cacheWriteTokens: countIn(usage, 'cacheWrite'),
		costUsd,
	});
};
