/**
 * What takes no column of its own: combining marks, format characters, and the vowels and finals of Hangul.
 */
const mark = /[\p{M}\p{Cf}\u1160-\u11ff]/u;
const leadingMark = /^[\p{M}\p{Cf}\u1160-\u11ff]/u;
const marksOrOthers = /([\p{M}\p{Cf}\u1160-\u11ff]+)|[^\p{M}\p{Cf}\u1160-\u11ff]+/gu;

const lowest = 0xad;
const most = 32;

export const startsWithMark = (text: string): boolean =>
	text.charCodeAt(0) >= lowest && leadingMark.test(text);

/** Lets 32 marks follow each other, and answers with how many end the text; so many came before it. */
export const limitMarks = (text: string, before: number): {readonly text: string; readonly marks: number} => {
	if (isBelowMarks(text) || !mark.test(text)) return {text, marks: 0};
	let marks = before;
	const limited = text.replace(marksOrOthers, (part: string, run: string | undefined) => {
		if (run === undefined) {
			marks = 0;
			return part;
		}
		const left = [...run].slice(0, most - marks);
		marks += left.length;
		return left.join('');
	});
	return {text: limited, marks};
};

/** Most text is, for which this is quicker than to look for marks. */
const isBelowMarks = (text: string): boolean => {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= lowest) return false;
	return true;
};
