import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {openScreen} from './attach.ts';
import {stateOf} from './state-of.ts';
import {drawable, stream} from './streams.ts';

const size = {columns: 20, rows: 6};

/**
 * Returns the colours and characters of a screen that drew the rows, for comparison with the program's
 * screen.
 */
const shownBy = (rows: readonly string[]): string[] => {
	const pane = openScreen(size);
	pane.screen.write(Buffer.from(`\x1b[?7l${rows.map((row, index) => `\x1b[${index + 1}H${row}`).join('')}`));
	return visible(stateOf(pane.model).normal);
};

const visible = (rows: readonly string[]): string[] =>
	rows.map(row => row.slice(1).replaceAll('_', ' ').replaceAll(' 0', ''));

test('rendered rows show the same as the screen, with SGR sequences only', () => {
	fc.assert(
		fc.property(drawable, written => {
			const {screen, model} = openScreen(size);
			screen.write(written);
			const rows = screen.rows(size);
			for (const sequence of rows.join('').split('\x1b').slice(1)) expect(sequence).toMatch(/^\[[0-9;:]*m/);
			const {normal, alternate} = stateOf(model, 0);
			expect(shownBy(rows)).toEqual(visible(typeof alternate === 'string' ? normal : alternate));
		}),
		{numRuns: 500},
	);
});

test('rows that are drawn one by one equal rows that are drawn at once', () => {
	fc.assert(
		fc.property(fc.array(stream, {maxLength: 5}), parts => {
			const often = openScreen(size);
			const once = openScreen(size);
			for (const part of parts) {
				often.screen.write(part);
				once.screen.write(part);
				often.screen.rows({...size, cursor: true});
			}
			expect(often.screen.rows({...size, cursor: true})).toEqual(once.screen.rows({...size, cursor: true}));
		}),
		{numRuns: 300},
	);
});

test('a view has exactly its size: larger content is cut, and missing content is blank', () => {
	const {screen} = openScreen(size);
	screen.write(Buffer.from('\x1b[31mab漢字\x1b[m'));
	expect(screen.rows({columns: 3, rows: 1})).toEqual(['\x1b[0;31mab \x1b[0m']);
	expect(screen.rows({columns: 22, rows: 7}).map(row => stripVTControlCharacters(row))).toEqual([
		`ab漢字${' '.repeat(16)}`,
		...Array.from({length: 6}, () => ' '.repeat(22)),
	]);
});

test('a view that starts at a row of the scrollback shows that row first', () => {
	const {screen} = openScreen({columns: 4, rows: 2});
	screen.write(Buffer.from('a\r\nb\r\nc\r\nd'));
	expect(screen.length()).toBe(4);
	expect(screen.rows({columns: 1, rows: 2, top: 1})).toEqual(['b', 'c']);
});

test('the cursor is drawn as a cell in reverse if the program shows a cursor', () => {
	const {screen} = openScreen(size);
	screen.write(Buffer.from('ab\x1b[D'));
	const view = {columns: 3, rows: 1, cursor: true};
	expect(screen.rows(view)).toEqual(['a\x1b[0;7mb\x1b[0m ']);
	screen.write(Buffer.from('\x1b[?25l'));
	expect(screen.rows(view)).toEqual(['ab ']);
});

test('a row is drawn again if only its combining marks or underlines changed', () => {
	const {screen} = openScreen(size);
	const view = {columns: 1, rows: 1};
	const drawn = ['e\u0301', 'e\u0300', '\x1b[4me', '\x1b[4:3me'].map(text => {
		screen.write(Buffer.from(`\r${text}`));
		return screen.rows(view)[0];
	});
	expect(drawn).toEqual(['e\u0301', 'e\u0300', '\x1b[0;4me\x1b[0m', '\x1b[0;4:3me\x1b[0m']);
});
