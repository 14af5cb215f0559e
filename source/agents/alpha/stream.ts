import {isObject, type JsonObject} from '../../domain/json.ts';
import {listIn, recordIn, textIn} from '../json.ts';
import {rawText} from '../message.ts';
import {readMessageStream} from '../message-stream.ts';
import type {ParsedRecord, StreamReader} from '../parsed-record.ts';

/**
 * Reads alpha's stream. A message may come in pieces first (`timestamp_ms` without `model_call_id`), then
 * whole. A tool call has a record of its own.
 */
export const readAlphaRecord: StreamReader = record => {
	if (record.type === 'tool_call') return parseToolCall(record);
	const isPiece =
		record.type === 'assistant' && record.timestamp_ms !== undefined && record.model_call_id === undefined;
	return isPiece
		? [{type: 'piece', text: rawText(recordIn(record, 'message').content)}]
		: readMessageStream(record);
};

const parseToolCall = (record: JsonObject): readonly ParsedRecord[] => {
	const {name, input, result} = callIn(record);
	const call = textIn(record, 'call_id') || undefined;
	const of = call === undefined ? {} : {call};
	if (record.subtype === 'started') return [{type: 'tool', name, input, ...of}];
	if (record.subtype !== 'completed') return [];
	return [outcomeOf(result, of)];
};

/** Reads `{name, args}`, or one field named after the tool: `{readToolCall: {args, result}}`. */
const callIn = (record: JsonObject): {name: string; input: unknown; result: unknown} => {
	const call = recordIn(record, 'tool_call');
	const own = textIn(call, 'name') || textIn(record, 'name');
	if (own !== '')
		return {name: own, input: call.args ?? call.arguments ?? call.input ?? record.args, result: call.result};
	const [key = 'tool', inner] = Object.entries(call).find(([, value]) => isObject(value)) ?? [];
	const {args, result} = isObject(inner) ? inner : ({} as JsonObject);
	return {name: key.replace(/ToolCall$/, ''), input: args, result};
};

/** Reads `success`, `error`, `failure`, `rejected` or `permissionDenied`. */
const outcomeOf = (result: unknown, of: {call?: string}): ParsedRecord => {
	const found = isObject(result) ? result : {};
	const [key] = ['error', 'failure', 'rejected', 'permissionDenied'].filter(name => name in found);
	if (key === undefined) return {type: 'result', text: extractText(found.success ?? result), ...of};
	const isDenied = key === 'rejected' || key === 'permissionDenied';
	return {type: 'failure', text: extractText(found[key]), ...of, ...(isDenied && {isDenied})};
};

const extractText = (value: unknown): string => {
	if (typeof value === 'string') return value;
	if (!isObject(value)) return '';
	const fields = ['content', 'stdout', 'stderr', 'output', 'errorMessage', 'error', 'message', 'reason'];
	return (
		fields.map(name => textIn(value, name)).find(text => text.trim() !== '') ??
		rawText(listIn(value, 'content'))
	);
};
