import {accepted} from '../../domain/errors.ts';
import {type Command, type CommandGroup, command} from '../command.ts';
import {describeCommand, type LoadedGroup, loadGroups} from '../describe.ts';
import {repeatable} from '../flags.ts';
import {fullForm, unknownCommand} from '../route.ts';
import type {Text} from '../text.ts';
import {alignRows, renderUsage} from '../usage.ts';

export const helpFor = (commandGroups: readonly CommandGroup[]): Command =>
	command({
		path: 'help',
		summary: 'Show what hive can do, or how one command is used.',
		flags: {},
		arguments: {
			command: repeatable({summary: 'A command, or the first word of several.', hint: '<command>'}),
		},
		json: '{v, command} or {v, groups: [{title, commands: […]}]}',
		examples: ['help', 'help completion', 'help --json'],
		run: async ({command: words}) => {
			const groups = await loadGroups(commandGroups);
			const commands = groups.flatMap(group => group.commands);
			const paths = commands.map(({path}) => path);
			const name = (words.length === 1 ? fullForm(words[0], paths) : undefined) ?? words.join(' ');
			const exact = commands.find(({path}) => path === name);
			if (exact !== undefined) {
				return accepted({json: {command: describeCommand(exact)}, text: renderUsage(exact)});
			}
			const chosen = name === '' ? groups : groupsUnder(name, groups);
			if (chosen.length === 0) return unknownCommand(name, paths);
			return accepted({
				json: {
					groups: chosen.map(group => ({
						title: group.title,
						commands: group.commands.map(describeCommand),
					})),
				},
				text: renderOverview(chosen),
			});
		},
	});

const groupsUnder = (word: string, groups: readonly LoadedGroup[]): LoadedGroup[] =>
	groups
		.map(({title, commands}) => ({
			title,
			commands: commands.filter(({path}) => path.startsWith(`${word} `)),
		}))
		.filter(({commands}) => commands.length > 0);

const renderOverview = (groups: readonly LoadedGroup[]): Text => [
	'Usage: hive <command> [flags]\n',
	...groups.flatMap(({title, commands}) => [
		'\n',
		{text: title, style: 'strong'} as const,
		`\n${alignRows(commands.map(({path, summary}) => [path, summary]))}\n`,
	]),
	'\n"hive help <command>" shows one command; "hive --version" the version.',
];
