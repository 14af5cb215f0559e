import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {ctrlKey} from '../../source/screen/detach-key.ts';
import {forwardUntilDetached} from '../../source/screen/type-until-left.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const keyboard = () => {
	const typed: string[] = [];
	let left = 0;
	let after = '';
	const read = forwardUntilDetached(ctrlKey(), {
		type: bytes => typed.push(Buffer.from(bytes).toString('latin1')) > 0,
		leave: bytes => {
			left += 1;
			after = Buffer.from(bytes ?? []).toString('latin1');
		},
	});
	return {
		read: (text: string) => read(Buffer.from(text, 'latin1')),
		typed,
		left: () => left,
		after: () => after,
	};
};
const key = '\x1b[93;5u';
const release = '\x1b[93;5:3u';

describe('the detach key of a session', () => {
	it('detaches if no second press follows within a short delay', () => {
		const {read, typed, left} = keyboard();
		read('a\x1d');
		vi.advanceTimersByTime(299);
		expect(left()).toBe(0);
		vi.advanceTimersByTime(1);
		expect([left(), typed]).toEqual([1, ['a']]);
	});

	it('detaches after the same delay despite terminal reports that are no keys', () => {
		const {read, typed, left} = keyboard();
		read(key);
		for (let tenth = 0; tenth < 10; tenth++) {
			vi.advanceTimersByTime(30);
			read(tenth === 3 ? release : '\x1b[<35;1;1M');
		}
		expect(left()).toBe(1);
		vi.advanceTimersByTime(1000);
		expect(left()).toBe(1);
		expect(typed.join('')).not.toContain(release);
	});

	it('reaches the program if it is pressed twice, and detaches if it is pressed after that', () => {
		const {read, typed, left} = keyboard();
		read(`${key}${release}`);
		vi.advanceTimersByTime(200);
		read(key);
		vi.advanceTimersByTime(1000);
		expect([left(), typed]).toEqual([0, [key]]);
		read(`${release}${key}`);
		vi.advanceTimersByTime(300);
		expect([left(), typed]).toEqual([1, [key, release]]);
	});

	it('detaches at once if another key follows, and hands that key on', () => {
		const {read, typed, left, after} = keyboard();
		read('\x1d');
		read('x');
		expect([left(), after(), typed]).toEqual([1, 'x', []]);
	});

	it('is recognised again if the end of a paste does not arrive', () => {
		const {read, typed, left} = keyboard();
		read('\x1b[200~pasted\x1d');
		vi.advanceTimersByTime(999);
		read('\x1d');
		vi.advanceTimersByTime(1000);
		expect([left(), typed.join('')]).toEqual([0, '\x1b[200~pasted\x1d\x1d']);
		read('\x1d');
		vi.advanceTimersByTime(300);
		expect(left()).toBe(1);
	});
});

describe('the beginning of a sequence', () => {
	it('reaches the program after a short delay if no rest follows, because Esc alone is a key', () => {
		const {read, typed, left} = keyboard();
		read('\x1b');
		expect(typed).toEqual([]);
		vi.advanceTimersByTime(20);
		expect([typed, left()]).toEqual([['\x1b'], 0]);
		read('[');
		vi.advanceTimersByTime(20);
		read('a');
		expect(typed.join('')).toBe('\x1b[a');
	});

	it('reaches the program in order, together with its rest', () => {
		const {read, typed} = keyboard();
		read('a\x1b[93');
		vi.advanceTimersByTime(19);
		read(';6u');
		vi.advanceTimersByTime(1000);
		expect(typed).toEqual(['a', '\x1b[93;6u']);
	});

	it('becomes the detach key together with its rest', () => {
		const {read, typed, left} = keyboard();
		for (const part of key) {
			read(part);
			vi.advanceTimersByTime(19);
		}
		vi.advanceTimersByTime(300);
		expect([typed, left()]).toEqual([[], 1]);
	});
});
