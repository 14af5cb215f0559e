import {echoOf, isVisible, repetitionOf} from './echo.ts';
import {mergeView, type Row, readableRows, wordsOfRow} from './remembered-rows.ts';
import {createTyping, type Stroke} from './typing.ts';

/** What one side said; rows are separated by line feeds. */
export type Said = {readonly role: 'user' | 'agent'; readonly content: string};

export type Dialogue = {
	/** Rows that have left the top of the normal buffer, oldest first. */
	readonly scrolled: (rows: readonly string[]) => void;
	/** How many of those no look has taken yet. */
	readonly waiting: () => number;
	/** What goes to the program from the person; `rows` are those on screen, before the program has it. */
	readonly typed: (bytes: Uint8Array, rows: () => readonly string[]) => readonly Said[];
	/**
	 * Takes what there is to read.
	 *
	 * @param rows those on screen; none while the screen is not at rest, when only what has scrolled away is
	 * final
	 * @param isFinal says also what may still go on counting
	 */
	readonly look: (rows: readonly string[], isFinal?: boolean) => readonly Said[];
	/**
	 * Takes what can be read on a screen that goes on being drawn: rows that stood there at the glance before
	 * too.
	 *
	 * @param rows those on screen
	 */
	readonly glance: (rows: readonly string[]) => readonly Said[];
};

type TypedLine = {
	readonly line: string;
	/** Rows on screen when its typing began. */
	readonly before: readonly string[];
};

/** Rows that are known when they come again. */
const mostRemembered = 2000;
const mostWaiting = 1000;
/** Rows that may change at once in nothing but their figures, and still be a spinner or a clock. */
const mostTicking = 3;

/**
 * What a person and a program say to each other, read from the screen and the keyboard. Holds no clock and
 * writes nothing.
 */
export const createDialogue = (): Dialogue => {
	const typing = createTyping();
	let remembered: readonly string[] = [];
	let waiting: string[] = [];
	let glanced: readonly string[] = [];
	let leftOut = 0;
	let before: readonly string[] | undefined;
	/** What the last submit saw; many that come at once see the same screen. */
	let submittedOn: readonly string[] | undefined;
	/** Submitted before its program has echoed it; the next look tells whether it does. */
	let unseen: TypedLine | undefined;
	/** Said, and not yet said again by the program. */
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

/** The few rows still on screen in which only figures or a spinner went on. */
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
