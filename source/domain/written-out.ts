/**
 * Why a character is written out: it drives a terminal, changes the order of reading, or shows as nothing.
 */
type HiddenKind = 'control' | 'bidi' | 'invisible';

/** Characters of one kind, with how many there are. */
export type HiddenCount = {readonly kind: HiddenKind; readonly count: number};

/**
 * Shows code and paths with every character (docs/reliability.md §3): what would drive a terminal, reorder
 * the text or show as nothing stands there as `<U+202E>`, a carriage return as `␍`. Line feeds and tabs stay.
 * Two texts that differ are shown as two texts: what already looks written out is written out too. Call it
 * once, before any other sanitizer, which then changes no more than tabs.
 */
export const writeOut = (text: string): string =>
	needsCare.test(text) ? text.replace(everyCare, written) : text;

/** What is hidden in a text, by its kind. The carriage return that ends a line is none of it. */
export const countHidden = (text: string): readonly HiddenCount[] => {
	const counts = new Map<HiddenKind, number>();
	for (const [character] of text.matchAll(everyHidden)) {
		const kind = kindOf(character);
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return kinds.flatMap(kind => {
		const count = counts.get(kind) ?? 0;
		return count === 0 ? [] : [{kind, count}];
	});
};

/** The counts of several texts together. */
export const addHidden = (all: readonly (readonly HiddenCount[])[]): readonly HiddenCount[] =>
	kinds.flatMap(kind => {
		const counts = all.flat().filter(hidden => hidden.kind === kind);
		return counts.length === 0 ? [] : [{kind, count: counts.reduce((sum, {count}) => sum + count, 0)}];
	});

/** As a person reads it: "2 control characters". */
export const hiddenWords = ({kind, count}: HiddenCount): string =>
	`${count} ${kind}${kind === 'bidi' ? 'rectional' : ''} character${count === 1 ? '' : 's'}`;

const kinds = ['control', 'bidi', 'invisible'] as const;

/** A text sign or picture may follow its emoji, and the keys of a phone have a form of their own. */
const emojiStyle = String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`;

/**
 * All that shows as nothing or as a blank that is no space; the ideographic one is as wide as what stands
 * beside it.
 */
const hidden = String.raw`(?!${emojiStyle})(?![\t\n\r\x20\u3000])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Of the characters of a text that are written out. */
export const hiddenCharacter = new RegExp(hidden, 'u');

const everyHidden = new RegExp(String.raw`${hidden}|\r(?!\n|$)`, 'gu');

const needsCare = new RegExp(String.raw`${hidden}|[\r\u240d]|<U\+[0-9A-F]{4,6}>`, 'u');
const everyCare = new RegExp(String.raw`${hidden}|[\r\u240d]|<(?=U\+[0-9A-F]{4,6}>)`, 'gu');

const written = (character: string): string =>
	character === '\r'
		? '␍'
		: `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

const kindOf = (character: string): HiddenKind => {
	if (/[\p{Cc}\p{Cs}]/u.test(character)) return 'control';
	return /\p{Bidi_Control}/u.test(character) ? 'bidi' : 'invisible';
};
