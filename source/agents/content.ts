import {isRecord} from './json-lines.ts';

/** The text of a message's content: a text, or blocks of which some hold one. */
export const contentText = (content: unknown): string => {
	if (typeof content === 'string') return content.trim();
	if (!Array.isArray(content)) return '';
	return content
		.map((block: unknown) => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
		.join('')
		.trim();
};
