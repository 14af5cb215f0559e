import {PassThrough} from 'node:stream';
import {expect, it} from 'vitest';
import {inkStdin} from '../../source/dashboard/terminal/ink-stdin.ts';

const keyboard = () => {
	const taken: number[] = [];
	let isTaken = false;
	let leaving = {at: Number.NaN, call: () => {}};
	const typed = new PassThrough();
	const stdin = inkStdin(typed as unknown as NodeJS.ReadStream, () =>
		isTaken
			? bytes => {
					const at = bytes.indexOf(leaving.at);
					taken.push(...(at < 0 ? bytes : bytes.subarray(0, at)));
					if (at < 0) return undefined;
					leaving.call();
					return bytes.subarray(at + 1);
				}
			: undefined,
	);
	const readAll = (onRead = (_: string): void => {}): string => {
		let all = '';
		for (let text = stdin.read(); text !== null; text = stdin.read()) {
			all += text;
			onRead(text);
		}
		return all;
	};
	return {
		taken,
		typed,
		readAll,
		take: (is: boolean) => {
			isTaken = is;
		},
		leave: (key: string, call: () => void) => {
			leaving = {at: key.charCodeAt(0), call};
		},
	};
};

it('Ink receives typed input as text with whole characters', () => {
	const {typed, readAll, taken} = keyboard();
	typed.write(Buffer.from('a\u00e9').subarray(0, 2));
	expect(readAll()).toBe('a');
	typed.write(Buffer.from('\u00e9').subarray(1));
	expect(readAll()).toBe('\u00e9');
	expect(taken).toEqual([]);
});

it('a raw listener receives every byte unchanged, and Ink receives none', () => {
	const {typed, readAll, taken, take} = keyboard();
	take(true);
	const bytes = [0x1b, 0x5b, 0x4d, 0xff, 0x80, 0x03, 0x0d, 0x1a];
	typed.write(Buffer.from(bytes));
	expect(readAll()).toBe('');
	expect(taken).toEqual(bytes);
});

it('Ink receives the input after the listener leaves', () => {
	const {typed, readAll, taken, take, leave} = keyboard();
	take(true);
	leave('\x07', () => take(false));
	typed.write('hey\x073q');
	expect(readAll()).toBe('3q');
	expect(Buffer.from(taken).toString()).toBe('hey');
});

it('a raw listener receives what was typed after the Enter that started it', () => {
	const {typed, readAll, taken, take} = keyboard();
	typed.write('j\rhello\r');
	expect(readAll(text => take(text.endsWith('\r')))).toBe('j\r');
	expect(Buffer.from(taken).toString()).toBe('hello\r');
});
