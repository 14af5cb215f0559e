import {describe, expect, test} from 'vitest';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';
import {verifyOf} from '../../source/colony/verification.ts';
import {colonyFrom} from './sample-colony.ts';

const parse = (text: string) =>
	parseColonyYaml('.hive/colony.yaml', readYaml(`slug: shop\nverify: ${text}\n`));
const usual = {timeout: 600_000, required: false};

describe('verify', () => {
	test.each([
		['a command line', 'npm test', [['npm', 'test']]],
		['an argv', '[npm, test]', [['npm', 'test']]],
		[
			'several argvs',
			'[[npm, ci], [npm, test]]',
			[
				['npm', 'ci'],
				['npm', 'test'],
			],
		],
		['the long form', '{commands: npm test}', [['npm', 'test']]],
	])('is read as %s', (_, text, commands) => {
		expect(parse(text)).toMatchObject({problems: [], value: {verify: {commands, ...usual}}});
	});

	test('states its timeout and whether it is required', () => {
		expect(parse('{commands: [[make, check]], timeout: 90s, required: true}').value?.verify).toEqual({
			commands: [['make', 'check']],
			timeout: 90_000,
			required: true,
		});
	});

	test.each(['disabled', '[]'])('is switched off by %s', text => {
		expect(parse(text)).toMatchObject({problems: [], value: {slug: 'shop'}});
		expect(parse(text).value).not.toHaveProperty('verify');
	});

	test.each([
		['{required: true}', '"commands" is missing'],
		['{commands: []}', 'there is no command'],
		['{commands: disabled}', 'there is no command'],
		['{commands: make, timeout: soon}', 'expected a duration'],
		['{commands: make, need: true}', 'unknown key "need"'],
		['[[make], []]', 'the command is empty'],
	])('that is %s is a problem', (text, message) => {
		expect(
			parse(text)
				.problems.map(problem => problem.message)
				.join(),
		).toContain(message);
	});

	test('of a bee replaces that of the colony for the proposals of the bee', async () => {
		const colony = await colonyFrom({
			'colony.yaml': 'slug: shop\nverify: make check\n',
			'bees/own.yaml': 'verify: make own\n',
			'bees/off.yaml': 'verify: disabled\n',
			'bees/plain.yaml': 'worktree: true\n',
		});
		const commands = (role: string) => verifyOf(colony, role)?.commands;
		expect(commands('own')).toEqual([['make', 'own']]);
		expect(commands('off')).toBeUndefined();
		expect(commands('plain')).toEqual([['make', 'check']]);
		expect(commands('gone')).toEqual([['make', 'check']]);
	});
});

test('no bee can have the name under which hive verifies', () => {
	const parsed = parseBeeYaml('.hive/bees/x.yaml', readYaml('role: hive.verify\n'));
	expect(parsed.problems).toMatchObject([
		{path: '.hive/bees/x.yaml:1', message: '"hive.verify" is hive\'s own name'},
	]);
});
