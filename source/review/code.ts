import type {Side} from '../domain/review-comment.ts';
import type {PatchFile} from './patch.ts';

/** What a part of a line is: names for a style sheet or a theme, whatever the language. */
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

/** A part of a line. The parts of a line are the line, in its order. */
export type CodeSpan = {readonly text: string; readonly kind?: CodeKind};

/** The parts of each line; nothing for a line that is shown as it is. */
export type CodeLines = readonly (readonly CodeSpan[] | undefined)[];

/** Characters that are read of one side of a file. */
export const mostCharacters = 200_000;

/** One side of a file, hunk by hunk, as far as it is read: data alone, which may go to another thread. */
export const codeOf = (file: PatchFile, side: Side): readonly (readonly string[])[] => {
	let left = mostCharacters;
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
