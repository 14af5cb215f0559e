import type {Side} from '../domain/review-comment.ts';
import type {PatchFile} from './patch.ts';

/** Kind of a part of a line: a name for a style sheet or a theme, independent of the language. */
export type CodeKind =
	| 'comment'
	| 'keyword'
	| 'string'
	| 'number'
	| 'type'
	| 'title'
	| 'attribute'
	| 'variable'
	| 'meta';

/** A part of a line. All parts of a line, in order, make the whole line. */
export type CodeSpan = {readonly text: string; readonly kind?: CodeKind};

/** The parts of each line; undefined for a line without colours. */
export type CodeLines = readonly (readonly CodeSpan[] | undefined)[];

/** Max characters to read of one side of a file. */
export const maxCharacters = 200_000;

/**
 * Returns one side of a file, hunk by hunk, up to the max. It is plain data, which can be passed to another
 * thread.
 */
export const codeOf = (file: PatchFile, side: Side): readonly (readonly string[])[] => {
	let left = maxCharacters;
	return file.hunks().map(({lines}) => {
		const read: string[] = [];
		for (const line of lines) {
			if (left < 0) break;
			if (line[side] === undefined) continue;
			left -= line.text.length + 1;
			read.push(line.text);
		}
		return read;
	});
};
