import {counted} from '../domain/counted.ts';
import {landingWarnings} from '../domain/landing.ts';
import {sortPlanted} from '../domain/planted-words.ts';
import type {Trace} from '../domain/trace.ts';
import {writeOut} from '../domain/written-out.ts';
import type {Preview} from '../host/review/preview.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Part} from './message.ts';

/** A glyph and a word for each kind, always used together. */
const kinds: Readonly<Record<InboxEntry['kind'], string>> = {
	invite: '\u2709 Invite',
	question: '? Question',
	no_change: '\u2205 Changed nothing',
	conflict: '\u26a0 Conflict',
	review: '\u25c6 Review',
	failed: '\u2717 Failed',
	blocked: '\u25a0 Blocked',
	configuration: '\u26a0 Configuration',
	paused: '\u23f8 Paused',
};

/** Max files, and max characters of quoted text, so that the card fits into a message of every channel. */
const longestFiles = 10;
const longestSaid = 600;

/**
 * Makes text of others safe to show. It is cleaned before it is cut, since part of a secret would not be
 * recognized.
 */
export type Quote = (text: string, most: number) => {readonly said: string};

export const quoting =
	(clean: (text: string) => string): Quote =>
	(text, most) => ({said: cut(clean(text), most)});

/** The text of a card. */
export const cardWords = (
	{kind, title, sentence, traceId, taskId}: InboxEntry,
	trace: Trace | undefined,
	{
		quote,
		preview,
		consoleUrl,
	}: {
		readonly quote: Quote;
		readonly preview?: Preview | undefined;
		readonly consoleUrl?: string | undefined;
	},
): readonly Part[] => [
	{strong: kinds[kind]},
	' ',
	quote(title, 200),
	'\n',
	quote(sentence, longestSaid),
	...(traceId === undefined ? [] : ['\n', {said: taskId === undefined ? traceId : `${traceId} ${taskId}`}]),
	...(trace?.energyBudget !== undefined && (kind === 'invite' || kind === 'blocked')
		? [`\nhoney: ${trace.energyRemaining}/${trace.energyBudget}`]
		: []),
	...(preview === undefined ? [] : previewWords(preview, quote)),
	...(consoleUrl === undefined || traceId === undefined
		? []
		: ['\n', {link: 'Open on the page', href: `${consoleUrl}/#traces/${encodeURIComponent(traceId)}`}]),
];

const previewWords = (preview: Preview, quote: Quote): readonly Part[] => {
	const {files, base, conflicts, unsaved, planted} = preview;
	const sum = (pick: 'added' | 'removed') => files.reduce((all, file) => all + file[pick], 0);
	return [
		`\n${counted(files.length, 'file')}, +${sum('added')} -${sum('removed')}${base === '' ? '' : ', into '}`,
		...(base === '' ? [] : [quote(base, 100)]),
		...files
			.slice(0, longestFiles)
			.flatMap(({path, added, removed}): Part[] => [
				'\n  ',
				quote(writeOut(path), 80),
				` +${added} -${removed}`,
			]),
		...(files.length > longestFiles ? [`\n  and ${files.length - longestFiles} more`] : []),
		...listed('It conflicts with its base in', conflicts.map(writeOut), quote),
		...listed('Unsaved files are in its way', unsaved.map(writeOut), quote),
		...listed('What makes git run programs here was planted', sortPlanted(planted).programs, quote),
		...[...sortPlanted(planted).altered, ...landingWarnings(preview)].flatMap(words => [
			'\n\u26a0 ',
			quote(words, 300),
		]),
	];
};

const listed = (what: string, names: readonly string[], quote: Quote): readonly Part[] =>
	names.length === 0 ? [] : [`\n${what}: `, quote(names.join(', '), 200)];

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Cuts a text to a max length in UTF-16 units, without splitting a grapheme. */
export const cut = (text: string, most: number): string => {
	if (text.length <= most) return text;
	if (most < 1) return '';
	const border = graphemes.segment(text.slice(0, most + longestGrapheme)).containing(most - 1)?.index ?? 0;
	const isBroken = border < most - longestGrapheme;
	const kept = isBroken ? text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '') : text.slice(0, border);
	return `${kept}\u2026`;
};

/** Max UTF-16 units of a grapheme; longer sequences are not characters of any language. */
const longestGrapheme = 64;
