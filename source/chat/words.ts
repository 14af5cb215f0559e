import {counted} from '../domain/counted.ts';
import type {Trace} from '../domain/trace.ts';
import type {Preview} from '../host/preview.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Part} from './message.ts';

/** A glyph and a word for each kind: neither stands alone. */
const kinds: Readonly<Record<InboxEntry['kind'], string>> = {
	invite: '\u2709 Invite',
	conflict: '\u26a0 Conflict',
	review: '\u25c6 Review',
	failed: '\u2717 Failed',
	blocked: '\u25a0 Blocked',
	configuration: '\u26a0 Configuration',
	paused: '\u23f8 Paused',
};

const longestFiles = 12;
const longestSaid = 1000;

/** What a card says of its cause. */
export const cardWords = (
	{kind, title, sentence, traceId, taskId}: InboxEntry,
	trace: Trace | undefined,
	{preview, consoleUrl}: {readonly preview?: Preview | undefined; readonly consoleUrl?: string | undefined},
): readonly Part[] => [
	{strong: kinds[kind]},
	' ',
	{said: cut(title, 200)},
	'\n',
	{said: cut(sentence, longestSaid)},
	...(traceId === undefined ? [] : ['\n', {said: taskId === undefined ? traceId : `${traceId} ${taskId}`}]),
	...(trace?.energyBudget !== undefined && (kind === 'invite' || kind === 'blocked')
		? [`\nhoney: ${trace.energyRemaining}/${trace.energyBudget}`]
		: []),
	...(preview === undefined ? [] : previewWords(preview)),
	...(consoleUrl === undefined || traceId === undefined
		? []
		: ['\n', {link: 'Open on the page', href: `${consoleUrl}/#traces/${encodeURIComponent(traceId)}`}]),
];

const previewWords = ({files, base, conflicts, unsaved, planted}: Preview): readonly Part[] => {
	const sum = (pick: 'added' | 'removed') => files.reduce((all, file) => all + file[pick], 0);
	return [
		`\n${counted(files.length, 'file')}, +${sum('added')} -${sum('removed')}${base === '' ? '' : ', into '}`,
		...(base === '' ? [] : [{said: base}]),
		...files
			.slice(0, longestFiles)
			.flatMap(({path, added, removed}): Part[] => [
				'\n  ',
				{said: cut(path, 100)},
				` +${added} -${removed}`,
			]),
		...(files.length > longestFiles ? [`\n  and ${files.length - longestFiles} more`] : []),
		...listed('It conflicts with its base in', conflicts),
		...listed('Unsaved files are in its way', unsaved),
		...listed('What makes git run programs here was planted', planted),
	];
};

const listed = (what: string, names: readonly string[]): readonly Part[] =>
	names.length === 0 ? [] : [`\n${what}: `, {said: cut(names.join(', '), 300)}];

/** At most that many UTF-16 units, and no half of a character. */
export const cut = (text: string, most: number): string =>
	text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}\u2026`;
