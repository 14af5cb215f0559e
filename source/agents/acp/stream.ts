import type {JsonObject} from '../../domain/json.ts';
import {countIn, listIn, numberIn, omitUndefined, textIn} from '../json.ts';
import type {ParsedRecord, StreamReader} from '../parsed-record.ts';

/** Reads what hive's ACP client writes (`AcpRecord`). */
export const readAcpRecord: StreamReader = record => {
	const of = omitUndefined({call: textIn(record, 'call') || undefined});
	const text = textIn(record, 'text');
	switch (record.type) {
		case 'session':
			return [
				{
					type: 'session',
					...omitUndefined({
						id: textIn(record, 'id') || undefined,
						model: textIn(record, 'model') || undefined,
					}),
				},
			];
		case 'text':
			return [{type: 'piece', text}];
		case 'message':
			return [{type: 'words', text: ''}];
		case 'tool':
			return [{type: 'tool', name: textIn(record, 'name') || 'tool', input: record.input, ...of}];
		case 'output':
			return [{type: 'output', text, ...of}];
		case 'result':
			return [{type: 'result', text, ...of}];
		case 'failure':
			return [{type: 'failure', text, ...of, ...(record.denied === true && {isDenied: true})}];
		case 'plan':
			return [{type: 'plan', items: listIn(record, 'entries')}];
		case 'usage':
			return [{type: 'usage', of: 'run', amount: amountIn(record)}];
		case 'warning':
			return [{type: 'warning', text}];
		case 'end':
			return [endOf(textIn(record, 'error'))];
		default:
			return undefined;
	}
};

const amountIn = (record: JsonObject) =>
	omitUndefined({
		inputTokens: countIn(record, 'inputTokens'),
		outputTokens: countIn(record, 'outputTokens'),
		cacheReadTokens: countIn(record, 'cacheReadTokens'),
		cacheWriteTokens: countIn(record, 'cacheWriteTokens'),
		costUsd: numberIn(record, 'costUsd'),
	});

const endOf = (error: string): ParsedRecord =>
	error === '' ? {type: 'end'} : {type: 'end', error, cause: {text: error}};
