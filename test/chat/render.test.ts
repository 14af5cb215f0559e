import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {notificationLevel} from '../../source/chat/policy.ts';
import {render} from '../../source/chat/telegram/render.ts';
import {truncate} from '../../source/domain/truncate.ts';
import {quietSettings} from './office.ts';

describe('untrusted text in a message', () => {
	it.each([
		'https://evil.example/x',
		'evil.example',
		'@somebody',
		'/kill',
		'#tag',
		'+4912345678',
		'a@b.example',
		'1234567',
	])('is rendered as code if a client would link it: %s', address => {
		const {text, entities} = render({parts: [{said: `Look at ${address}, please.`}]});
		expect(text).toBe(`Look at ${address}, please.`);
		expect(entities).toHaveLength(1);
		const [{type, offset, length} = {type: '', offset: 0, length: 0}] = entities;
		expect(type).toBe('code');
		expect(text.slice(offset, offset + length)).toContain(address);
	});

	it('is only ever text and code, whatever it contains, and fits the limits', () => {
		fc.assert(
			fc.property(fc.array(fc.string({unit: 'grapheme', maxLength: 3000}), {maxLength: 4}), said => {
				const {text, entities} = render({parts: said.map(words => ({said: words}))});
				expect(text.length).toBeLessThanOrEqual(4096);
				expect(Buffer.from(text).toString()).toBe(text);
				for (const {type, offset, length} of entities) {
					expect(type).toBe('code');
					expect(offset + length).toBeLessThanOrEqual(text.length);
				}
			}),
		);
	});
});

describe('long text in a message', () => {
	it.each([
		['of two units', 'ab\u{1f41d}cd', 4, 'ab\u2026'],
		['with a mark', 'abe\u0301d', 4, 'ab\u2026'],
		['that is a flag', 'a\u{1f1e9}\u{1f1ea}b', 4, 'a\u2026'],
		['that fits', 'abcd', 4, 'abcd'],
	])('is cut beside a character %s', (_, text, most, expected) => {
		expect(truncate(text, most)).toBe(expected);
	});

	it('has no link after the maximum number of entities', () => {
		const said = Array.from({length: 300}, (_, index) => `word a.example/${index}`).join(' ');
		const {text, entities} = render({parts: [{said}, 'at the end']});
		expect(entities).toHaveLength(100);
		const last = entities.at(-1)!;
		expect(last).toMatchObject({type: 'code', length: text.length - last.offset});
		for (const {index} of text.matchAll(/a\.example/g))
			expect(entities.some(({offset, length}) => offset <= index && index < offset + length)).toBe(true);
	});
});

describe('quiet hours', () => {
	const at = (time: string) => Date.parse(`2026-03-01T${time}:00Z`);
	const quiet = {from: 22 * 60, to: 7 * 60};

	it.each([
		['23:30', 'silent'],
		['06:59', 'silent'],
		['07:00', 'sound'],
		['21:59', 'sound'],
	])('span midnight: at %s a notification is %s', (time, expected) => {
		expect(notificationLevel({...quietSettings, quiet}, 'failed', at(time))).toBe(expected);
	});

	it('do not enable a category that is off', () => {
		expect(notificationLevel({...quietSettings, quiet}, 'commit_gate', at('12:00'))).toBeUndefined();
	});
});
