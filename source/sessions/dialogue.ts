import {echoOf, isVisible, repetitionOf} from './echo.ts';
import {mergeView, type Row, readableRows, wordsOfRow} from './remembered-rows.ts';
import {createTyping, type Stroke} from './typing.ts';

/** A message of one side; rows are separated by line feeds. */
export type Said = {readonly role: 'user' | 'agent'; readonly content: string};

export type Dialogue = {
	/** Adds rows that have left the top of the normal buffer, oldest first. */
	readonly scrolled: (rows: readonly string[]) => void;
	/** Number of those rows that no `look` has taken yet. */
	readonly waiting: () => number;
	/**
	 * Takes input from the person to the program. `rows` returns the rows on screen, before the program has the
	 * input.
	 */
	readonly typed: (bytes: Uint8Array, rows: () => readonly string[]) => readonly Said[];
	/**
	 * Takes all new rows.
	 *
	 * @param rows the rows on screen; none while the screen is not at rest, when only scrolled rows are final
	 * @param isFinal true to include rows in which only a counter may still change
	 */
	readonly look: (rows: readonly string[], isFinal?: boolean) => readonly Said[];
	/**
	 * Takes new rows on a screen that is still being drawn: only rows that were there at the last glance too.
	 *
	 * @param rows the rows on screen
	 */
	readonly glance: (rows: readonly string[]) => readonly Said[];
};

type TypedLine = {
	readonly line: string;
	/** Rows on screen when its typing began. */
	readonly before: readonly string[];
};

/** Max rows that are remembered, so that they are not new when they appear again. */
const mostRemembered = 2000;
const mostWaiting = 1000;
/** Max rows that may change at once only in their figures, and still count as a spinner or a clock. */
const mostTicking = 3;

/**
 * Reads the dialogue of a person and a program from the screen and the keyboard. It has no clock and writes
 * nothing.
 */
export const createDialogue = (): Dialogue => {
	const typing = createTyping();
	let remembered: readonly string[] = [];
	let waiting: string[] = [];
	let glanced: readonly string[] = [];
	let leftOut = 0;
	let before: readonly string[] | undefined;
	/** Rows at the last submit. Several submits at once see the same screen. */
	let submittedOn: readonly string[] | undefined;
	/** A submitted line that its program has not echoed yet. The next look shows whether it does. */
	let unseen: TypedLine | undefined;
	/** The last line of the person, until the program has repeated it. */
	let repeatable = '';

	const sayTyped = ({line, before: rows}: TypedLine, now: readonly string[]): readonly Said[] => {
		if (!isVisible(line, now, rows)) return [];
		repeatable = line;
		return [{role: 'user', content: line.trim()}];
	};
	const freshRows = (rows: readonly string[], isFinal: boolean): Row[] => {
		const view = readableRows([...waiting, ...rows]);
		const scrolledAway = readableRows(waiting).length;
		waiting = [];
		const texts = view.map(({text}) => text);
		const merged = mergeView(remembered, texts);
		const ticking = isFinal ? new Set<number>() : tickingRows(merged.fresh, texts, remembered, scrolledAway);
		remembered = (
			ticking.size === 0
				? merged.remembered
				: mergeView(
						remembered,
						texts.filter((_, at) => !ticking.has(at)),
					).remembered
		).slice(-mostRemembered);
		const fresh = new Set(merged.fresh);
		const rowsToSay = view.filter((_, at) => fresh.has(at) && !ticking.has(at));
		const said = rowsToSay.map(({text}) => text);
		const echoed = [typing.line(), unseen?.line ?? ''].map(line => echoOf(said, line));
		const repeated = repetitionOf(said, repeatable);
		if (repeated.size > 0) repeatable = '';
		return rowsToSay.filter(row => !repeated.has(row.text) && !echoed.some(rows => rows.has(row.text)));
	};
	const sayUnseen = (rows: readonly string[]): readonly Said[] =>
		unseen === undefined ? [] : sayTyped(unseen, rows);
	const sayFresh = (rows: readonly string[], isFinal: boolean): readonly Said[] => {
		const fresh = freshRows(rows, isFinal);
		const content = (leftOut > 0 ? [`(${leftOut} rows are left out)`] : [])
			.concat(fresh.map(({text, hasGap}, at) => (hasGap && at > 0 ? `\n${text}` : text)))
			.join('\n');
		leftOut = 0;
		return content === '' ? [] : [{role: 'agent', content}];
	};
	const look: Dialogue['look'] = (rows, isFinal = false) => {
		const said = [...sayUnseen(rows), ...sayFresh(rows, isFinal)];
		unseen = undefined;
		return said;
	};
	const glance: Dialogue['glance'] = rows => {
		const late = sayUnseen(rows);
		const standing = new Set(glanced);
		glanced = rows;
		const said = [
			...late,
			...sayFresh(
				rows.map(row => (standing.has(row) ? row : '')),
				false,
			),
		];
		if (late.length > 0) unseen = undefined;
		return said;
	};
	const submit = (line: string, rows: readonly string[]): readonly Said[] => {
		const said = rows === submittedOn ? [] : look(rows, true);
		submittedOn = rows;
		if (line.trim() === '') return said;
		const typed = {line, before: before ?? rows};
		const seen = sayTyped(typed, rows);
		if (seen.length === 0) unseen = typed;
		return [...said, ...seen];
	};
	const take = (stroke: Stroke, rows: () => readonly string[]): readonly Said[] => {
		if (stroke.type === 'text') {
			before ??= rows();
			return [];
		}
		const said = submit(stroke.line, rows());
		before = undefined;
		return said;
	};
	return {
		scrolled: rows => {
			for (const row of rows) {
				waiting.push(row);
				if (waiting.length <= mostWaiting) continue;
				waiting.shift();
				leftOut += 1;
			}
		},
		waiting: () => waiting.length,
		typed: (bytes, rows) => {
			const said: Said[] = [];
			let seen: readonly string[] | undefined;
			const rowsNow = (): readonly string[] => {
				seen ??= rows();
				return seen;
			};
			for (const stroke of typing.push(bytes)) said.push(...take(stroke, rowsNow));
			return said;
		},
		look,
		glance,
	};
};

/** Returns the positions of the few rows on screen in which only figures or a spinner changed. */
const tickingRows = (
	fresh: readonly number[],
	texts: readonly string[],
	remembered: readonly string[],
	scrolledAway: number,
): ReadonlySet<number> => {
	const onScreen = fresh.filter(at => at >= scrolledAway);
	if (onScreen.length === 0 || onScreen.length > mostTicking) return new Set();
	const known = new Set(remembered.map(wordsOfRow));
	return new Set(
		onScreen.filter(at => {
			const words = wordsOfRow(texts[at] ?? '');
			return words !== '' && known.has(words);
		}),
	);
};
