import type {Command, CommandGroup} from './command.ts';
import {commonFlags, type Flag, type Flags, formatFlag} from './flags.ts';
import {synopsis} from './usage.ts';

export type LoadedGroup = {readonly title: string; readonly commands: readonly Command[]};

/** Loads the declarations of every command: the source of help, completion and the page of commands. */
export const loadGroups = (groups: readonly CommandGroup[]): Promise<LoadedGroup[]> =>
	Promise.all(
		groups.map(async ({title, commands}) => ({
			title,
			commands: await Promise.all(Object.values(commands).map(load => load())),
		})),
	);

/** Returns a declaration as data, for `hive help --json`. */
export const describeCommand = (command: Command) => ({
	path: command.path,
	summary: command.summary,
	...(command.description === undefined ? {} : {description: command.description.trim()}),
	usage: synopsis(command),
	arguments: describeFlags(command.arguments, name => name),
	flags: describeFlags({...command.flags, ...commonFlags}, formatFlag),
	...(command.json === undefined ? {} : {json: command.json}),
	examples: (command.examples ?? []).map(example => `hive ${example}`),
});

const describeFlags = (flags: Flags, label: (name: string, flag: Flag) => string) =>
	Object.entries(flags).map(([name, flag]) => {
		const {read: _, short, ...described} = flag;
		return {name: label(name, flag), ...(short === undefined ? {} : {short: `-${short}`}), ...described};
	});
