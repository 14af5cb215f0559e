import chalk from 'chalk';
import fc from 'fast-check';
import {Box, renderToString} from 'ink';
import {beforeEach, describe, expect, it} from 'vitest';
import {TextArea} from '../../source/dashboard/components/text-area.tsx';
import {TextField} from '../../source/dashboard/components/text-field.tsx';
import {areaTextWidth, editArea} from '../../source/dashboard/forms/text-area.ts';
import {editLine, emptyInput, inputOf} from '../../source/dashboard/forms/text-input.ts';
import type {KeyboardInput} from '../../source/dashboard/keys/keyboard-input.ts';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {graphemes} from '../../source/dashboard/parts/graphemes.ts';
import {rowOf, textRowsOf} from '../../source/dashboard/parts/text-rows.ts';
import type {TextInput} from '../../source/dashboard/store/form.ts';

// A dashboard that an earlier test mounted has set the colour level to that of its terminal.
beforeEach(() => {
	chalk.level = 0;
});

const width = 12;
const family = '👨‍👩‍👧';

const key = (name: string): KeyboardInput => ({
	kind: 'key',
	name,
	...(name.length === 1 ? {text: name} : {}),
});
const press = (input: TextInput, ...names: readonly string[]): TextInput =>
	names.reduce((now, name) => editArea(now, key(name), width) ?? now, input);
/** Returns the text with a bar where the cursor is. */
const seen = ({text, cursor}: TextInput): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('a text of several lines', () => {
	it('starts a line with Enter and keeps those of a paste', () => {
		const pasted = editArea(emptyInput, {kind: 'paste', text: 'one\r\ntwo\rthree\n'}, width);
		expect(pasted?.text).toBe('one\ntwo\nthree\n');
		expect(seen(press(inputOf('a'), 'enter', 'b'))).toBe('a\nb|');
	});

	it('drops control sequences of a paste', () => {
		expect(editArea(emptyInput, {kind: 'paste', text: 'a\x1b[31mb\x07\tc'}, width)?.text).toBe('a[31mb    c');
	});

	it('moves up and down by drawn rows, and keeps its column past shorter ones', () => {
		const input = {text: 'abcdef\nx\nabcdef', cursor: 5};
		expect(seen(press(input, 'down'))).toBe('abcdef\nx|\nabcdef');
		expect(seen(press(input, 'down', 'down'))).toBe('abcdef\nx\nabcde|f');
		expect(seen(press({text: 'one two three four', cursor: 9}, 'up'))).toBe('o|ne two three four');
	});

	it('stays in its first row with up, and in its last row with down', () => {
		const input = {text: 'ab\ncd', cursor: 1};
		expect(press(input, 'up')).toEqual(input);
		expect(seen(press(input, 'down', 'down'))).toBe('ab\nc|d');
	});

	it('moves the cursor to the ends of its line, and word by word', () => {
		const input = {text: 'one two\nthree four', cursor: 13};
		expect(seen(press(input, 'home'))).toBe('one two\n|three four');
		expect(seen(press(input, 'end'))).toBe('one two\nthree four|');
		expect(seen(press(input, 'ctrl+left'))).toBe('one two\n|three four');
		expect(seen(press(input, 'ctrl+left', 'alt+b'))).toBe('one |two\nthree four');
		expect(seen(press(input, 'ctrl+right'))).toBe('one two\nthree four|');
		expect(seen(press(input, 'ctrl+w'))).toBe('one two\n| four');
	});

	it('deletes to the ends of the line, and then the line feed', () => {
		const input = {text: 'one\ntwo', cursor: 5};
		expect(seen(press(input, 'ctrl+k'))).toBe('one\nt|');
		expect(seen(press(input, 'ctrl+u'))).toBe('one\n|wo');
		expect(seen(press(input, 'ctrl+u', 'ctrl+u'))).toBe('one|wo');
	});

	it('treats a joined emoji, a letter with accents and an ideograph as one character each', () => {
		const text = `${family}e\u0301漢👍🏽🇩🇪`;
		let input = {text, cursor: 0};
		const stops: string[] = [];
		while (input.cursor < text.length) {
			const next = press(input, 'right');
			stops.push(text.slice(input.cursor, next.cursor));
			input = next;
		}
		expect(stops).toEqual([family, 'e\u0301', '漢', '👍🏽', '🇩🇪']);
		expect(press(inputOf(text), 'backspace', 'backspace', 'backspace', 'backspace').text).toBe(family);
	});

	const character = fc.constantFrom('a', ' ', '\n', '漢', family, 'e\u0301', '👍🏽', '│', '-');
	const keys = fc.constantFrom(
		...['left', 'right', 'up', 'down', 'home', 'end', 'pgup', 'pgdn', 'ctrl+left', 'ctrl+right'],
		...['enter', 'backspace', 'ctrl+w', 'ctrl+k', 'ctrl+u', 'x'],
	);

	it('is wrapped with nothing lost, no row too wide and no character cut, with room for the cursor', () => {
		fc.assert(
			fc.property(fc.string({unit: character}), fc.integer({min: 8, max: 20}), (text, columns) => {
				const rows = textRowsOf(text, columns);
				for (const {graphemes: row} of rows)
					expect(row.reduce((sum, each) => sum + each.width, 0)).toBeLessThan(columns);
				const back = rows.map(({start, end, goesOn}) => text.slice(start, end) + (goesOn ? '' : '\n'));
				expect(back.join('')).toBe(`${text}\n`);
			}),
		);
	});

	it('has its cursor between two characters and in a row, whatever is pressed', () => {
		fc.assert(
			fc.property(fc.string({unit: character}), fc.array(keys, {maxLength: 30}), (text, names) => {
				const {text: now, cursor} = press(inputOf(text), ...names);
				const edges = [0, now.length, ...graphemes(now).map(({index}) => index)];
				expect(edges).toContain(cursor);
				expect(textRowsOf(now, width)[rowOf(textRowsOf(now, width), cursor)]).toBeDefined();
			}),
		);
	});
});

describe('a single-line text', () => {
	it('turns the line ends of a paste into spaces', () => {
		expect(editLine(emptyInput, {kind: 'paste', text: 'one \r\n two'})?.text).toBe('one two');
	});

	it.each([family, '漢字', 'e\u0301'])('stays in its columns while %s is typed', unit => {
		for (const count of [1, 5, 40])
			for (const at of ['start', 'end'] as const) {
				const text = unit.repeat(count);
				const input = at === 'end' ? inputOf(text) : {text, cursor: 0};
				const field = (
					<Box width={30}>
						<TextField label="Text:" input={input} isFocused width={30} />
					</Box>
				);
				expect(widthOf(renderToString(field, {columns: 60}))).toBeLessThanOrEqual(30);
			}
	});
});

describe('the rows of an edited text', () => {
	const area = ({text, cursor}: TextInput, isFocused = true): string[] => {
		const rows = textRowsOf(text, areaTextWidth(24));
		return renderToString(
			<Box width={24} flexDirection="column">
				<TextArea label="Why:" rows={rows} cursor={cursor} isFocused={isFocused} height={3} />
			</Box>,
			{columns: 24},
		).split('\n');
	};

	it('fill the given room, however few have text', () => {
		expect(area(inputOf('one'), false)).toEqual(['Why:', '│ one', '│', '│']);
	});

	it('follow the cursor if not all fit, and show its line number', () => {
		const input = inputOf(Array.from({length: 9}, (_, line) => `line ${line}`).join('\n'));
		expect(area(input)).toEqual(['Why: 9/9', '│ line 6', '│ line 7', '│ line 8']);
		expect(area({...input, cursor: 0})).toEqual(['Why: 1/9', '│ line 0', '│ line 1', '│ line 2']);
	});

	it('show the parts of a joined emoji, with the same width on every terminal', () => {
		expect(area(inputOf(`a${family}b`), false)[1]).toBe('│ a👨👩👧b');
	});
});
