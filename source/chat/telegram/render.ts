import type {MessageEntity} from 'grammy/types';
import type {Message, Part} from '../message.ts';
import {cut} from '../words.ts';

/** UTF-16 units that a message may have. */
const longest = 4096;

export type Rendered = {readonly text: string; readonly entities: MessageEntity[]};

/** Entities that the platform takes; what comes behind them would be as it reads it. */
const mostEntities = 100;

type Style =
	| {readonly type: 'bold' | 'code'}
	| {readonly type: 'text_link'; readonly url: string}
	| undefined;

/**
 * The parts as text and entities. Nothing is parsed there, so no words become markup; what of others' words a
 * client would make a link, a name or a command of is set as code.
 */
export const render = ({parts}: Pick<Message, 'parts'>): Rendered => {
	const text: string[] = [];
	const entities: MessageEntity[] = [];
	let length = 0;
	const add = (words: string, style?: Style): void => {
		const fitting = cut(words, Math.max(0, longest - length));
		if (fitting === '') return;
		text.push(fitting);
		if (style !== undefined) entities.push({...style, offset: length, length: fitting.length});
		length += fitting.length;
	};
	for (const part of parts) addPart(part, add);
	return {text: text.join(''), entities: bounded(entities, length)};
};

/** Where there are too many, all that comes behind is code. */
const bounded = (entities: MessageEntity[], length: number): MessageEntity[] => {
	const first = entities[mostEntities - 1];
	if (entities.length <= mostEntities || first === undefined) return entities;
	const {offset} = first;
	return [...entities.slice(0, mostEntities - 1), {type: 'code', offset, length: length - offset}];
};

const addPart = (part: Part, add: (words: string, style?: Style) => void): void => {
	if (typeof part === 'string') return add(part);
	if ('link' in part) return add(part.link, {type: 'text_link', url: part.href});
	const [words, plain]: [string, Style] =
		'strong' in part ? [part.strong, {type: 'bold'}] : [part.said, undefined];
	for (const {text, isCode} of runsOf(words)) add(text, isCode ? {type: 'code'} : plain);
};

/** The words in as few pieces as there are styles. */
const runsOf = (words: string): readonly {readonly text: string; readonly isCode: boolean}[] => {
	const runs: {text: string; isCode: boolean}[] = [];
	for (const text of words.match(/\s+|\S+/g) ?? []) {
		const last = runs.at(-1);
		const isCode = isTaken(text);
		if (last !== undefined && last.isCode === isCode) last.text += text;
		else runs.push({text, isCode});
	}
	return runs;
};

/** Addresses, names, commands, tags and long numbers: clients make something to press of them. */
const isTaken = (word: string): boolean =>
	/[@#$/\\+]|:[^\s\d]|\d{5}/.test(word) || /[^.]\.[^.]/.test(word.replace(/[.,;!?)"'\]]+$/, ''));
