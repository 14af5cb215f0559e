import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {attach, openScreen} from './attach.ts';
import {stateOf} from './state-of.ts';

const size = {columns: 20, rows: 6};
const bytes = (text: string): Buffer => Buffer.from(text);

test('a screen answers a query of its program once, however many viewers are attached', () => {
	const replies: string[] = [];
	const screen = createTerminalEmulator(size, {scrollback: 10, onReply: text => replies.push(text)});
	const viewers = screen.write(bytes('ab\x1b[6n\x1b[c\x1b[?25$p\x1b[?u\x1b[18t'));
	expect(replies).toEqual(['\x1b[1;3R', '\x1b[?1;2c', '\x1b[?25;1$y', '\x1b[8;6;20t']);
	const fromViewer: string[] = [];
	const viewer = createTerminalEmulator(size, {scrollback: 10, onReply: text => fromViewer.push(text)});
	viewer.write(viewers);
	viewer.write(screen.snapshot({scrollback: 10}));
	expect(fromViewer).toEqual([]);
});

test('each row that leaves the top is reported once, except on the alternate screen', () => {
	const left: string[] = [];
	const screen = createTerminalEmulator(
		{columns: 20, rows: 3},
		{scrollback: 4, onScrolledOff: text => left.push(text)},
	);
	const rows = Array.from({length: 12}, (_, row) => `row ${row}`);
	screen.write(bytes(`${rows.join('\r\n')}\x1b[?1049h${'\r\nalternate'.repeat(9)}\x1b[?1049l`));
	expect(left).toEqual(rows.slice(0, 9));
	screen.write(bytes('\r\n\x1b[2;3r\x1b[3;1H\n\n\n\x1b[r\x1b[3J\x1b[3;1H\r\nend'));
	expect(left).toEqual(rows.slice(0, 11));
	screen.write(bytes('\x1bcnew\r\n\r\n\r\n'));
	expect(left.at(-1)).toBe('new');
});

test('a wrapped line is returned whole, whether it is on screen, in the scrollback, or in both', () => {
	const left: string[] = [];
	const screen = createTerminalEmulator(
		{columns: 5, rows: 3},
		{scrollback: 9, onScrolledOff: text => left.push(text)},
	);
	screen.write(bytes('one\r\nab cd efghijkl\r\n'));
	expect(screen.text()).toEqual([' efgh', 'ijkl', '']);
	expect(screen.lines()).toEqual(['ab cd efghijkl', '']);
	expect(left).toEqual(['one']);
	screen.write(bytes('two'));
	expect(screen.lines()).toEqual(['ab cd efghijkl', 'two']);
	screen.write(bytes('\r\n\r\n\r\n'));
	expect(screen.lines()).toEqual(['', '', '']);
	expect(left).toEqual(['one', 'ab cd efghijkl', 'two']);
});

test('the text of a screen has no blanks at its start and end', () => {
	const screen = createTerminalEmulator({columns: 10, rows: 3}, {scrollback: 0});
	screen.write(bytes('one  \x1b[2;3H漢\x1b[44m \x1b[K'));
	expect(screen.text()).toEqual(['one', '  漢', '']);
});

test('emoji and wide characters take two columns, and combining characters take none', () => {
	const {screen, model} = openScreen(size);
	for (const [text, columns] of [
		['😀', 2],
		['✅', 2],
		['漢', 2],
		['e\u0301', 1],
		['🇫🇷', 2],
		['→', 1],
	] as const) {
		screen.write(bytes(`\r${text}`));
		expect(model.core.buffers.active.x, text).toBe(columns);
	}
});

test('a restored cursor returns to its screen row, and the pen to its underline style', () => {
	const {screen, model} = openScreen(size);
	screen.write(bytes('\x1b[3;4H\x1b[4:3m\x1b7\x1b[m\x1b[6;1H\n\n\n\x1b8'));
	const state = stateOf(model);
	expect(state.cursor).toEqual([3, 2]);
	expect(state.pen.at(-1)).toBe('3:');
});

test('a full reset clears the modes that a program set', () => {
	const {screen, model} = openScreen(size);
	const before = stateOf(model);
	screen.write(
		bytes(
			'\x1b[?25l\x1b[?1003;1006;1005;1007h\x1b[>5u\x1b[>4;2m\x1b[20h\x1b[?12h\x1b(0\x1b[3g\x1b[2;3r\x1b[?6h\x1b7\x1b[4h\x1bc',
		),
	);
	expect(stateOf(model)).toEqual(before);
});

test('erasing to a cursor in the last column of the last row erases the screen', () => {
	const {screen} = openScreen(size);
	screen.write(bytes(`${'x'.repeat(120)}\x1b[6;20H\x1b[1J`));
	expect(screen.text()).toEqual(['', '', '', '', '', '']);
});

test('a screen size is limited to the drawable minimum and to 1000 by 1000', () => {
	const {screen} = openScreen({columns: 0, rows: -4});
	expect(screen.size()).toEqual({columns: 2, rows: 1});
	screen.resize({columns: 1e9, rows: Number.NaN});
	expect(screen.size()).toEqual({columns: 1000, rows: 1});
});

test('no program output makes a screen throw, at any size and after any resize', () => {
	const sequence = fc
		.tuple(
			fc.constantFrom('', '?', '>', '<', '='),
			fc.array(fc.nat({max: 3000}), {maxLength: 3}),
			fc.constantFrom('', ' ', '!', '"', '$', "'"),
			fc.integer({min: 0x40, max: 0x7e}),
		)
		.map(([prefix, numbers, between, final]) =>
			bytes(`\x1b[${prefix}${numbers.join(';')}${between}${String.fromCharCode(final)}`),
		);
	const chunk = fc.oneof(
		sequence,
		sequence,
		fc.uint8Array({maxLength: 40}),
		fc.constant(bytes('漢字 text\r\n')),
	);
	const newSize = fc.record({columns: fc.integer({min: 0, max: 40}), rows: fc.integer({min: 0, max: 12})});
	fc.assert(
		fc.property(
			newSize,
			fc.array(fc.oneof({weight: 6, arbitrary: chunk}, newSize), {maxLength: 40}),
			(first, steps) => {
				const {screen, model} = openScreen(first);
				const parse = model.core._inputHandler.parse.bind(model.core._inputHandler);
				let fault: unknown;
				model.core._inputHandler.parse = text => {
					try {
						parse(text);
					} catch (error) {
						fault = error;
						throw error;
					}
				};
				for (const step of steps) {
					if (step instanceof Uint8Array) screen.write(step);
					else screen.resize(step);
					screen.rows({...screen.size(), cursor: true});
				}
				expect(fault).toBeUndefined();
				attach({screen, model}).screen.dispose();
			},
		),
		{numRuns: 500},
	);
});

test('links, titles and keyboard flags are bounded', () => {
	const {screen, model} = openScreen(size);
	for (let count = 0; count < 300; count++)
		screen.write(
			bytes(
				Array.from(
					{length: 10},
					(_, more) => `\x1b]8;;https://a.test/${count}/${more}\x07x\x1b]2;${count}\x07\x1b[22;2t\x1b[>1u\r`,
				).join(''),
			),
		);
	expect(model.tracked.links.get(1)).toBeUndefined();
	expect(model.tracked.links.get(3000)?.uri).toBe('https://a.test/299/9');
	expect(screen.snapshot({scrollback: 0}).length).toBeLessThan(2000);
});
