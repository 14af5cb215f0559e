import {sanitizeLine} from '../../domain/sanitize.ts';
import type {CodeSpan} from '../../review/code.ts';
import type {WordDifference} from '../../review/word-differences.ts';
import {dropColumns, widthOf, wrapAtColumns} from './cells.ts';
import {type ColourToken, type Line, plainText, type Span} from './line.ts';

type Parts = {
	readonly code: readonly CodeSpan[] | undefined;
	readonly words: readonly WordDifference[] | undefined;
	/** Tone of uncoloured text, and tone of the words that only this side has. */
	readonly plain: ColourToken;
	readonly own: ColourToken;
};

const tabStop = 8;

/** A line of code, each part in the tone of its kind. Words that only this side has are marked. */
export const codeLine = (text: string, {code, words, plain, own}: Parts): Line => {
	const safe = sanitizeLine(text);
	// A text that sanitizing changed is shown in one tone, since the offsets of its parts no longer fit.
	if (safe !== expandTabs(text) || (code === undefined && words === undefined))
		return [{text: safe, tone: plain}];
	const spans: Span[] = [];
	const [kinds, owns] = [reader(code), reader(words)];
	let column = 0;
	for (let at = 0; at < text.length; ) {
		const [kind, word] = [kinds(at), owns(at)];
		const end = Math.max(at + 1, Math.min(kind?.end ?? text.length, word?.end ?? text.length));
		const part = expandTabs(text.slice(at, end), column);
		const tone = word?.part.isOwn ? own : kind?.part.kind ? (`code-${kind.part.kind}` as const) : plain;
		spans.push({text: part, tone});
		column += part.length;
		at = end;
	}
	return spans;
};

/** Returns the part at an offset, and its end. Offsets must increase. */
const reader = <Part extends {readonly text: string}>(parts: readonly Part[] = []) => {
	let [index, end] = [0, parts[0]?.text.length ?? 0];
	return (at: number): {readonly part: Part; readonly end: number} | undefined => {
		while (at >= end && index < parts.length) {
			index += 1;
			end += parts[index]?.text.length ?? 0;
		}
		const part = parts[index];
		return part && {part, end};
	};
};

/** Expands tabs to the tab stops of the line, as the sanitizer does. */
const expandTabs = (text: string, column = 0): string => {
	const [first = '', ...others] = text.split('\t');
	let expanded = first;
	for (const part of others) expanded += ' '.repeat(tabStop - ((column + expanded.length) % tabStop)) + part;
	return expanded;
};

/** The line after that many columns. */
export const dropLine = (line: Line, columns: number): Line => {
	if (columns <= 0) return line;
	let left = columns;
	return line.flatMap(({text, tone}) => {
		const width = widthOf(text);
		const rest = left >= width ? '' : dropColumns(text, left);
		left = Math.max(0, left - width);
		return rest === '' ? [] : [{text: rest, tone}];
	});
};

/** Wraps a line to a width in columns. */
export const wrapLine = (line: Line, width: number): readonly Line[] => {
	const rows = wrapAtColumns(plainText(line), width);
	if (rows.length === 1) return [line];
	let rest = line;
	return rows.map(({length}) => {
		const [row, others] = splitAt(rest, length);
		rest = others;
		return row;
	});
};

/** Splits a line after that many characters. */
const splitAt = (line: Line, length: number): readonly [Line, Line] => {
	const before: Span[] = [];
	let left = length;
	for (const [at, {text, tone}] of line.entries()) {
		if (text.length > left) {
			if (left > 0) before.push({text: text.slice(0, left), tone});
			return [before, [{text: text.slice(left), tone}, ...line.slice(at + 1)]];
		}
		before.push({text, tone});
		left -= text.length;
	}
	return [before, []];
};
