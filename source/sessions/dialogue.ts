import {echoOf, isVisible, repetitionOf} from './echo.ts';
import {lettersOfRow, mergeView, type Row, readableRows} from './merge-rows.ts';
import {createTyping, type Stroke} from './typing.ts';

/** A message of one side; rows are separated by line feeds. */
export type DialogueMessage = {readonly role: 'user' | 'agent'; readonly content: string};

export type Dialogue = {
	/** Adds rows that have left the top of the normal buffer, oldest first. */
	readonly scrolled: (rows: readonly string[]) => void;
	/** Number of those rows that no `look` has taken yet. */
	readonly waiting: () => number;
	/**
	 * Takes input from the person to the program. `rows` returns the rows on screen, before the program has the
	 * input.
	 */
	readonly typed: (bytes: Uint8Array, rows: () => readonly string[]) => readonly DialogueMessage[];
	/**
	 * Takes all new rows.
	 *
	 * @param rows the rows on screen; none while the screen is not at rest, when only scrolled rows are final
	 * @param isFinal true to include rows in which only a counter may still change
	 */
	readonly readNewRows: (rows: readonly string[], isFinal?: boolean) => readonly DialogueMessage[];
	/**
	 * Takes new rows on a screen that is still being drawn: only rows that were there at the last reading too.
	 *
	 * @param rows the rows on screen
	 */
	readonly readStableRows: (rows: readonly string[]) => readonly DialogueMessage[];
};

type TypedLine = {
	readonly line: string;
	/** Rows on screen when its typing began. */
	readonly before: readonly string[];
};

/** Max rows that are remembered, so that they are not new when they appear again. */
const maxKnownRows = 2000;
const maxWaitingRows = 1000;
/** Max rows that may change at once only in their figures, and still count as a spinner or a clock. */
const maxTickingRows = 3;

/**
 * Reads the dialogue of a person and a program from the screen and the keyboard. It has no clock and writes
 * nothing.
 */
export const createDialogue = (): Dialogue => {
	const typing = createTyping();
	let knownRows: readonly string[] = [];
	let waiting: string[] = [];
	let previousRows: readonly string[] = [];
	let leftOut = 0;
	let before: readonly string[] | undefined;
	/** Rows at the last submit. Several submits at once see the same screen. */
	let submittedOn: readonly string[] | undefined;
	/** A submitted line that its program has not echoed yet. The next look shows whether it does. */
	let unechoed: TypedLine | undefined;
	/** The last line of the person, until the program has repeated it. */
	let repeatable = '';

	const typedMessages = (
		{line, before: rows}: TypedLine,
		now: readonly string[],
	): readonly DialogueMessage[] => {
		if (!isVisible(line, now, rows)) return [];
		repeatable = line;
		return [{role: 'user', content: line.trim()}];
	};
	const freshRows = (rows: readonly string[], isFinal: boolean): Row[] => {
		const view = readableRows([...waiting, ...rows]);
		const scrolledAway = readableRows(waiting).length;
		waiting = [];
		const texts = view.map(({text}) => text);
		const merged = mergeView(knownRows, texts);
		const ticking = isFinal ? new Set<number>() : tickingRows(merged.fresh, texts, knownRows, scrolledAway);
		knownRows = (
			ticking.size === 0
				? merged.known
				: mergeView(
						knownRows,
						texts.filter((_, at) => !ticking.has(at)),
					).known
		).slice(-maxKnownRows);
		const fresh = new Set(merged.fresh);
		const newRows = view.filter((_, at) => fresh.has(at) && !ticking.has(at));
		const newTexts = newRows.map(({text}) => text);
		const echoed = [typing.line(), unechoed?.line ?? ''].map(line => echoOf(newTexts, line));
		const repeated = repetitionOf(newTexts, repeatable);
		if (repeated.size > 0) repeatable = '';
		return newRows.filter(row => !repeated.has(row.text) && !echoed.some(rows => rows.has(row.text)));
	};
	const unechoedMessages = (rows: readonly string[]): readonly DialogueMessage[] =>
		unechoed === undefined ? [] : typedMessages(unechoed, rows);
	const freshMessages = (rows: readonly string[], isFinal: boolean): readonly DialogueMessage[] => {
		const fresh = freshRows(rows, isFinal);
		const content = (leftOut > 0 ? [`(${leftOut} rows are left out)`] : [])
			.concat(fresh.map(({text, hasGap}, at) => (hasGap && at > 0 ? `\n${text}` : text)))
			.join('\n');
		leftOut = 0;
		return content === '' ? [] : [{role: 'agent', content}];
	};
	const readNewRows: Dialogue['readNewRows'] = (rows, isFinal = false) => {
		const messages = [...unechoedMessages(rows), ...freshMessages(rows, isFinal)];
		unechoed = undefined;
		return messages;
	};
	const readStableRows: Dialogue['readStableRows'] = rows => {
		const lateMessages = unechoedMessages(rows);
		const standing = new Set(previousRows);
		previousRows = rows;
		const messages = [
			...lateMessages,
			...freshMessages(
				rows.map(row => (standing.has(row) ? row : '')),
				false,
			),
		];
		if (lateMessages.length > 0) unechoed = undefined;
		return messages;
	};
	const submit = (line: string, rows: readonly string[]): readonly DialogueMessage[] => {
		const messages = rows === submittedOn ? [] : readNewRows(rows, true);
		submittedOn = rows;
		if (line.trim() === '') return messages;
		const typed = {line, before: before ?? rows};
		const echoed = typedMessages(typed, rows);
		if (echoed.length === 0) unechoed = typed;
		return [...messages, ...echoed];
	};
	const handleStroke = (stroke: Stroke, rows: () => readonly string[]): readonly DialogueMessage[] => {
		if (stroke.type === 'text') {
			before ??= rows();
			return [];
		}
		const messages = submit(stroke.line, rows());
		before = undefined;
		return messages;
	};
	return {
		scrolled: rows => {
			for (const row of rows) {
				waiting.push(row);
				if (waiting.length <= maxWaitingRows) continue;
				waiting.shift();
				leftOut += 1;
			}
		},
		waiting: () => waiting.length,
		typed: (bytes, rows) => {
			const messages: DialogueMessage[] = [];
			let rowsOnce: readonly string[] | undefined;
			const rowsNow = (): readonly string[] => {
				rowsOnce ??= rows();
				return rowsOnce;
			};
			for (const stroke of typing.push(bytes)) messages.push(...handleStroke(stroke, rowsNow));
			return messages;
		},
		readNewRows,
		readStableRows,
	};
};

/** Returns the positions of the few rows on screen in which only figures or a spinner changed. */
const tickingRows = (
	fresh: readonly number[],
	texts: readonly string[],
	knownRows: readonly string[],
	scrolledAway: number,
): ReadonlySet<number> => {
	const onScreen = fresh.filter(at => at >= scrolledAway);
	if (onScreen.length === 0 || onScreen.length > maxTickingRows) return new Set();
	const known = new Set(knownRows.map(lettersOfRow));
	return new Set(
		onScreen.filter(at => {
			const letters = lettersOfRow(texts[at] ?? '');
			return letters !== '' && known.has(letters);
		}),
	);
};
