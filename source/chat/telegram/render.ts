import type {MessageEntity} from 'grammy/types';
import type {Message, Part} from '../message.ts';
import {cut} from '../words.ts';

/** UTF-16 units that a message may have. */
const longest = 4096;

export type Rendered = {readonly text: string; readonly entities: MessageEntity[]};

/**
 * The parts as text and entities. Nothing is parsed there, so no words become markup; what of others' words a client would make a link,
 * a name or a command of is set as code.
 */
export const render = ({parts}: Pick<Message, 'parts'>): Rendered => {
	const text: string[] = [];
	const entities: MessageEntity[] = [];
	let length = 0;
	const add = (words: string, entity?: {type: 'bold' | 'code'} | {type: 'text_link'; url: string}): void => {
		const fitting = cut(words, Math.max(0, longest - length));
		if (fitting === '' || length >= longest) return;
		text.push(fitting);
		if (entity !== undefined) entities.push({...entity, offset: length, length: fitting.length});
		length += fitting.length;
	};
	for (const part of parts) addPart(part, add);
	return {text: text.join(''), entities};
};

const addPart = (
	part: Part,
	add: (words: string, entity?: {type: 'bold' | 'code'} | {type: 'text_link'; url: string}) => void,
): void => {
	if (typeof part === 'string') return add(part);
	if ('strong' in part) return add(part.strong, {type: 'bold'});
	if ('link' in part) return add(part.link, {type: 'text_link', url: part.href});
	for (const [, space = '', word = ''] of part.said.matchAll(/(\s*)(\S*)/g)) {
		add(space);
		if (word !== '') add(word, isTaken(word) ? {type: 'code'} : undefined);
	}
};

/** Addresses, names, commands, tags and long numbers: clients make something to press of them. */
const isTaken = (word: string): boolean =>
	/[@#$/\\:+]|\d{5}/.test(word) || /[^.]\.[^.]/.test(word.replace(/[.,;!?)"'\]]+$/, ''));
