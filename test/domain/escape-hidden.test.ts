import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	countHidden,
	escapeHidden,
	formatHiddenCount,
	sumHiddenCounts,
} from '../../source/domain/escape-hidden.ts';
import {printableJson, sanitizeText} from '../../source/domain/sanitize.ts';

/** Code with control and invisible characters, and with text like their escaped form. */
const code = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...[
					'\x1b]0;',
					'\x07',
					'\x1b\\',
					'\x1bP',
					'\x1bX',
					'\x1b^',
					'\x1b_',
					'\x1b[2J',
					'\x9b31m',
					'\x9d',
					'\x9c',
				],
				...[
					'\u202e',
					'\u2066',
					'\u200b',
					'\u200d',
					'\u00ad',
					'\ufeff',
					'\ufe0f',
					'\ufe01',
					'\u3164',
					'\u2800',
				],
				...[
					'\u{e0041}',
					'\u{e0101}',
					'\u034f',
					'\u00a0',
					'\ud800',
					'\u2028',
					'\0',
					'\x7f',
					'\r',
					'\r\n',
					'\n',
					'\t',
				],
				...['<U+202E>', '<U+003C>', '<', 'U+202E>', '␍', 'evil();', '❤', '漢字'],
			),
			fc.string({unit: 'binary'}),
		),
	)
	.map(parts => parts.join(''));

describe('code with its hidden characters written out', () => {
	it.each([
		['a title', '/*\x1b]0;*/ evil(); /*\x07*/', '/*<U+001B>]0;*/ evil(); /*<U+0007>*/'],
		['a device control string', '"\x1bP"; wipe(); "\x07"', '"<U+001B>P"; wipe(); "<U+0007>"'],
		['a start of string', '\x1bX evil() \x1b\\', '<U+001B>X evil() <U+001B>\\'],
		['a privacy message', '\x1b^ evil() \x9c', '<U+001B>^ evil() <U+009C>'],
		['an application command', '\x9f evil() \x9c', '<U+009F> evil() <U+009C>'],
		['a sequence', '\x1b[8m evil()', '<U+001B>[8m evil()'],
		['a C1 sequence', '\x9b8m evil()', '<U+009B>8m evil()'],
		['a reordering', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
		['a text without a width', 'a\u200bb\u00adc\ufeffd', 'a<U+200B>b<U+00AD>c<U+FEFF>d'],
		['selectors and tags that hold data', 'a\ufe01\u{e0101}\u{e0041}', 'a<U+FE01><U+E0101><U+E0041>'],
		['letters that show as nothing', '\u3164\u2800\u115f', '<U+3164><U+2800><U+115F>'],
		['a space that is none', 'a\u00a0b', 'a<U+00A0>b'],
		['a lone carriage return', 'evil()\rgood()', 'evil()␍good()'],
	])('shows %s with all that is in it', (_name, text, shown) => {
		expect(escapeHidden(text)).toBe(shown);
	});

	it('leaves code, tabs, wide characters and the style of an emoji as they are', () => {
		for (const text of [
			'',
			'if (a < b) {\n\treturn "naïve";\n}',
			'漢字\u3000テスト',
			'❤\ufe0f 1\ufe0f\u20e3 🐝',
		])
			expect(escapeHidden(text)).toBe(text);
	});

	it('differs for texts that differ', () => {
		fc.assert(
			fc.property(code, code, (one, other) => {
				expect(escapeHidden(one) === escapeHidden(other)).toBe(one === other);
			}),
			{numRuns: 2000},
		);
		expect(escapeHidden('<U+202E>')).not.toBe(escapeHidden('\u202e'));
		expect(escapeHidden('␍')).not.toBe(escapeHidden('\r'));
	});

	it('contains nothing that the sanitizer would drop', () => {
		fc.assert(
			fc.property(code, text => {
				const shown = escapeHidden(text).replaceAll('\t', ' ');
				expect(sanitizeText(shown)).toEqual({text: shown, removed: 0});
			}),
			{numRuns: 2000},
		);
	});

	it('is escaped in JSON, which a parser reads back unchanged', () => {
		fc.assert(
			fc.property(code, text => {
				const json = printableJson({text});
				expect(countHidden(json)).toEqual([]);
				expect(JSON.parse(json)).toEqual({text});
			}),
			{numRuns: 2000},
		);
	});
});

describe('the count of hidden characters', () => {
	it('counts controls, reordering and invisible characters separately', () => {
		expect(countHidden('\x1b]0;\x07 \u202e\u200b\u200b')).toEqual([
			{kind: 'control', count: 2},
			{kind: 'bidi', count: 1},
			{kind: 'invisible', count: 2},
		]);
	});

	it('excludes a carriage return at the end of a line, and includes any other', () => {
		expect(countHidden('one\r\ntwo\r')).toEqual([]);
		expect(countHidden('evil()\rgood()')).toEqual([{kind: 'control', count: 1}]);
	});

	it('adds up over texts, and has a text form', () => {
		const all = sumHiddenCounts([countHidden('\x1b'), countHidden('\x1b\u202e')]);
		expect(all.map(formatHiddenCount)).toEqual(['2 control characters', '1 bidirectional character']);
	});
});
