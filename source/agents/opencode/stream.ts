import type {JsonObject} from '../../domain/json.ts';
import {errorIn} from '../errors.ts';
import {countIn, numberIn, omitUndefined, recordIn, textIn} from '../json.ts';
import type {Cause, ParsedRecord, StreamReader} from '../parsed-record.ts';

/** Reads one record of `opencode run --format json`. Messages arrive whole. A step is one model call. */
export const readOpencodeRecord: StreamReader = record => {
	const part = recordIn(record, 'part');
	switch (record.type) {
		case 'step_start':
			return [{type: 'session', ...omitUndefined({id: textIn(record, 'sessionID') || undefined})}];
		case 'text':
			return [{type: 'words', text: textIn(part, 'text')}];
		case 'tool_use':
			return parseTool(part);
		case 'reasoning':
			return [];
		case 'step_finish':
			return [
				{type: 'usage', of: 'call', amount: amountIn(part)},
				...(part.reason === 'stop' ? [{type: 'end'} as const] : []),
			];
		case 'error':
			return [
				{type: 'session', ...omitUndefined({id: textIn(record, 'sessionID') || undefined})},
				{
					type: 'end',
					error: errorIn(record) ?? 'the agent reported an error',
					cause: causeOf(recordIn(recordIn(record, 'error'), 'data')),
				},
			];
		default:
			return undefined;
	}
};

const causeOf = (data: JsonObject): Cause => {
	const headers = recordIn(data, 'responseHeaders');
	const [reset, waitSeconds, milliseconds] = [
		'anthropic-ratelimit-unified-reset',
		'retry-after',
		'retry-after-ms',
	].map(name => (/^\d{1,12}$/.test(textIn(headers, name)) ? Number(headers[name]) : undefined));
	return omitUndefined({
		text: textIn(data, 'responseBody') || undefined,
		status: countIn(data, 'statusCode'),
		resetsAt: headers['anthropic-ratelimit-unified-status'] === 'rejected' ? reset : undefined,
		waitSeconds: milliseconds === undefined ? waitSeconds : milliseconds / 1000,
	});
};

/** opencode reports a call of a denied tool as a call of the tool `invalid`. */
const deniedCall = (input: JsonObject, callRef: {call?: string}): readonly ParsedRecord[] => [
	{type: 'tool', name: textIn(input, 'tool') || 'tool', input: {}, ...callRef},
	{type: 'failure', text: textIn(input, 'error'), ...callRef, isDenied: true},
];

const parseTool = (part: JsonObject): readonly ParsedRecord[] => {
	const state = recordIn(part, 'state');
	const callRef = omitUndefined({call: textIn(part, 'callID') || undefined});
	const name = textIn(part, 'tool') || 'tool';
	if (name === 'invalid') return deniedCall(recordIn(state, 'input'), callRef);
	return [{type: 'tool', name, input: state.input, ...callRef}, outcomeOf(state, callRef)];
};

/** A command with an exit code other than 0 is a failure, although the tool call itself succeeded. */
const outcomeOf = (state: JsonObject, callRef: {call?: string}): ParsedRecord => {
	if (state.status === 'error') {
		const text = textIn(state, 'error');
		return {type: 'failure', text, ...callRef, ...(denialPattern.test(text) && {isDenied: true})};
	}
	const text = textIn(state, 'output').replaceAll(fileMarkup, '');
	const {exit} = recordIn(state, 'metadata');
	return typeof exit === 'number' && exit !== 0
		? {type: 'failure', text: text.trim() || `exit code ${exit}`, ...callRef}
		: {type: 'result', text, ...callRef};
};

/** Lines of markup that opencode puts around the content of a file, such as `<path>`. */
const fileMarkup = /^<\/?(path|type|content|entries)\b.*$/gm;

const denialPattern =
	/rejected permission|specified a rule|permission (was )?denied|prevents you from using/i;

/** Reasoning tokens are billed as output. */
const amountIn = (part: JsonObject) => {
	const tokens = recordIn(part, 'tokens');
	const cache = recordIn(tokens, 'cache');
	const [output, reasoning] = [countIn(tokens, 'output'), countIn(tokens, 'reasoning')];
	return omitUndefined({
		inputTokens: countIn(tokens, 'input'),
		outputTokens: output === undefined ? undefined : output + (reasoning ?? 0),
		cacheReadTokens: countIn(cache, 'read'),
		cacheWriteTokens: countIn(cache, 'write'),
		// The tool reports 0 for a model without a known price.
		costUsd: numberIn(part, 'cost') || undefined,
	});
};
