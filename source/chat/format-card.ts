import {escapeHidden} from '../domain/escape-hidden.ts';
import {formatCount} from '../domain/format-count.ts';
import {classifyInjected} from '../domain/injected-warnings.ts';
import {landingWarnings} from '../domain/landing.ts';
import type {Trace} from '../domain/trace.ts';
import type {Preview} from '../host/review/preview.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Part} from './message.ts';

/** A glyph and a word for each kind, always used together. */
const kindLabels: Readonly<Record<InboxEntry['kind'], string>> = {
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
const maxFiles = 10;
const maxSentenceLength = 600;

/**
 * Makes text of others safe to show. It is cleaned before it is cut, since part of a secret would not be
 * recognized.
 */
export type Quote = (text: string, maxLength: number) => {readonly said: string};

export const createQuote =
	(clean: (text: string) => string): Quote =>
	(text, maxLength) => ({said: truncate(clean(text), maxLength)});

/** The text of a card. */
export const formatCard = (
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
	{strong: kindLabels[kind]},
	' ',
	quote(title, 200),
	'\n',
	quote(sentence, maxSentenceLength),
	...(traceId === undefined ? [] : ['\n', {said: taskId === undefined ? traceId : `${traceId} ${taskId}`}]),
	...(trace?.energyBudget !== undefined && (kind === 'invite' || kind === 'blocked')
		? [`\nhoney: ${trace.energyRemaining}/${trace.energyBudget}`]
		: []),
	...(preview === undefined ? [] : formatPreview(preview, quote)),
	...(consoleUrl === undefined || traceId === undefined
		? []
		: ['\n', {link: 'Open on the page', href: `${consoleUrl}/#traces/${encodeURIComponent(traceId)}`}]),
];

const formatPreview = (preview: Preview, quote: Quote): readonly Part[] => {
	const {files, base, conflicts, unsaved, planted} = preview;
	const sum = (pick: 'added' | 'removed') => files.reduce((all, file) => all + file[pick], 0);
	return [
		`\n${formatCount(files.length, 'file')}, +${sum('added')} -${sum('removed')}${base === '' ? '' : ', into '}`,
		...(base === '' ? [] : [quote(base, 100)]),
		...files
			.slice(0, maxFiles)
			.flatMap(({path, added, removed}): Part[] => [
				'\n  ',
				quote(escapeHidden(path), 80),
				` +${added} -${removed}`,
			]),
		...(files.length > maxFiles ? [`\n  and ${files.length - maxFiles} more`] : []),
		...formatList('It conflicts with its base in', conflicts.map(escapeHidden), quote),
		...formatList('Unsaved files are in its way', unsaved.map(escapeHidden), quote),
		...formatList(
			'Settings that make git run programs here were added',
			classifyInjected(planted).programs,
			quote,
		),
		...[...classifyInjected(planted).altered, ...landingWarnings(preview)].flatMap(words => [
			'\n\u26a0 ',
			quote(words, 300),
		]),
	];
};

const formatList = (what: string, names: readonly string[], quote: Quote): readonly Part[] =>
	names.length === 0 ? [] : [`\n${what}: `, quote(names.join(', '), 200)];

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Cuts a text to a max length in UTF-16 units, without splitting a grapheme. */
export const truncate = (text: string, maxLength: number): string => {
	if (text.length <= maxLength) return text;
	if (maxLength < 1) return '';
	const border =
		graphemes.segment(text.slice(0, maxLength + maxGraphemeLength)).containing(maxLength - 1)?.index ?? 0;
	const isBroken = border < maxLength - maxGraphemeLength;
	const kept = isBroken
		? text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')
		: text.slice(0, border);
	return `${kept}\u2026`;
};

/** Max UTF-16 units of a grapheme; longer sequences are not characters of any language. */
const maxGraphemeLength = 64;
