import type {JsonObject} from '../../domain/json.ts';
import {plainError} from '../errors.ts';
import {countIn, given, numberIn, recordIn, textIn} from '../json.ts';
import type {Said, StreamReader} from '../said.ts';

/** Reads the output of `gemini -o stream-json`. Its messages come only in pieces. */
export const readGeminiRecord: StreamReader = record => {
	switch (record.type) {
		case 'init':
			return [
				{
					says: 'session',
					...given({
						id: textIn(record, 'session_id') || undefined,
						model: textIn(record, 'model') || undefined,
					}),
				},
			];
		case 'message':
			return record.role === 'assistant'
				? [{says: record.delta === true ? 'piece' : 'words', text: textIn(record, 'content')}]
				: [];
		case 'tool_use':
			return [
				{
					says: 'tool',
					name: textIn(record, 'tool_name') || 'tool',
					input: record.parameters,
					...callOf(record),
				},
			];
		case 'tool_result':
			return [outcomeOf(record)];
		case 'error':
			return [{says: 'warning', text: plainError(textIn(record, 'message'))}];
		case 'result':
			return resultSays(record);
		default:
			return undefined;
	}
};

const callOf = (record: JsonObject): {call?: string} => given({call: textIn(record, 'tool_id') || undefined});

const outcomeOf = (record: JsonObject): Said => {
	const error = recordIn(record, 'error');
	if (record.status !== 'error') return {says: 'result', text: textIn(record, 'output'), ...callOf(record)};
	const text = textIn(error, 'message') || textIn(record, 'output');
	const isDenied = denials.includes(textIn(error, 'type'));
	return {says: 'failure', text, ...callOf(record), ...(isDenied && {isDenied})};
};

/** Without a person to answer, the tools that ask for permission are not registered. */
const denials = ['tool_not_registered', 'policy_violation', 'execution_denied'];

const resultSays = (record: JsonObject): readonly Said[] => {
	const stats = recordIn(record, 'stats');
	const amount = given({
		inputTokens: countIn(stats, 'input'),
		outputTokens: countIn(stats, 'output_tokens'),
		cacheReadTokens: countIn(stats, 'cached'),
	});
	const message = textIn(recordIn(record, 'error'), 'message');
	const error = plainError(message.replace(/^\[([^{\]]*)\]/, '$1'));
	const isWell = record.status === 'success';
	return [
		...(Object.keys(amount).length > 0 ? [{says: 'usage', of: 'run', amount} as const] : []),
		{
			says: 'end',
			...given({
				took: numberIn(stats, 'duration_ms'),
				error: isWell ? undefined : error || 'the agent reported an error',
				cause: isWell ? undefined : {text: message},
			}),
		},
	];
};
