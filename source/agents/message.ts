import {isObject, type JsonObject} from '../domain/json.ts';
import {listIn, recordIn, textIn} from './json.ts';
import type {Said} from './said.ts';

/** The text of a message's content: a text, or blocks of which some hold one. */
export const contentText = (content: unknown): string => rawText(content).trim();

/** Untrimmed: a part of a message may be a blank. */
export const rawText = (content: unknown): string => {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content
		.map((block: unknown) => (isObject(block) && typeof block.text === 'string' ? block.text : ''))
		.join('');
};

/** What the blocks of an assistant's message say: its words, then the tools that it calls. */
export const messageSays = (message: JsonObject): readonly Said[] => {
	const words = contentText(message.content);
	return [
		...(words === '' ? [] : [{says: 'words', text: words} as const]),
		...listIn(message, 'content')
			.filter(({type}) => type === 'tool_use')
			.map(
				block =>
					({
						says: 'tool',
						name: textIn(block, 'name') || 'tool',
						input: block.input,
						call: textIn(block, 'id'),
					}) as const,
			),
	];
};

/** What came of the tools, as a message to the assistant has it. */
export const resultsSay = (record: JsonObject): readonly Said[] =>
	listIn(recordIn(record, 'message'), 'content')
		.filter(({type}) => type === 'tool_result')
		.map(block =>
			resultSays(contentText(block.content), textIn(block, 'tool_use_id'), block.is_error === true),
		);

const resultSays = (written: string, call: string, isFailure: boolean): Said => {
	const text = written.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1');
	return isFailure
		? {says: 'failure', text, call, ...(denial.test(text) && {isDenied: true})}
		: {says: 'result', text, call};
};

/**
 * What the tool says of a call that its settings refuse; a command that the system refuses something has
 * failed.
 */
const denial =
	/^(Error: )?No such tool available|^Permission to use |^Claude requested permissions|requires approval/;
