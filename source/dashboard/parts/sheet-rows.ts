import {sanitizeProse} from '../../domain/sanitize.ts';
import type {SheetLine, SheetTone} from '../../host/views/sheet-lines.ts';
import {clip, widthOf, wrapAtSpaces} from './cells.ts';
import {type ColourToken, type Line, plainText, type Span, span} from './line.ts';

/** A named part of a sheet. */
export type SheetPart = {readonly id: string; readonly name: string; readonly lines: readonly SheetLine[]};

/** A list with the part, empty if the part has no lines. */
export const sheetPart = (id: string, name: string, lines: readonly SheetLine[]): readonly SheetPart[] =>
	lines.length === 0 ? [] : [{id, name, lines}];

/** One screen row of a sheet. */
export type SheetRow = {
	readonly line: Line;
	/** Identifies the line of the sheet that the row belongs to. */
	readonly key: string;
	/** True if the line has more text than its folded rows show. */
	readonly canUnfold: boolean;
	readonly tone: SheetTone;
};

type Look = {
	/** Columns of a row. */
	readonly width: number;
	/** Rows of the pane. Lines are folded until they fit in it, as far as possible. Default: unlimited. */
	readonly height?: number;
	/** Keys of the unfolded lines. */
	readonly unfolded: ReadonlySet<string>;
	/** Rows within which what an agent says is shown as a whole. Default 0: only its first lines are shown. */
	readonly wholeWithin?: number;
};

/** How much of each line is shown before it is unfolded. */
type Fold = {
	/** Max rows of the request, of what an agent says, and of the own text of any other line. */
	readonly request: number;
	readonly words: number;
	readonly rows: Readonly<Record<SheetTone, number>>;
	/** Max rows of an output below a line. With 0 its first row is in the line, before the text. */
	readonly below: number;
	/** True if lines that differ only in their subject share a row. */
	readonly isJoined: boolean;
	/**
	 * How quotations are shown: their first lines, all lines, or all lines after each other in the same row,
	 * which needs fewer rows.
	 */
	readonly quotes: 'first lines' | 'lines' | 'flow';
	/** True if it is only for the rows within which all of them may be shown. */
	readonly isRoomy?: boolean;
};

const widest: Fold = {
	...{request: 3, words: 3, below: 3, isJoined: false, quotes: 'first lines'},
	rows: {bad: 3, warn: 3, good: 1, plain: 2, dim: 2},
};
const double: Fold = {
	...{request: 2, words: 3, below: 2, isJoined: true, quotes: 'flow'},
	rows: {bad: 2, warn: 2, good: 1, plain: 2, dim: 2},
};
const single: Fold = {
	...{request: 1, words: 3, below: 1, isJoined: true, quotes: 'flow'},
	rows: {bad: 1, warn: 1, good: 1, plain: 1, dim: 1},
};
const tight: Fold = {...single, below: 0};

/** Parts that are read later, or matter less than that the others are in sight. */
const lateParts: ReadonlySet<string> = new Set(['lands', 'changes', 'files']);

/** True for the cost, and for the row that says that nothing changed outside. Words of agents decide more. */
const isQuiet = ({key, tone}: SheetRow): boolean => {
	const part = partIn(key);
	return part === 'cost' || (part === 'outside' && tone === 'dim');
};
const never = (): boolean => false;

/**
 * From the widest, with the rows that need not be in sight, besides those of late parts. A sheet takes the
 * first with which the others fit in its pane, else `tight`. What an agent says is cut last, since no other
 * line has it.
 */
const folds: readonly (readonly [fold: Fold, mayBeBelow: (row: SheetRow) => boolean])[] = [
	// Agents may say any amount.
	...[widest, double, single].map(
		one => [{...one, words: 8, quotes: 'lines', isRoomy: true}, never] as const,
	),
	...[double, single, tight].map(one => [{...one, words: 8, isRoomy: true}, never] as const),
	[{...widest, quotes: 'flow'}, never],
	...[double, single, tight].map(one => [one, never] as const),
	[tight, isQuiet],
	[{...tight, words: 2}, isQuiet],
	[{...tight, words: 1}, isQuiet],
];

const tones: Readonly<Record<SheetTone, ColourToken>> = {
	...{bad: 'bad', warn: 'accent', good: 'good', plain: 'plain', dim: 'dim'},
};
const marks: Readonly<Record<SheetTone, string>> = {bad: '✗', warn: '!', good: '✓', plain: '', dim: ''};

/** Max columns of the subject of a line, such as the title of a task. */
const maxAboutWidth = 24;
/** In a narrower sheet, a text beside a longer subject goes on below it, where it has more columns. */
const hanging = {below: 100, about: 12};
const gap = 2;

/**
 * Returns the parts of a sheet as rows: the name of a part, then its lines. Unfolded lines do not change how
 * much the others show. Neither do parts that are read later, so nothing else moves.
 */
export const sheetRows = (
	parts: readonly SheetPart[],
	{width, height = Infinity, unfolded, wholeWithin = 0}: Look,
): readonly SheetRow[] => {
	const nameWidth = Math.max(0, ...parts.map(({name}) => widthOf(name))) + gap;
	const wraps: Wraps = new Map();
	const early = parts.filter(({id}) => !lateParts.has(id));
	const isFitting = ([fold, mayBeBelow]: (typeof folds)[number]): boolean => {
		const most = fold.isRoomy ? wholeWithin : height;
		const rows =
			most === 0 ? noRows : rowsWith(early, {width, nameWidth, fold, wraps, unfolded: nothingUnfolded});
		const isCut = fold.quotes === 'lines' && rows.some(isCutQuote);
		return most > 0 && !isCut && rows.filter(row => !mayBeBelow(row)).length <= most;
	};
	const fold = height === Infinity ? widest : (folds.find(isFitting)?.[0] ?? tight);
	return rowsWith(parts, {width, nameWidth, unfolded, fold, wraps});
};

const nothingUnfolded: ReadonlySet<string> = new Set();
const noRows: readonly SheetRow[] = [];

const isCutQuote = ({key, canUnfold}: SheetRow): boolean => canUnfold && quoting.has(partIn(key));

/** The id of the part to which a key belongs. */
const partIn = (key: string): string => key.split('/', 1)[0] ?? '';

type FoldedLook = Pick<Look, 'width' | 'unfolded'> & {
	/** Columns of the names of the parts. */
	readonly nameWidth: number;
	readonly fold: Fold;
	/** Texts that were wrapped for another fold. */
	readonly wraps: Wraps;
};
type Wraps = Map<string, readonly string[]>;

const rowsWith = (parts: readonly SheetPart[], look: FoldedLook): readonly SheetRow[] =>
	joinShort(
		parts.map(part => rowsOfPart(part, look)),
		look.width,
	).flat();

const rowsOfPart = (
	{id, name, lines: all}: SheetPart,
	{width, nameWidth, unfolded, fold, wraps}: FoldedLook,
): readonly SheetRow[] => {
	const isMarked = all.some(({tone}) => marks[tone] !== '');
	const aboutWidth = Math.min(
		Math.max(0, ...all.map(({about = ''}) => widthOf(sanitizeProse(about)))),
		maxAboutWidth,
		Math.floor(width / 4),
	);
	const beforeAbout = nameWidth + (isMarked ? gap : 0);
	const before = beforeAbout + (aboutWidth === 0 ? 0 : aboutWidth + gap);
	const isHanging = aboutWidth > hanging.about && width < hanging.below;
	const beforeRest = isHanging ? beforeAbout + gap : before;
	const seen = new Map<string, number>();
	const lines = fold.isJoined ? joinEqual(all) : all.map(line => ({line, abouts: [line.about ?? '']}));
	return lines.flatMap(({line, abouts}, index) => {
		const {tone} = line;
		const about = sanitizeProse(abouts.join(', '));
		const number = seen.get(about) ?? 0;
		seen.set(about, number + 1);
		const key = `${id}/${about}/${number}`;
		// A long subject runs into the column of the text.
		const roomOfAbout = Math.max(aboutWidth, Math.floor((width - nameWidth) / 2));
		const shownAbout = clip(about, roomOfAbout);
		const excess = Math.max(0, widthOf(shownAbout) - aboutWidth);
		const isQuote = quoting.has(id);
		const shown = isQuote && fold.quotes !== 'first lines' ? wholeLine(line) : line;
		const {texts, canUnfold} = textsOf(shown, {
			...{width: Math.max(1, width - beforeRest), first: Math.max(1, width - before - excess)},
			rows: maxRowsOf(id, tone, fold),
			below: fold.below,
			isUnfolded: unfolded.has(key),
			isQuoted: isQuote,
			wraps,
			isFlowing: isQuote && fold.quotes === 'flow',
		});
		const aboutSpan = (row: number): Span => {
			if (row === 0) return span(padTo(shownAbout, aboutWidth), 'strong');
			return span(isHanging ? ' '.repeat(gap) : padTo('', aboutWidth));
		};
		return texts.map((text, row): SheetRow => {
			const head = [
				span((index === 0 && row === 0 ? name : '').padEnd(nameWidth), 'dim'),
				...(isMarked ? [span((row === 0 ? marks[tone] : '').padEnd(gap), tones[tone])] : []),
				...(aboutWidth === 0 ? [] : [aboutSpan(row)]),
			];
			return {line: [...head, text], key, canUnfold, tone};
		});
	});
};

/** With all of its quotation as its text, so that nothing else is to unfold. */
const wholeLine = ({whole, ...line}: SheetLine): SheetLine => {
	if (whole === undefined) return line;
	const {more: _all, ...rest} = line;
	return {...rest, text: whole};
};

const maxRowsOf = (id: string, tone: SheetTone, fold: Fold): number => {
	if (id === 'request') return fold.request;
	return quoting.has(id) ? fold.words : fold.rows[tone];
};

const padTo = (text: string, width: number): string =>
	text + ' '.repeat(Math.max(0, width - widthOf(text)) + gap);

/** Joins lines that differ only in their subject: `Limiter, Tests  guard: "Fine."` */
const joinEqual = (
	lines: readonly SheetLine[],
): readonly {readonly line: SheetLine; readonly abouts: readonly string[]}[] => {
	const joined = new Map<string, {line: SheetLine; abouts: string[]}>();
	for (const line of lines) {
		const {about = '', text, tone, below, more} = line;
		const key = about === '' ? `${joined.size}` : JSON.stringify([text, tone, below, more]);
		const first = joined.get(key);
		if (first === undefined) joined.set(key, {line, abouts: [about]});
		else first.abouts.push(about);
	}
	return [...joined.values()];
};

/** Parts with words of agents. These have no colour, since hive does not know whether they are right. */
const quoting: ReadonlySet<string> = new Set(['tasks', 'guards']);

type Room = {
	/** Columns of the text, and of its first row. */
	readonly width: number;
	readonly first: number;
	/** Max rows of the text, and of the output below it, while the line is folded. */
	readonly rows: number;
	readonly below: number;
	readonly isUnfolded: boolean;
	readonly isQuoted: boolean;
	/** True if, while it is folded, a line of the text begins where the one before it ends. */
	readonly isFlowing: boolean;
	readonly wraps: Wraps;
};

/** More rows than any fold shows of a text. */
const maxFoldedRows = 12;

const textsOf = (
	{tone, text, below = [], more}: SheetLine,
	{width, first, rows, below: maxBelow, isUnfolded, isQuoted, isFlowing, wraps}: Room,
): {readonly texts: readonly Span[]; readonly canUnfold: boolean} => {
	const own = tone === 'good' || isQuoted ? 'plain' : tones[tone];
	const [top = ''] = isUnfolded || maxBelow > 0 ? [] : below;
	const lines = isFlowing && !isUnfolded ? text.replaceAll(/\s*\n\s*/g, ' ') : text;
	const all = top === '' ? lines : `${top.trim()} · ${lines}`;
	// An agent may say thousands of characters. The rows that are shown need few of them.
	const needed = isUnfolded ? all : all.slice(0, 2 * width * maxFoldedRows);
	const key = `${width} ${first} ${needed}`;
	const wrapped = wraps.get(key) ?? wrapText(needed, width, first);
	wraps.set(key, wrapped);
	const isLonger = wrapped.length > rows || needed !== all;
	const quoted = below.map(row => span(clip(`│ ${sanitizeProse(row)}`, width), 'dim'));
	const canUnfold = more !== undefined || isLonger || quoted.length > maxBelow;
	if (!isUnfolded) {
		const shown = wrapped.slice(0, rows);
		const isCut = isLonger || (more !== undefined && below.length === 0);
		const last = shown.length - 1;
		return {
			texts: [
				...shown.map((row, at) =>
					span(isCut && at === last ? withEllipsis(row, at === 0 ? first : width) : row, own),
				),
				...quoted.slice(0, maxBelow),
			],
			canUnfold,
		};
	}
	const whole = wrapped.map(row => span(row, own));
	if (more === undefined) return {texts: [...whole, ...quoted], canUnfold};
	if (below.length === 0 && more.startsWith(text))
		return {texts: wrapText(more, width, first).map(row => span(row, own)), canUnfold};
	return {
		texts: [...whole, ...wrapText(more, width - gap).map(row => span(`│ ${row}`, 'dim'))],
		canUnfold,
	};
};

/** @param first columns of the first row, if it has fewer */
const wrapText = (text: string, width: number, first = width): readonly string[] => {
	const [top = '', ...rest] = text.split('\n').map(sanitizeProse);
	const [row = '', ...more] = wrapAtSpaces(top, first);
	const left = first === width ? more : more.length === 0 ? [] : wrapAtSpaces(more.join(' '), width);
	return [row, ...left, ...rest.flatMap(one => wrapAtSpaces(one, width))];
};

/** Cuts at a word if the ellipsis needs room. */
const withEllipsis = (row: string, width: number): string => {
	if (row.endsWith('…')) return row;
	if (widthOf(row) + 2 <= width) return `${row} …`;
	const kept = row.trimEnd();
	const space = kept.lastIndexOf(' ');
	return space > 0 ? `${kept.slice(0, space).trimEnd()} …` : clip(`${row}……`, width);
};

/** Returns the rows of a single fact without a mark. */
export const factRows = ({tone, text}: SheetLine, width: number): readonly Line[] =>
	wrapText(text, Math.max(8, width)).map(row => [span(row, tones[tone])]);

/** Parts that may share a row: changes outside and cost are often a few words each. */
const joinShort = (
	parts: readonly (readonly SheetRow[])[],
	width: number,
): readonly (readonly SheetRow[])[] => {
	const joined: (readonly SheetRow[])[] = [];
	for (const part of parts) {
		const both = joinRows(joined.at(-1), part, width);
		if (both === undefined) joined.push(part);
		else joined[joined.length - 1] = [both];
	}
	return joined;
};

const joinRows = (
	[first, ...rest]: readonly SheetRow[] = [],
	[second, ...others]: readonly SheetRow[],
	width: number,
): SheetRow | undefined => {
	if (first === undefined || second === undefined || rest.length + others.length > 0) return;
	if (!(first.key.startsWith('outside/') && second.key.startsWith('cost/'))) return;
	const left = plainText(first.line).trimEnd();
	const shift = Math.max(widthOf(left) + gap, Math.floor(width / 2));
	const name = second.line.map(({text, tone}, at) => ({text: at === 0 ? `${text.trimEnd()}  ` : text, tone}));
	if (shift + widthOf(plainText(name)) > width) return;
	return {...first, line: [...first.line, span(' '.repeat(shift - widthOf(plainText(first.line)))), ...name]};
};
