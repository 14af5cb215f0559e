import {isObject, type JsonObject} from '../../domain/json.ts';
import {errorIn, plainError} from '../errors.ts';
import {countIn, listIn, numberIn, omitUndefined, recordIn, textIn} from '../json.ts';
import {contentText} from '../message.ts';
import type {ParsedRecord, StreamReader} from '../parsed-record.ts';
import {extractForeignText} from './foreign-text.ts';

/**
 * Reads beta's stream, in which a message comes in pieces and then whole. Records of other formats give their
 * plain text, if any.
 */
export const readBetaRecord: StreamReader = record => {
	switch (record.type) {
		case 'session':
			return [{type: 'session', ...omitUndefined({id: textIn(record, 'id') || undefined})}];
		case 'message_update':
			return pieceOf(recordIn(record, 'assistantMessageEvent'));
		case 'message_end':
			return parseMessage(recordIn(record, 'message'));
		case 'tool_execution_start':
			return [
				{
					type: 'tool',
					name: textIn(record, 'toolName') || textIn(record, 'name') || 'tool',
					input: record.args ?? record.arguments,
					...callOf(record),
				},
			];
		case 'tool_execution_update':
			return outputOf(record);
		case 'tool_execution_end':
			return [outcomeOf(record)];
		case 'auto_retry_start':
			return [{type: 'retry', retry: retryOf(record)}];
		case 'auto_retry_end':
			return record.success === false ? [failed(textIn(record, 'finalError'))] : [];
		case 'agent_end':
			return [endOf(record)];
		default:
			return parseOtherRecord(record);
	}
};

const known = /^(agent|turn|message|tool_execution|compaction|auto_compaction|queue)_/;

const parseOtherRecord = (record: JsonObject): readonly ParsedRecord[] | undefined => {
	const error = errorIn(record);
	if (error !== undefined) return [{type: 'end', error}];
	if (known.test(textIn(record, 'type'))) return [];
	const text = extractForeignText(record);
	return text === '' ? undefined : [{type: 'words', text}];
};

const callOf = (record: JsonObject): {call?: string} =>
	omitUndefined({call: textIn(record, 'toolCallId') || undefined});

const pieceOf = (event: JsonObject): readonly ParsedRecord[] =>
	event.type === 'text_delta' ? [{type: 'piece', text: textIn(event, 'delta')}] : [];

const parseMessage = (message: JsonObject): readonly ParsedRecord[] => {
	if (message.role !== 'assistant') return [];
	const model = textIn(message, 'model');
	const amount = amountIn(recordIn(message, 'usage'));
	return [
		...(model === '' ? [] : [{type: 'session', model} as const]),
		{type: 'words', text: contentText(message.content)},
		...(Object.keys(amount).length === 0 ? [] : [{type: 'usage', of: 'call', amount} as const]),
	];
};

/** The program always exits with 0, so only the last message tells how it ended. */
const endOf = (record: JsonObject): ParsedRecord => {
	const last = listIn(record, 'messages').findLast(({role}) => role === 'assistant') ?? {};
	const {stopReason} = last;
	if (stopReason === 'error' || stopReason === 'aborted')
		return failed(textIn(last, 'errorMessage') || `it stopped: ${stopReason}`);
	return {type: 'end', message: contentText(last.content)};
};

const failed = (text: string): ParsedRecord => ({
	type: 'end',
	error: plainError(text) || 'the agent reported an error',
	cause: {text},
});

const outputOf = (record: JsonObject): readonly ParsedRecord[] => {
	const text = contentText(recordIn(record, 'partialResult').content);
	return text === '' ? [] : [{type: 'output', text, ...callOf(record)}];
};

const outcomeOf = (record: JsonObject): ParsedRecord => {
	const {result} = record;
	const text = isObject(result) ? contentText(result.content) : '';
	return {type: record.isError === true ? 'failure' : 'result', text, ...callOf(record)};
};

const retryOf = (record: JsonObject) => ({
	...omitUndefined({
		attempt: countIn(record, 'attempt'),
		maxAttempts: countIn(record, 'maxAttempts'),
		waitMs: numberIn(record, 'delayMs'),
	}),
	reason: plainError(textIn(record, 'errorMessage')),
});

const amountIn = (usage: JsonObject) => {
	// The tool reports 0 for a model without a known price.
	const costUsd = numberIn(recordIn(usage, 'cost'), 'total') || undefined;
	return omitUndefined({
		inputTokens: countIn(usage, 'input'),
		outputTokens: countIn(usage, 'output'),
		cacheReadTokens: countIn(usage, 'cacheRead'),
		cacheWriteTokens: countIn(usage, 'cacheWrite'),
		costUsd,
	});
};
