import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {loudness} from '../../source/chat/policy.ts';
import {render} from '../../source/chat/telegram/render.ts';
import {quietSettings} from './office.ts';

describe('words of others', () => {
	it.each([
		'https://evil.example/x',
		'evil.example',
		'@somebody',
		'/kill',
		'#tag',
		'+4912345678',
		'a@b.example',
		'1234567',
	])('are code where a client would make something of them: %s', address => {
		const {text, entities} = render({parts: [{said: `Look at ${address}, please.`}]});
		expect(text).toBe(`Look at ${address}, please.`);
		expect(entities).toHaveLength(1);
		const [{type, offset, length} = {type: '', offset: 0, length: 0}] = entities;
		expect(type).toBe('code');
		expect(text.slice(offset, offset + length)).toContain(address);
	});

	it('are never anything but text and code, whatever they are, and everything fits', () => {
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

describe('quiet hours', () => {
	const at = (time: string) => Date.parse(`2026-03-01T${time}:00Z`);
	const quiet = {from: 22 * 60, to: 7 * 60};

	it.each([
		['23:30', 'silent'],
		['06:59', 'silent'],
		['07:00', 'sound'],
		['21:59', 'sound'],
	])('over midnight: at %s it is %s', (time, expected) => {
		expect(loudness({...quietSettings, quiet}, 'failed', at(time))).toBe(expected);
	});

	it('wakes nothing that is off', () => {
		expect(loudness({...quietSettings, quiet}, 'commit_gate', at('12:00'))).toBeUndefined();
	});
});
