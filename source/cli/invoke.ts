import {HiveError, type Outcome} from '../domain/errors.ts';
import type {Command, CommandGroup, Result} from './command.ts';
import type {CommandContext} from './command-context.ts';
import {commonFlags, type Values} from './flags.ts';
import {readArgv} from './read-argv.ts';
import {findCommand, pathsOf} from './route.ts';

/** Values of the flags that every command has. */
export type CommonFlags = Values<typeof commonFlags>;

/**
 * Runs the command that a command line names, and passes on its result while the session is still open; or
 * refuses it. Loads only that command's file.
 */
export const runCommandLine = async (
	argv: readonly string[],
	groups: readonly CommandGroup[],
	createContext: (common: CommonFlags, path: string) => CommandContext,
	report: (result: Result, common: CommonFlags) => Promise<number>,
): Promise<Outcome<number>> => {
	const named = findCommand(argv, pathsOf(groups));
	if (!named.ok) return named;
	const {path, rest} = named.value;
	const command = await loadCommand(path, groups);
	const given = readArgv(rest, {...command.flags, ...commonFlags});
	const parsed = given.flags.help?.includes('true')
		? (await loadCommand('help', groups)).prepare({...given, words: path.split(' '), problems: []})
		: command.prepare(given);
	if (!parsed.ok) return parsed;
	const commandContext = createContext(parsed.value.common, path);
	try {
		const outcome = await parsed.value.run(commandContext);
		if (outcome.ok) return {ok: true, value: await report(outcome.value, parsed.value.common)};
		if (outcome.refusal.code === 'not_for_agents') {
			const {noteRefusal} = await import('../host/emit/note-refusal.ts');
			await noteRefusal(await commandContext.open(), outcome.refusal, `hive ${path}`);
		}
		return outcome;
	} finally {
		await commandContext.close();
	}
};

const loadCommand = async (path: string, groups: readonly CommandGroup[]): Promise<Command> => {
	const load = groups.map(({commands}) => commands[path]).find(found => found !== undefined);
	if (load === undefined)
		throw new HiveError('unknown_command', {message: `There is no command "hive ${path}".`});
	return load();
};
