import {readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {helpFor} from '../../source/cli/commands/help.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {describeCommand, loadGroups} from '../../source/cli/describe.ts';
import {commonFlags} from '../../source/cli/flags.ts';
import {renderText} from '../../source/cli/text.ts';
import {renderUsage} from '../../source/cli/usage.ts';
import {sessionWith} from './session-with.ts';

const groups = await loadGroups(commandGroups);
const commands = groups.flatMap(group => group.commands);

const overview = async () => {
	const prepared = helpFor(commandGroups).prepare({flags: {}, words: [], problems: []});
	const outcome = prepared.ok ? await prepared.value.run(sessionWith({})) : prepared;
	if (!outcome.ok || !('text' in outcome.value)) throw new Error('There is no help.');
	const {text, json} = outcome.value;
	return {text: renderText(typeof text === 'function' ? await text() : text, false), json};
};

describe('the table of commands', () => {
	it('lists every command under its own name', () => {
		const keys = commandGroups.flatMap(group => Object.keys(group.commands));
		expect(commands.map(({path}) => path)).toEqual(keys);
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('contains every command that a file in cli/commands exports', async () => {
		const folder = path.resolve('source/cli/commands');
		const files = await Promise.all(readdirSync(folder).map(file => import(path.join(folder, file))));
		const exported = files.flatMap(file => Object.values<object>(file)).filter(value => 'prepare' in value);
		const missing = exported.filter(command => !commands.some(known => known === command));
		expect(missing.map(command => 'path' in command && command.path)).toEqual([]);
	});
});

describe.each(commands.map(command => [command.path, command] as const))('hive %s', (path, command) => {
	it('has the usage of its golden', async () => {
		await expect(`${renderText(renderUsage(command), false)}\n`).toMatchFileSnapshot(
			`../golden/help/${path.replaceAll(' ', '-')}.txt`,
		);
	});

	it('redefines no common flag and none of its letters', () => {
		const letters = Object.values(commonFlags).flatMap(flag => ('short' in flag ? [flag.short] : []));
		const own = Object.entries(command.flags);
		expect(own.filter(([name]) => name in commonFlags || /^no[A-Z]/.test(name))).toEqual([]);
		expect(own.filter(([, {short}]) => letters.some(letter => letter === short))).toEqual([]);
	});

	it('has unambiguous arguments: required ones first, a list last, none named like a flag', () => {
		const positional = Object.entries(command.arguments);
		const required = positional.map(([, flag]) => flag.required === true);
		expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
		expect(positional.slice(0, -1).filter(([, flag]) => flag.repeatable)).toEqual([]);
		expect(positional.filter(([name]) => name in command.flags || name in commonFlags)).toEqual([]);
	});
});

describe('hive help', () => {
	it('shows every command under its group', async () => {
		const {text, json} = await overview();
		await expect(`${text}\n`).toMatchFileSnapshot('../golden/help.txt');
		expect(json).toEqual({
			groups: groups.map(group => ({title: group.title, commands: group.commands.map(describeCommand)})),
		});
	});

	it('describes a whole declaration as data', () => {
		expect(JSON.parse(JSON.stringify(describeCommand(helpFor(commandGroups))))).toMatchObject({
			path: 'help',
			usage: 'hive help [<command>…]',
			arguments: [{name: 'command', kind: 'text', repeatable: true}],
			flags: [
				{name: '--json', kind: 'boolean'},
				{name: '--path', short: '-C'},
				{choices: ['auto', 'always', 'never']},
				{},
			],
		});
	});
});
