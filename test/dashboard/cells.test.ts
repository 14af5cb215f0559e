import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import {
	clip,
	dropColumns,
	graphemesOf,
	oneColumn,
	widthOf,
	wrapAtColumns,
	wrapAtSpaces,
} from '../../source/dashboard/parts/cells.ts';
import {plainText} from '../../source/dashboard/parts/line.ts';
import {fitLine} from '../../source/dashboard/parts/row-line.ts';

const text = fc.string({unit: fc.constantFrom('a', ' ', '漢', '🐝', 'é', '│', '▶')});

describe('a text in columns', () => {
	it('uses the fast measure only for characters of one column', () => {
		const quick = Array.from({length: 0x3000}, (_, code) => String.fromCharCode(code)).filter(character =>
			oneColumn.test(character),
		);
		expect(quick.length).toBeGreaterThan(1000);
		for (const character of quick) expect([character, stringWidth(character)]).toEqual([character, 1]);
	});

	it('uses the fast measure for the signs that agents draw beside letters', () => {
		for (const sign of '⏺⎿✻⠹❯✔╭│') expect([sign, oneColumn.test(sign)]).toEqual([sign, true]);
	});

	it('is split into the same characters, however long it is', () => {
		const units = [
			'a',
			'\n',
			'é',
			'e\u0301',
			'漢',
			'👩\u200d👩\u200d👧',
			'🇩',
			'🏽',
			'\u200d',
			'\u1100',
			'\u1161',
			'\u0600',
		];
		const whole = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom(...units), fc.integer({min: 1, max: 300})), {maxLength: 12}),
				parts => {
					const long = parts.map(([unit, count]) => unit.repeat(count)).join('');
					const wanted = [...whole.segment(long)].map(({segment, index}) => [segment, index]);
					expect([...graphemesOf(long)].map(({segment, index}) => [segment, index])).toEqual(wanted);
				},
			),
		);
	});

	it('is wrapped to the width, with nothing lost and no character cut', () => {
		fc.assert(
			fc.property(text, fc.integer({min: 2, max: 20}), (whole, width) => {
				const rows = wrapAtColumns(whole, width);
				expect(rows.join('')).toBe(whole);
				for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width);
				for (const row of wrapAtSpaces(whole, width)) expect(widthOf(row)).toBeLessThanOrEqual(width);
			}),
		);
		expect(wrapAtColumns('漢字です', 3)).toEqual(['漢', '字', 'で', 'す']);
		expect(wrapAtSpaces('one two three', 8)).toEqual(['one two', 'three']);
	});

	it('is cut to the width', () => {
		fc.assert(
			fc.property(text, fc.nat(20), (whole, width) => {
				expect(widthOf(clip(whole, width))).toBeLessThanOrEqual(width);
				expect(widthOf(dropColumns(whole, width))).toBeLessThanOrEqual(widthOf(whole));
			}),
		);
	});
});

describe('a line of several parts', () => {
	it('fills its columns, and ends in an ellipsis if anything is cut, also between two parts', () => {
		fc.assert(
			fc.property(fc.array(text, {maxLength: 5}), fc.nat(12), (texts, width) => {
				const whole = texts.join('');
				const fitted = plainText(
					fitLine(
						texts.map(part => ({text: part, tone: 'plain'})),
						width,
					),
				);
				const isCut = texts.reduce((sum, part) => sum + widthOf(part), 0) > width;
				expect(widthOf(fitted)).toBe(width);
				if (!isCut) expect(fitted.trimEnd()).toBe(whole.trimEnd());
				else if (width > 0) expect(fitted.trimEnd().endsWith('…')).toBe(true);
			}),
		);
		const parts = [{text: 'done', tone: 'plain'} as const, {text: ': false', tone: 'strong'} as const];
		expect(plainText(fitLine(parts, 4))).toBe('don…');
		expect(plainText(fitLine(parts.slice(0, 1), 4))).toBe('done');
	});
});
