import {structuredPatch} from 'diff';

/** A file before and after. An undefined text means that there is no such file. */
export type TextChange = {
	readonly path: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
};

/**
 * Max number of differing lines. Texts with more are shown whole, one after the other: the cost of a
 * comparison grows with the square.
 */
const maxEdits = 1000;

/** Returns the change in the format of git's `--patch`, for `readPatch`. */
export const textPatch = ({path, before, after}: TextChange): string => {
	const [old, now] = [`a/${path}`, `b/${path}`].map(quotePath);
	const head = [
		`diff --git ${old} ${now}`,
		...(before === undefined ? ['new file mode 100644'] : []),
		...(after === undefined ? ['deleted file mode 100644'] : []),
	];
	const hunks = hunksOf(before ?? '', after ?? '');
	const names = [
		`--- ${before === undefined ? '/dev/null' : old}`,
		`+++ ${after === undefined ? '/dev/null' : now}`,
	];
	return [...head, ...(hunks.length === 0 ? [] : names), ...hunks, ''].join('\n');
};

const hunksOf = (before: string, after: string): readonly string[] => {
	const patch = structuredPatch('', '', before, after, '', '', {context: 3, maxEditLength: maxEdits});
	if (patch === undefined) return wholeHunk(before, after);
	return patch.hunks.flatMap(({oldStart, oldLines, newStart, newLines, lines}) => [
		formatRange([oldStart, oldLines], [newStart, newLines]),
		...lines,
	]);
};

const wholeHunk = (before: string, after: string): readonly string[] => {
	const [old, now] = [linesOf(before, '-'), linesOf(after, '+')];
	return [formatRange([1, old.count], [1, now.count]), ...old.lines, ...now.lines];
};

const linesOf = (text: string, sign: '+' | '-') => {
	const isOpen = !text.endsWith('\n');
	const lines = text.split('\n').slice(0, isOpen ? undefined : -1);
	return {
		count: lines.length,
		lines: [...lines.map(line => sign + line), ...(isOpen ? ['\\ No newline at end of file'] : [])],
	};
};

/** Returns a hunk's header. With no lines, the number is that of the line before. */
const formatRange = ([old, oldLines]: Range, [now, newLines]: Range): string =>
	`@@ -${oldLines === 0 ? old - 1 : old},${oldLines} +${newLines === 0 ? now - 1 : now},${newLines} @@`;

type Range = readonly [start: number, lines: number];

/** Quotes a path as git does if it has unusual characters. */
const quotePath = (path: string): string =>
	/^[\x20-\x7e]*$/.test(path) && !/["\\]/.test(path)
		? path
		: `"${[...new TextEncoder().encode(path)].map(quotedByte).join('')}"`;

const quotedByte = (byte: number): string =>
	byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c
		? String.fromCharCode(byte)
		: `\\${byte.toString(8).padStart(3, '0')}`;
