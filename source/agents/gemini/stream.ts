import type {JsonObject} from '../../domain/json.ts';
import {plainError} from '../errors.ts';
import {countIn, numberIn, omitUndefined, recordIn, textIn} from '../json.ts';
import type {ParsedRecord, StreamReader} from '../parsed-record.ts';

/** Reads the output of `gemini -o stream-json`. Its messages come only in pieces. */
export const readGeminiRecord: StreamReader = record => {
	switch (record.type) {
		case 'init':
			return [
				{
					type: 'session',
					...omitUndefined({
						id: textIn(record, 'session_id') || undefined,
						model: textIn(record, 'model') || undefined,
					}),
				},
			];
		case 'message':
			return record.role === 'assistant'
				? [{type: record.delta === true ? 'piece' : 'words', text: textIn(record, 'content')}]
				: [];
		case 'tool_use':
			return [
				{
					type: 'tool',
					name: textIn(record, 'tool_name') || 'tool',
					input: record.parameters,
					...callOf(record),
				},
			];
		case 'tool_result':
			return [outcomeOf(record)];
		case 'error':
			return [{type: 'warning', text: plainError(textIn(record, 'message'))}];
		case 'result':
			return parseResult(record);
		default:
			return undefined;
	}
};

const callOf = (record: JsonObject): {call?: string} =>
	omitUndefined({call: textIn(record, 'tool_id') || undefined});

const outcomeOf = (record: JsonObject): ParsedRecord => {
	const error = recordIn(record, 'error');
	if (record.status !== 'error') return {type: 'result', text: textIn(record, 'output'), ...callOf(record)};
	const text = textIn(error, 'message') || textIn(record, 'output');
	const isDenied = denials.includes(textIn(error, 'type'));
	return {type: 'failure', text, ...callOf(record), ...(isDenied && {isDenied})};
};

/** Without a person to answer, the tools that ask for permission are not registered. */
const denials = ['tool_not_registered', 'policy_violation', 'execution_denied'];

const parseResult = (record: JsonObject): readonly ParsedRecord[] => {
	const stats = recordIn(record, 'stats');
	const amount = omitUndefined({
		inputTokens: countIn(stats, 'input'),
		outputTokens: countIn(stats, 'output_tokens'),
		cacheReadTokens: countIn(stats, 'cached'),
	});
	const message = textIn(recordIn(record, 'error'), 'message');
	const error = plainError(message.replace(/^\[([^{\]]*)\]/, '$1'));
	const isWell = record.status === 'success';
	return [
		...(Object.keys(amount).length > 0 ? [{type: 'usage', of: 'run', amount} as const] : []),
		{
			type: 'end',
			...omitUndefined({
				durationMs: numberIn(stats, 'duration_ms'),
				error: isWell ? undefined : error || 'the agent reported an error',
				cause: isWell ? undefined : {text: message},
			}),
		},
	];
};
