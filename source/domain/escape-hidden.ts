/** Why a character is written out: it controls a terminal, changes the reading order, or is invisible. */
type HiddenKind = 'control' | 'bidi' | 'invisible';

/** The number of hidden characters of one kind. */
export type HiddenCount = {readonly kind: HiddenKind; readonly count: number};

/**
 * Shows every character of code and paths (docs/reliability.md §3). A character that would control a
 * terminal, reorder the text or be invisible is shown as `<U+202E>`, a carriage return as `␍`. Line feeds and
 * tabs stay. Texts that differ always look different, since text that already looks written out is written
 * out too. Call it once, before any other sanitizer, which then changes only tabs.
 */
export const escapeHidden = (text: string): string =>
	needsEscaping.test(text) ? text.replace(escapePattern, escapeCharacter) : text;

/** Counts the hidden characters of a text by kind. A carriage return at the end of a line does not count. */
export const countHidden = (text: string): readonly HiddenCount[] => {
	const counts = new Map<HiddenKind, number>();
	for (const [character] of text.matchAll(hiddenPattern)) {
		const kind = kindOf(character);
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return kinds.flatMap(kind => {
		const count = counts.get(kind) ?? 0;
		return count === 0 ? [] : [{kind, count}];
	});
};

/** The sums of the counts of several texts. */
export const sumHiddenCounts = (all: readonly (readonly HiddenCount[])[]): readonly HiddenCount[] =>
	kinds.flatMap(kind => {
		const counts = all.flat().filter(hidden => hidden.kind === kind);
		return counts.length === 0 ? [] : [{kind, count: counts.reduce((sum, {count}) => sum + count, 0)}];
	});

/** The count as text: "2 control characters". */
export const formatHiddenCount = ({kind, count}: HiddenCount): string =>
	`${count} ${kind}${kind === 'bidi' ? 'rectional' : ''} character${count === 1 ? '' : 's'}`;

const kinds = ['control', 'bidi', 'invisible'] as const;

/** Allowed: the text or emoji selector after an emoji, and the selector inside keycap emoji. */
const emojiStyle = String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`;

/**
 * Characters that are invisible, or blank but not the space. The ideographic space is allowed, since it is
 * visibly wide.
 */
const hidden = String.raw`(?!${emojiStyle})(?![\t\n\r\x20\u3000])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Matches the hidden characters of a text, which are written out. */
export const hiddenCharacter = new RegExp(hidden, 'u');

const hiddenPattern = new RegExp(String.raw`${hidden}|\r(?!\n|$)`, 'gu');

const needsEscaping = new RegExp(String.raw`${hidden}|[\r\u240d]|<U\+[0-9A-F]{4,6}>`, 'u');
const escapePattern = new RegExp(String.raw`${hidden}|[\r\u240d]|<(?=U\+[0-9A-F]{4,6}>)`, 'gu');

const escapeCharacter = (character: string): string =>
	character === '\r'
		? '␍'
		: `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

const kindOf = (character: string): HiddenKind => {
	if (/[\p{Cc}\p{Cs}]/u.test(character)) return 'control';
	return /\p{Bidi_Control}/u.test(character) ? 'bidi' : 'invisible';
};
