import type {JsonObject} from '../../domain/json.ts';
import {errorIn} from '../errors.ts';
import {countIn, given, numberIn, recordIn, textIn} from '../json.ts';
import type {Cause, Said, StreamReader} from '../said.ts';

/**
 * Reads the output of `opencode run --format json`: complete message parts, and steps, which are model calls.
 */
export const readOpencodeRecord: StreamReader = record => {
	const part = recordIn(record, 'part');
	switch (record.type) {
		case 'step_start':
			return [{says: 'session', ...given({id: textIn(record, 'sessionID') || undefined})}];
		case 'text':
			return [{says: 'words', text: textIn(part, 'text')}];
		case 'tool_use':
			return toolSays(part);
		case 'reasoning':
			return [];
		case 'step_finish':
			return [
				{says: 'usage', of: 'call', amount: amountIn(part)},
				...(part.reason === 'stop' ? [{says: 'end'} as const] : []),
			];
		case 'error':
			return [
				{says: 'session', ...given({id: textIn(record, 'sessionID') || undefined})},
				{
					says: 'end',
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
	const [reset, wait, milliseconds] = [
		'anthropic-ratelimit-unified-reset',
		'retry-after',
		'retry-after-ms',
	].map(name => (/^\d{1,12}$/.test(textIn(headers, name)) ? Number(headers[name]) : undefined));
	return given({
		text: textIn(data, 'responseBody') || undefined,
		status: countIn(data, 'statusCode'),
		resetsAt: headers['anthropic-ratelimit-unified-status'] === 'rejected' ? reset : undefined,
		wait: milliseconds === undefined ? wait : milliseconds / 1000,
	});
};

/** A tool that the settings deny entirely does not exist for the model. */
const unavailable = (input: JsonObject, of: {call?: string}): readonly Said[] => [
	{says: 'tool', name: textIn(input, 'tool') || 'tool', input: {}, ...of},
	{says: 'failure', text: textIn(input, 'error'), ...of, isDenied: true},
];

const toolSays = (part: JsonObject): readonly Said[] => {
	const state = recordIn(part, 'state');
	const of = given({call: textIn(part, 'callID') || undefined});
	const name = textIn(part, 'tool') || 'tool';
	if (name === 'invalid') return unavailable(recordIn(state, 'input'), of);
	return [{says: 'tool', name, input: state.input, ...of}, outcomeOf(state, of)];
};

/** A command with an exit code other than 0 is a failure, although the tool call itself succeeded. */
const outcomeOf = (state: JsonObject, of: {call?: string}): Said => {
	if (state.status === 'error') {
		const text = textIn(state, 'error');
		return {says: 'failure', text, ...of, ...(denial.test(text) && {isDenied: true})};
	}
	const text = textIn(state, 'output').replaceAll(tag, '');
	const {exit} = recordIn(state, 'metadata');
	return typeof exit === 'number' && exit !== 0
		? {says: 'failure', text: text.trim() || `exit code ${exit}`, ...of}
		: {says: 'result', text, ...of};
};

/** Lines in which the tool describes a file to its model. */
const tag = /^<\/?(path|type|content|entries)\b.*$/gm;

const denial = /rejected permission|specified a rule|permission (was )?denied|prevents you from using/i;

/** Reasoning tokens are billed as output. */
const amountIn = (part: JsonObject) => {
	const tokens = recordIn(part, 'tokens');
	const cache = recordIn(tokens, 'cache');
	const [output, reasoning] = [countIn(tokens, 'output'), countIn(tokens, 'reasoning')];
	return given({
		inputTokens: countIn(tokens, 'input'),
		outputTokens: output === undefined ? undefined : output + (reasoning ?? 0),
		cacheReadTokens: countIn(cache, 'read'),
		cacheWriteTokens: countIn(cache, 'write'),
		// The tool reports 0 for a model without a known price.
		costUsd: numberIn(part, 'cost') || undefined,
	});
};
