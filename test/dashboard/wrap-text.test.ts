import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {measureText} from '../../source/dashboard/ink/measure-text.ts';
import {withoutMemory} from '../../source/dashboard/ink/wrap-text.ts';

type WrapText = Parameters<typeof withoutMemory>[0];

const {default: stock}: {default: WrapText} = await import(
	new URL('../../node_modules/ink/build/wrap-text.js', import.meta.url).href
);
const {default: stockMeasure}: {default: typeof measureText} = await import(
	new URL('../../node_modules/ink/build/measure-text.js', import.meta.url).href
);
const wrapText = withoutMemory(stock);

const styled = fc
	.tuple(fc.constantFrom('', '1', '38;5;214'), fc.string({unit: fc.constantFrom('a', ' ', '│', 'é')}))
	.map(([code, text]) => (code && text ? `\x1b[${code}m${text}\x1b[${code === '1' ? 22 : 39}m` : text));
const text = fc.array(styled, {maxLength: 4}).map(parts => parts.join(''));
const bare = stripVTControlCharacters;

describe('fitting a text into its columns', () => {
	it('cuts the same texts as Ink, and wraps as Ink does', () => {
		fc.assert(
			fc.property(text, fc.integer({min: 1, max: 20}), (whole, width) => {
				expect(bare(wrapText(whole, width, 'truncate'))).toBe(
					measureText(whole).width <= width ? bare(whole) : bare(stock(whole, width, 'truncate')),
				);
				expect(wrapText(whole, width, 'wrap')).toBe(stock(whole, width, 'wrap'));
			}),
		);
	});

	it('never takes more columns than there are, whatever the text contains', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.integer({min: 1, max: 20}), (whole, width) => {
				expect(measureText(wrapText(whole, width, 'truncate')).width).toBeLessThanOrEqual(width);
			}),
		);
		expect(wrapText('漢字です', 4, 'truncate')).toBe('漢…');
	});

	it('cuts before a number, never inside it', () => {
		expect(wrapText('\x1b[1mhoney 9/12\x1b[22m', 9, 'truncate')).toBe('\x1b[1mhoney …\x1b[22m');
		expect(bare(wrapText('\x1b[1mhoney \x1b[22m$0.13 left', 9, 'truncate'))).toBe('honey …');
	});

	it('measures as Ink does', () => {
		fc.assert(
			fc.property(fc.array(text, {minLength: 1}), lines => {
				expect(measureText(lines.join('\n'))).toEqual(stockMeasure(lines.join('\n')));
			}),
		);
	});
});
