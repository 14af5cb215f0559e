import {diffWordsWithSpace} from 'diff';

/** A part of a line; `isOwn` says that the other line has it not. */
export type WordPart = {readonly text: string; readonly isOwn: boolean};

/**
 * What a pair costs has to be little, whatever it holds: longer lines, and those with more that differs, are
 * shown without their words. The dearest pair takes 2 ms. Not a limit of time: the same change is to look the
 * same wherever it is shown.
 */
const longestLine = 1000;
const mostEdits = 60;
/**
 * Of the letters of the shorter line: with fewer in common one did not become the other, and words would be
 * set off at random.
 */
const leastShared = 0.4;

/**
 * What differs between two lines, word by word; nothing when that is too much to say, or to find out, or they
 * are no pair.
 */
export const wordDifferences = (
	before: string,
	after: string,
): {readonly old: readonly WordPart[]; readonly new: readonly WordPart[]} | undefined => {
	if (before.length > longestLine || after.length > longestLine) return undefined;
	const parts = diffWordsWithSpace(before, after, {maxEditLength: mostEdits});
	if (parts === undefined) return undefined;
	const shared = lettersIn(parts.flatMap(({value, added, removed}) => (added || removed ? [] : [value])));
	if (shared === 0 || shared < leastShared * Math.min(lettersIn([before]), lettersIn([after])))
		return undefined;
	return {
		old: parts.filter(({added}) => !added).map(({value, removed}) => ({text: value, isOwn: removed})),
		new: parts.filter(({removed}) => !removed).map(({value, added}) => ({text: value, isOwn: added})),
	};
};

const lettersIn = (texts: readonly string[]): number =>
	texts.reduce((sum, text) => sum + text.replaceAll(/\s/g, '').length, 0);
