import fc from 'fast-check';
import {expect, test} from 'vitest';
import {splitCommand} from '../../source/colony/parse/split-command.ts';
import {relativePath} from '../../source/colony/relative-path.ts';
import {parseDuration} from '../../source/domain/duration.ts';
import {hintNearest, nearestName} from '../../source/domain/nearest.ts';

test.each([
	['500ms', 500],
	['90s', 90_000],
	['30m', 1_800_000],
	['1h30m', 5_400_000],
	['1.5h', 5_400_000],
	['30d', 2_592_000_000],
	['', undefined],
	['30', undefined],
	['-5s', undefined],
	['5 m', undefined],
	['5x', undefined],
	['m', undefined],
])('the duration %j is %s ms', (text, milliseconds) => {
	expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
	['a b', ['a', 'b']],
	[' a\t b \n', ['a', 'b']],
	[`'a b' "c d"`, ['a b', 'c d']],
	[`a"b c"d`, ['ab cd']],
	[`x '' ""`, ['x', '', '']],
	[`'"' "'"`, ['"', "'"]],
	['a\\ b \\\\ \\" \\$x \\q', ['a b', '\\', '"', '$x', 'q']],
	['"\\" \\\\ \\$ \\` \\n"', ['" \\ $ ` \\n']],
	[`'\\" \\'`, ['\\" \\']],
	['a\\\nb "c\\\nd" \\\n e', ['ab', 'cd', 'e']],
	['\\', ['\\']],
	[`bash -c "echo \\"$PROMPT\\""`, ['bash', '-c', 'echo "$PROMPT"']],
	['$HOME `id` $(id) ; | > *', ['$HOME', '`id`', '$(id)', ';', '|', '>', '*']],
])('the command %j is split into %j', (line, argv) => {
	expect(splitCommand(line)).toMatchObject({ok: true, argv});
});

test.each([
	['', 'the command is empty'],
	['  ', 'the command is empty'],
	["a 'b", "a ' quote is not closed"],
	['a "b', 'a " quote is not closed'],
	['a "b\\"', 'a " quote is not closed'],
	["a 'b\\' c'", "a ' quote is not closed"],
])('the command %j is a problem', (line, problem) => {
	expect(splitCommand(line)).toEqual({ok: false, problem});
});

test('arguments without quotes survive quoting and splitting unchanged', () => {
	const argument = fc.string({unit: fc.constantFrom('"', ' ', '\n', '$', '\\', 'a', 'é', '\0')});
	fc.assert(
		fc.property(fc.array(argument, {minLength: 1}), argv => {
			const line = argv.map(text => `'${text}'`).join(' ');
			expect(splitCommand(line)).toEqual({ok: true, argv, escapes: false});
		}),
	);
});

test.each([
	['a/b', 'a/b'],
	['./a//b/', 'a/b'],
	['.', '.'],
	['a..b', 'a..b'],
	['', undefined],
	['..', undefined],
	['a/../b', undefined],
	['/a', undefined],
	['~/a', undefined],
	['-a', undefined],
	['a\\b', undefined],
	['C:/a', undefined],
	['a\nb', undefined],
	['a\0', undefined],
])('the path %j is read as %j', (text, path) => {
	expect(relativePath(text)).toBe(path);
});

test('the nearest name is one typing mistake away, and a distant word has none', () => {
	expect(nearestName('bulder', ['scout', 'builder'])).toBe('builder');
	expect(nearestName('tsakid', ['taskId'])).toBe('taskId');
	expect(nearestName('quartz', ['scout', 'builder'])).toBeUndefined();
	expect(nearestName('nope', ['gone'])).toBeUndefined();
	expect(nearestName('docs', ['doc'])).toBe('doc');
	expect(nearestName('x', [])).toBeUndefined();
	expect(hintNearest('quartz', ['scout', 'builder'])).toBe('Known: scout, builder.');
});
