import type {MessageEntity} from 'grammy/types';
import {truncate} from '../../domain/truncate.ts';
import type {Message, Part} from '../message.ts';

/** Max length of a message, in UTF-16 units. */
const maxMessageLength = 4096;

export type Rendered = {readonly text: string; readonly entities: MessageEntity[]};

/** Max entities that the platform accepts. It would parse the text after them itself. */
const maxEntities = 100;

type Style =
	| {readonly type: 'bold' | 'code'}
	| {readonly type: 'text_link'; readonly url: string}
	| undefined;

/**
 * Renders the parts as text and entities. The platform parses nothing, so text never becomes markup. In text
 * from agents, files or other people, everything that a client would turn into a link, a mention or a command
 * is formatted as code.
 */
export const render = ({parts}: Pick<Message, 'parts'>): Rendered => {
	const text: string[] = [];
	const entities: MessageEntity[] = [];
	let length = 0;
	const add = (words: string, style?: Style): void => {
		const fitting = truncate(words, Math.max(0, maxMessageLength - length));
		if (fitting === '') return;
		text.push(fitting);
		if (style !== undefined) entities.push({...style, offset: length, length: fitting.length});
		length += fitting.length;
	};
	for (const part of parts) addPart(part, add);
	return {text: text.join(''), entities: limitEntities(entities, length)};
};

/** If there are too many entities, the whole rest is formatted as code. */
const limitEntities = (entities: MessageEntity[], length: number): MessageEntity[] => {
	const first = entities[maxEntities - 1];
	if (entities.length <= maxEntities || first === undefined) return entities;
	const {offset} = first;
	return [...entities.slice(0, maxEntities - 1), {type: 'code', offset, length: length - offset}];
};

const addPart = (part: Part, add: (words: string, style?: Style) => void): void => {
	if (typeof part === 'string') return add(part);
	if ('link' in part) return add(part.link, {type: 'text_link', url: part.href});
	const [words, plain]: [string, Style] =
		'strong' in part ? [part.strong, {type: 'bold'}] : [part.said, undefined];
	for (const {text, isCode} of runsOf(words)) add(text, isCode ? {type: 'code'} : plain);
};

/** Splits text into the fewest pieces, each of one style. */
const runsOf = (words: string): readonly {readonly text: string; readonly isCode: boolean}[] => {
	const runs: {text: string; isCode: boolean}[] = [];
	for (const text of words.match(/\s+|\S+/g) ?? []) {
		const last = runs.at(-1);
		const isCode = isClickable(text);
		if (last !== undefined && last.isCode === isCode) last.text += text;
		else runs.push({text, isCode});
	}
	return runs;
};

/** True for addresses, mentions, commands, tags and long numbers, which clients make clickable. */
const isClickable = (word: string): boolean =>
	/[@#$/\\+]|:[^\s\d]|\d{5}/.test(word) || /[^.]\.[^.]/.test(word.replace(/[.,;!?)"'\]]+$/, ''));
