import stringWidth from 'string-width';

/** Characters of one column and one code unit. A fast path, since every cell of a frame is measured. */
export const oneColumn =
	/^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0373\u0391-\u03a1\u03b1-\u03c9\u0410-\u044f\u2010-\u2027\u2030-\u203b\u2190-\u21ff\u2200-\u2319\u231c-\u2328\u232b-\u23e8\u23ed-\u23ef\u23f1\u23f2\u23f4-\u2426\u2500-\u25fc\u2700-\u2704\u2706-\u2709\u270c-\u2727\u2729-\u274b\u274d\u274f-\u2752\u2756\u2758-\u2794\u2798-\u27af\u27b1-\u27be\u2800-\u28ff]*$/;

/** The width of a text in terminal columns. */
export const widthOf = (text: string): number => (oneColumn.test(text) ? text.length : stringWidth(text));

/**
 * Cuts a text to a width in columns, with an ellipsis. A number is never cut, since part of it would be
 * another number. It is dropped instead; a whole number with almost nothing before it stays without the
 * ellipsis.
 */
export const clip = (text: string, width: number): string => {
	if (widthOf(text) <= width) return text;
	if (width <= 0) return '';
	const kept = takeColumns(text, width - 1);
	const number = numberAtEnd.exec(kept)?.[0];
	if (number === undefined || number.length > maxNumberLength) return `${kept}…`;
	const before = kept.slice(0, -number.length);
	return text[kept.length] === ' ' && before.length < minTextBeforeNumber ? kept : `${before}…`;
};

/** Matches `$1,204.5`, `9/12`, `1:02:03`, `1h02m`, `90%`, and their beginnings. */
const numberAtEnd = /[<~+-]?(?:\$|\d)[\d.,:/$]*(?:[dhmsKMBT%][\d.,:/$]*)*$/;
/** A text before a number that is shorter than this many columns is meaningless without the number. */
const minTextBeforeNumber = 4;
/** Max columns of a number; anything longer is an id or a picture. */
const maxNumberLength = 16;

/** The text after that many columns. A cut wide character leaves a space. */
export const dropColumns = (text: string, columns: number): string => {
	if (columns <= 0) return text;
	if (oneColumn.test(text)) return text.slice(columns);
	const before = takeColumns(text, columns);
	if (widthOf(before) === columns) return text.slice(before.length);
	const cut = takeColumns(text, columns + 1);
	return ' '.repeat(Math.max(0, widthOf(cut) - columns)) + text.slice(cut.length);
};

let segmenter: Intl.Segmenter | undefined;

/**
 * Code units that are segmented at once. The segmenter's cost per character grows with the length of its
 * text.
 */
const windowSize = 256;

/** The first half of a surrogate pair, if the text is cut after it. */
const halfOfPair = /[\ud800-\udbff]$/;

/**
 * The graphemes of a text with their offsets, in linear time. The segmenter is created on first use, since
 * most texts do not need it and creating it is slow.
 */
export function* graphemesOf(text: string): Generator<{readonly segment: string; readonly index: number}> {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	let size = windowSize;
	for (let start = 0; start < text.length; ) {
		const isLast = start + size >= text.length;
		const window = text.slice(start, start + size);
		const part = isLast ? window : window.replace(halfOfPair, '');
		let end = 0;
		for (const {segment, index} of segmenter.segment(part)) {
			// A grapheme at the end of the window may continue after it.
			if (!isLast && index + segment.length === part.length) break;
			end = index + segment.length;
			yield {segment, index: start + index};
		}
		start += end;
		size = end === 0 ? size * 2 : windowSize;
	}
}

/** Wraps a text to a width in columns, between words if possible. For short texts. */
export const wrapAtSpaces = (text: string, width: number): readonly string[] => {
	const rows: string[] = [];
	let rest = text;
	while (width > 1) {
		// Measuring all that is left for each row would take quadratic time.
		const fitting = takeColumns(rest, width);
		if (fitting.length === rest.length) break;
		const row = fitting || firstGrapheme(rest);
		const space = rest[row.length] === ' ' ? row.length : row.lastIndexOf(' ');
		const end = space > 0 ? space : row.length;
		rows.push(rest.slice(0, end));
		rest = rest.slice(end).trimStart();
	}
	return [...rows, rest];
};

/** The first grapheme of a text. It may be wider than a narrow row. */
const firstGrapheme = (text: string): string => {
	for (const {segment} of graphemesOf(text)) return segment;
	return text;
};

/** Wraps a text to a width in columns, between characters. */
export const wrapAtColumns = (text: string, width: number): readonly string[] => {
	if (widthOf(text) <= width) return [text];
	const rows: string[] = [];
	if (oneColumn.test(text)) {
		for (let start = 0; start < text.length; start += Math.max(1, width))
			rows.push(text.slice(start, start + Math.max(1, width)));
		return rows;
	}
	let [start, taken] = [0, 0];
	for (const {segment, index} of graphemesOf(text)) {
		const size = widthOf(segment);
		if (taken + size > width && index > start) {
			rows.push(text.slice(start, index));
			[start, taken] = [index, 0];
		}
		taken += size;
	}
	return [...rows, text.slice(start)];
};

/** The longest prefix of whole characters that fits a width in columns. */
const takeColumns = (text: string, width: number): string => {
	if (oneColumn.test(text)) return text.slice(0, Math.max(0, width));
	let taken = 0;
	let end = 0;
	for (const {segment, index} of graphemesOf(text)) {
		taken += widthOf(segment);
		if (taken > width) return text.slice(0, end);
		end = index + segment.length;
	}
	return text;
};
