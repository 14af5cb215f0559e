/**
 * Characters without a column of their own: combining marks, format characters, and the vowels and finals of
 * Hangul.
 */
const mark = /[\p{M}\p{Cf}\u1160-\u11ff]/u;
const leadingMark = /^[\p{M}\p{Cf}\u1160-\u11ff]/u;
const marksOrOthers = /([\p{M}\p{Cf}\u1160-\u11ff]+)|[^\p{M}\p{Cf}\u1160-\u11ff]+/gu;

const lowestMark = 0xad;
const maxMarks = 32;

export const startsWithMark = (text: string): boolean =>
	text.charCodeAt(0) >= lowestMark && leadingMark.test(text);

/**
 * Limits marks to 32 in a row. `before` is the number of marks before the text; `marks` is the number at its
 * end.
 */
export const limitMarks = (text: string, before: number): {readonly text: string; readonly marks: number} => {
	if (isBelowMarks(text) || !mark.test(text)) return {text, marks: 0};
	let marks = before;
	const limitedText = text.replace(marksOrOthers, (part: string, run: string | undefined) => {
		if (run === undefined) {
			marks = 0;
			return part;
		}
		const left = [...run].slice(0, maxMarks - marks);
		marks += left.length;
		return left.join('');
	});
	return {text: limitedText, marks};
};

/**
 * True if the text has no character that could be a mark. Most text has none, and this is faster than a
 * search for marks.
 */
const isBelowMarks = (text: string): boolean => {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= lowestMark) return false;
	return true;
};
