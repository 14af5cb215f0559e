import {PassThrough} from 'node:stream';
import {expect, it} from 'vitest';
import {inkStdin} from '../../source/dashboard/terminal/ink-stdin.ts';

const keyboard = () => {
	const taken: number[] = [];
	let isTaken = false;
	const typed = new PassThrough();
	const stdin = inkStdin(typed as unknown as NodeJS.ReadStream, () =>
		isTaken ? bytes => void taken.push(...bytes) : undefined,
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
	};
};

it('gives Ink what is typed as text, characters whole', () => {
	const {typed, readAll, taken} = keyboard();
	typed.write(Buffer.from('a\u00e9').subarray(0, 2));
	expect(readAll()).toBe('a');
	typed.write(Buffer.from('\u00e9').subarray(1));
	expect(readAll()).toBe('\u00e9');
	expect(taken).toEqual([]);
});

it('gives a listener every byte as it is, and Ink nothing', () => {
	const {typed, readAll, taken, take} = keyboard();
	take(true);
	const bytes = [0x1b, 0x5b, 0x4d, 0xff, 0x80, 0x03, 0x0d, 0x1a];
	typed.write(Buffer.from(bytes));
	expect(readAll()).toBe('');
	expect(taken).toEqual(bytes);
});

it('gives a listener what was typed after the Enter that made it one', () => {
	const {typed, readAll, taken, take} = keyboard();
	typed.write('j\rhello\r');
	expect(readAll(text => take(text.endsWith('\r')))).toBe('j\r');
	expect(Buffer.from(taken).toString()).toBe('hello\r');
});
