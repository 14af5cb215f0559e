import {escapeHidden} from '../domain/escape-hidden.ts';
import {waitingPlan} from '../domain/plan-review.ts';
import type {Trace} from '../domain/trace.ts';
import {truncate} from '../domain/truncate.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Sheet} from '../host/views/sheet.ts';
import {alarmLines, formatSheetCounts, sheetBlocks} from '../host/views/sheet-lines.ts';
import type {Part} from './message.ts';

/** A glyph and a word for each kind, always used together. */
const kindLabels: Readonly<Record<InboxEntry['kind'], string>> = {
	invite: '\u2709 Invite',
	question: '? Question',
	session: '? Session',
	no_change: '\u2205 Changed nothing',
	conflict: '\u26a0 Conflict',
	plan: '\u25a4 Plan',
	review: '\u25c6 Review',
	failed: '\u2717 Failed',
	blocked: '\u25a0 Blocked',
	configuration: '\u26a0 Configuration',
	paused: '\u23f8 Paused',
};

/** Max lines, files and characters of quoted text, so that the card fits into a message of every channel. */
const maxAlarms = 6;
const maxFiles = 3;
const maxTasks = 8;
/** Max characters of a task's title. */
const maxTaskLength = 120;
const maxSentenceLength = 600;
const maxAlarmLength = 240;
/** Max characters of a row of a session's screen. */
const maxRowLength = 120;

/**
 * Makes text from agents, files or other people safe to show. It is cleaned before it is cut, since part of a
 * secret would not be recognized.
 */
export type Quote = (text: string, maxLength: number) => {readonly said: string};

export const createQuote =
	(clean: (text: string) => string): Quote =>
	(text, maxLength) => ({said: truncate(clean(text), maxLength)});

/** The text of a card. */
export const formatCard = (
	{kind, title, sentence, traceId, lastRows = []}: InboxEntry,
	trace: Trace | undefined,
	{
		quote,
		sheet,
		consoleUrl,
	}: {
		readonly quote: Quote;
		/** Of a review: what the decision is about. */
		readonly sheet?: Sheet | undefined;
		readonly consoleUrl?: string | undefined;
	},
): readonly Part[] => [
	{strong: kindLabels[kind]},
	' ',
	quote(title, 200),
	'\n',
	quote(sentence, maxSentenceLength),
	...lastRows.flatMap((row): Part[] => ['\n  ', quote(row, maxRowLength)]),
	...(trace?.energyBudget !== undefined && (kind === 'invite' || kind === 'blocked')
		? [`\nhoney: ${trace.energyRemaining}/${trace.energyBudget}`]
		: []),
	...(sheet === undefined ? [] : formatSheet(sheet, quote)),
	...(kind === 'plan' && trace !== undefined ? formatTasks(trace, quote) : []),
	// Commands of the chat take the id.
	...(traceId === undefined ? [] : ['\n', {said: traceId}]),
	...(consoleUrl === undefined || traceId === undefined
		? []
		: ['\n', {link: 'Open on the page', href: `${consoleUrl}/#traces/${encodeURIComponent(traceId)}`}]),
];

/** The first tasks of the plan that waits. */
const formatTasks = (trace: Trace, quote: Quote): readonly Part[] => {
	const tasks = waitingPlan(trace)?.tasks ?? [];
	return [
		...tasks
			.slice(0, maxTasks)
			.flatMap(({title}, index): Part[] => [`\n${index + 1}. `, quote(title, maxTaskLength)]),
		...(tasks.length > maxTasks ? [`\nand ${tasks.length - maxTasks} more`] : []),
	];
};

/** What calls for care comes first, then the size of the work and its first files. */
const formatSheet = (sheet: Sheet, quote: Quote): readonly Part[] => {
	const alarms = alarmLines(sheetBlocks(sheet, undefined));
	const files = sheet.changes?.files ?? [];
	return [
		...alarms.slice(0, maxAlarms).flatMap(line => formatAlarm(line, quote)),
		...(alarms.length > maxAlarms ? [`\n  and ${alarms.length - maxAlarms} more`] : []),
		'\n',
		quote(formatSheetCounts(sheet), maxAlarmLength),
		...files
			.slice(0, maxFiles)
			.flatMap(({path, added, removed}): Part[] => [
				'\n  ',
				quote(escapeHidden(path), 80),
				` +${added} -${removed}`,
			]),
		...(files.length > maxFiles ? [`\n  and ${files.length - maxFiles} more`] : []),
	];
};

const formatAlarm = (
	{tone, name, about, text, below: [output] = []}: ReturnType<typeof alarmLines>[number],
	quote: Quote,
): readonly Part[] => [
	`\n${tone === 'bad' ? '\u2717' : '\u26a0'} ${name}: `,
	quote(`${about === undefined ? '' : `${about}: `}${text}`.replaceAll('\n', ' '), maxAlarmLength),
	...(output === undefined ? [] : ['\n  ', quote(output.trim(), maxAlarmLength)]),
];
