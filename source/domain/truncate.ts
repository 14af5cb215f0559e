const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Cuts a text to a max length in UTF-16 units, without splitting a grapheme. */
export const truncate = (text: string, maxLength: number): string => {
	if (text.length <= maxLength) return text;
	if (maxLength < 1) return '';
	const border =
		graphemes.segment(text.slice(0, maxLength + maxGraphemeLength)).containing(maxLength - 1)?.index ?? 0;
	const isBroken = border < maxLength - maxGraphemeLength;
	const kept = isBroken
		? text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')
		: text.slice(0, border);
	return `${kept}\u2026`;
};

/** Max UTF-16 units of a grapheme; longer sequences are not characters of any language. */
const maxGraphemeLength = 64;
