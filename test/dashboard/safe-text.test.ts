import {render} from 'ink';
import {createElement} from 'react';
import {describe, expect, it} from 'vitest';
import {line} from '../../source/dashboard/parts/line.ts';
import {paint} from '../../source/dashboard/parts/look.ts';
import {SafeText} from '../../source/dashboard/parts/safe-text.tsx';
import {grouped} from '../../source/dashboard/parts/words.ts';
import {createFrameStream} from '../../source/dashboard/terminal/frame-stream.ts';

const look = {theme: 'dark' as const, ascii: false};

describe('the rows of a frame', () => {
	it('reach the screen as they were made, however wide they measure', () => {
		const rows = [line('a'.repeat(300), 'strong'), [], line('below', 'dim')];
		let drawn: readonly string[] = [];
		const {unmount} = render(createElement(SafeText, {rows, look}), {
			stdout: createFrameStream(frame => {
				drawn = frame;
			}),
			debug: true,
			patchConsole: false,
		});
		expect(drawn).toEqual(rows.map(row => paint(row, look)));
		unmount();
	});
});

describe('a count', () => {
	it.each([
		[0, '0'],
		[999, '999'],
		[1204, '1,204'],
		[1_234_567, '1,234,567'],
	])('of %d is written %s', (count, text) => {
		expect(grouped(count)).toBe(text);
	});
});
