import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {CommandContext} from '../command-context.ts';

/**
 * Returns the window in which a session opens, as the argv before a command. Undefined for the terminal in
 * which this command was started.
 */
export const windowOf = async (
	commandContext: Pick<CommandContext, 'terminal'>,
	chosen: string | undefined,
): Promise<Outcome<readonly string[] | undefined>> => {
	const {terminal, windows} = await commandContext.terminal();
	const name = chosen ?? terminal;
	if (name === 'default') return accepted(undefined);
	const argv = Object.hasOwn(windows, name) ? windows[name] : undefined;
	return argv === undefined
		? refuse('usage', {
				message: `"${name}" is no terminal that hive knows.`,
				hint: `Use "default" or one of ${Object.keys(windows).join(', ')}; "command" in terminal.yaml sets another.`,
			})
		: accepted(argv);
};

/** Shows the session in a window of its own, which outlives this process. */
export const openWindow = async (
	commandContext: Pick<CommandContext, 'cwd' | 'programs'>,
	window: readonly string[],
	sessionId: string,
): Promise<void> => {
	const {launch} = await commandContext.programs();
	const command = [
		process.execPath,
		process.argv[1] ?? '',
		'session',
		'attach',
		sessionId,
		'-C',
		commandContext.cwd,
	];
	await launch([...window, ...command]);
};
