import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {sanitizeForBrowser, sanitizeLine, sanitizeProse, sanitizeText} from '../../source/domain/sanitize.ts';

const clean = (text: string): string => sanitizeText(text).text;

/** Text that is likely to contain complete and broken control sequences. */
const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'\x1b]0;title\x07',
				'\x1b]52;c;aGk=\x1b\\',
				'\x1b]8;;http://x',
				'\x1b[2J',
				'\x1b[31m',
				'\x1b[',
				'\x1b',
				'\x9b1;1H',
				'\x9d0;x\x9c',
				'\x1bP$q',
				'\x1b(B',
				'\r',
				'\r\n',
				'\n',
				'\t',
				'\u202e',
				'\u200b',
				'\ud83d',
				'\u{e0041}',
			),
			fc.string({unit: 'binary'}),
			fc.string(),
		),
	)
	.map(parts => parts.join(''));

describe('the terminal sanitizer', () => {
	it('leaves plain text, wide characters and emoji as they are', () => {
		for (const text of ['', 'plain', 'naïve café', '漢字 テスト', '🐝 bees', 'two\nlines'])
			expect(sanitizeText(text)).toEqual({text, removed: 0});
	});

	it.each([
		['a title', '\x1b]0;owned\x07after', 'after'],
		['a clipboard write', 'a\x1b]52;c;aGk=\x1b\\b', 'ab'],
		['a device control string', 'a\x1bP1$tx\x1b\\b', 'ab'],
		['an application command', 'a\x1b_G payload\x1b\\b', 'ab'],
		['a C1 title', 'a\x9d0;x\x9cb', 'ab'],
		['colours', '\x1b[1;31mred\x1b[0m', 'red'],
		['a C1 cursor move', 'a\x9b10;10Hb', 'ab'],
		['a character set switch', 'a\x1b(0b', 'ab'],
		['a reset', 'a\x1bcb', 'ab'],
		['an escape at the end', 'a\x1b', 'a'],
	])('drops %s', (_name, text, expected) => {
		expect(clean(text)).toBe(expected);
		expect(sanitizeText(text).removed).toBeGreaterThan(0);
	});

	it('counts the characters that it dropped', () => {
		expect(sanitizeText('\x1b[1mA\x1b[0m\x1b]0;t\x07').removed).toBe(3);
	});

	it('does not let an open control string swallow the lines after it', () => {
		expect(clean('one\x1b]0;open\ntwo\nthree')).toBe('one\ntwo\nthree');
		expect(clean('one\x1bPopen\ntwo')).toBe('one\ntwo');
		expect(clean('one\x9dopen\ntwo')).toBe('one\ntwo');
	});

	it('ends an open control string after 4 KiB, so the rest of a long line is visible', () => {
		expect(clean(`\x1b]0;${'x'.repeat(5000)}END`).endsWith('END')).toBe(true);
	});

	it('shows a lone carriage return, and removes one before a line feed', () => {
		expect(clean('50%\r100%\r\ndone')).toBe('50%␍100%\ndone');
	});

	it('names invisible and reordering characters', () => {
		expect(clean('a\u202eb\u200bc\u{e0041}')).toBe('a<U+202E>b<U+200B>c<U+E0041>');
	});

	it('expands tabs to the next tab stop', () => {
		expect(clean('ab\tc\n\td')).toBe('ab      c\n        d');
	});

	it('reduces a cell to one line', () => {
		expect(sanitizeLine('a\nb\x1b[2Jc')).toBe('a bc');
	});

	it('shows joined emoji among words as their parts, and other joiners by name', () => {
		const joiner = '\u200d';
		expect(sanitizeProse(`Say 👩${joiner}💻 and ❤\ufe0f${joiner}🔥`)).toBe('Say 👩💻 and ❤\ufe0f🔥');
		expect(sanitizeProse(`👩🏽${joiner}🚀\nnext`)).toBe('👩🏽🚀 next');
		expect(sanitizeProse(`a${joiner}b 1${joiner}2 👩${joiner}`)).toBe('a<U+200D>b 1<U+200D>2 👩<U+200D>');
		expect(sanitizeProse(`👩${joiner}\u202e💻`)).toBe('👩<U+200D><U+202E>💻');
		expect(sanitizeLine(`👩${joiner}💻`)).toBe('👩<U+200D>💻');
	});

	it('keeps emoji joined for a browser, and shows other joiners by name', () => {
		const joiner = '\u200d';
		const family = `👩${joiner}👩${joiner}👧`;
		expect(sanitizeForBrowser(`Say ${family} and 👩🏽${joiner}🚀`)).toBe(`Say ${family} and 👩🏽${joiner}🚀`);
		expect(sanitizeForBrowser(`a${joiner}b ${family}\u202e`)).toBe(`a<U+200D>b ${family}<U+202E>`);
		expect(sanitizeForBrowser(`\x1b]0;${family}\x07`)).not.toMatch(/\p{Cc}/u);
	});

	it('never lets a control, bidirectional or invisible character through', () => {
		fc.assert(
			fc.property(hostile, text => {
				expect(clean(text)).not.toMatch(
					/(?!\n)\p{Cc}|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u,
				);
			}),
			{numRuns: 2000},
		);
	});

	it('keeps every line feed, whatever precedes it', () => {
		fc.assert(
			fc.property(hostile, hostile, (before, after) => {
				const lines = clean(`${before}\nMARK ${after}`).split('\n');
				expect(lines.some(line => line.startsWith('MARK '))).toBe(true);
			}),
			{numRuns: 1000},
		);
	});

	it('changes nothing in its own output', () => {
		fc.assert(
			fc.property(hostile, text => {
				expect(sanitizeText(clean(text))).toEqual({text: clean(text), removed: 0});
			}),
		);
	});

	it.each([
		['open strings', '\x1b]0;'],
		['open parameters', '\x1b[1'],
		['escapes', '\x1b'],
		['tabs', 'a\t'],
		['C1', '\x9d'],
	])('finishes on a million %s, where one look back for each would take days', (_name, unit) => {
		expect(/(?!\n)\p{Cc}/u.test(clean(unit.repeat(1_000_000)))).toBe(false);
	});
});
