import {describe, expect, it} from 'vitest';
import {findCommand} from '../../source/cli/route.ts';

const paths = [
	...['help', 'status', 'purge', 'task create', 'task retry', 'event emit'],
	...['proposal approve', 'proposal reject', 'proposal diff', 'proposal list'],
];

describe('the command of a command line', () => {
	it.each([
		['its words', ['task', 'retry', '--trace', 't'], {path: 'task retry', rest: ['--trace', 't']}],
		[
			'words behind common flags',
			['-C', 'dir', '--json', 'status'],
			{path: 'status', rest: ['-C', 'dir', '--json']},
		],
		[
			'words behind a joined flag',
			['--path=dir', 'status', 'x'],
			{path: 'status', rest: ['--path=dir', 'x']},
		],
		['the default without words', ['--json'], {path: 'dashboard', rest: ['--json']}],
		['a short form', ['approve', '--trace', 't'], {path: 'proposal approve', rest: ['--trace', 't']}],
		[
			'a short form behind a common flag',
			['--json', 'diff', '-h'],
			{path: 'proposal diff', rest: ['--json', '-h']},
		],
		['the default with a theme', ['--theme', 'light'], {path: 'dashboard', rest: ['--theme', 'light']}],
		['help, for --help alone', ['--help'], {path: 'help', rest: []}],
		['help, for a first word and --help', ['task', '-h'], {path: 'help', rest: ['task']}],
	])('is found by %s', (_, argv, value) => {
		expect(findCommand(argv, paths)).toEqual({ok: true, value});
	});

	it.each([
		['a typing error in a second word', ['task', 'crate'], 'hive task crate', 'hive task create'],
		['a typing error in a first word', ['stauts'], 'hive stauts', 'hive status'],
		['a typing error in a short form', ['aprove'], 'hive aprove', 'hive proposal approve'],
		['another word for it', ['merge'], 'hive merge', 'hive proposal approve'],
		['a typing error in the first of two', ['tsak'], 'hive tsak', 'hive task'],
	])('is suggested after %s', (_, argv, said, meant) => {
		expect(findCommand(argv, paths)).toMatchObject({
			refusal: {
				code: 'unknown_command',
				message: expect.stringContaining(`"${said}"`),
				hint: expect.stringContaining(`"${meant}"`),
			},
		});
	});

	it('is not suggested if no name is close', () => {
		expect(findCommand(['frobnicate'], paths)).toMatchObject({refusal: {hint: 'See "hive help".'}});
	});

	it('needs its second word', () => {
		expect(findCommand(['task'], paths)).toMatchObject({
			refusal: {code: 'unknown_command', hint: 'One of: hive task create, hive task retry.'},
		});
	});
});
