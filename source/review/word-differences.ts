import {diffWordsWithSpace} from 'diff';

/** A part of a line. `isOwn` is true if the other line does not have it. */
export type WordDifference = {readonly text: string; readonly isOwn: boolean};

/**
 * Limits that keep any pair cheap: longer lines, and lines with more differences, are shown without their
 * words. The most expensive pair takes 2 ms. It is not a time limit, since the same change shall look the
 * same everywhere.
 */
const maxLineLength = 1000;
const maxEdits = 60;
/**
 * Min share of the shorter line's letters. With fewer in common the lines are unrelated, and random words
 * would be marked.
 */
const minSharedRatio = 0.4;

/**
 * Returns the differences between two lines, word by word. Undefined if there are too many to show or to
 * find, or if the lines are unrelated.
 */
export const wordDifferences = (
	before: string,
	after: string,
): {readonly old: readonly WordDifference[]; readonly new: readonly WordDifference[]} | undefined => {
	if (before.length > maxLineLength || after.length > maxLineLength) return undefined;
	const parts = diffWordsWithSpace(before, after, {maxEditLength: maxEdits});
	if (parts === undefined) return undefined;
	const shared = countLetters(parts.flatMap(({value, added, removed}) => (added || removed ? [] : [value])));
	if (shared === 0 || shared < minSharedRatio * Math.min(countLetters([before]), countLetters([after])))
		return undefined;
	return {
		old: parts.filter(({added}) => !added).map(({value, removed}) => ({text: value, isOwn: removed})),
		new: parts.filter(({removed}) => !removed).map(({value, added}) => ({text: value, isOwn: added})),
	};
};

const countLetters = (texts: readonly string[]): number =>
	texts.reduce((sum, text) => sum + text.replaceAll(/\s/g, '').length, 0);
