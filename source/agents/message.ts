import {isObject, type JsonObject} from '../domain/json.ts';
import {listIn, recordIn, textIn} from './json.ts';
import type {ParsedRecord} from './parsed-record.ts';

/** The text of a message's content: a string, or blocks some of which have text. */
export const contentText = (content: unknown): string => rawText(content).trim();

/** Untrimmed, since a piece of a message may be a blank. */
export const rawText = (content: unknown): string => {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content
		.map((block: unknown) => (isObject(block) && typeof block.text === 'string' ? block.text : ''))
		.join('');
};

/** The content of an assistant's message: its text, then its tool calls. */
export const parseMessage = (message: JsonObject): readonly ParsedRecord[] => {
	const text = contentText(message.content);
	return [
		...(text === '' ? [] : [{type: 'words', text} as const]),
		...listIn(message, 'content')
			.filter(({type}) => type === 'tool_use')
			.map(
				block =>
					({
						type: 'tool',
						name: textIn(block, 'name') || 'tool',
						input: block.input,
						call: textIn(block, 'id'),
					}) as const,
			),
	];
};

/** The results of tools, from a message to the assistant. */
export const parseResults = (record: JsonObject): readonly ParsedRecord[] =>
	listIn(recordIn(record, 'message'), 'content')
		.filter(({type}) => type === 'tool_result')
		.map(block =>
			parseResult(contentText(block.content), textIn(block, 'tool_use_id'), block.is_error === true),
		);

const parseResult = (written: string, call: string, isFailure: boolean): ParsedRecord => {
	const text = written.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1');
	return isFailure
		? {type: 'failure', text, call, ...(denial.test(text) && {isDenied: true})}
		: {type: 'result', text, call};
};

/**
 * Matches the tool's message for a call that its settings deny. A command to which the system denies access
 * has only failed.
 */
const denial =
	/^(Error: )?No such tool available|^Permission to use |^Claude requested permissions|requires approval|was blocked\. For security, /;
