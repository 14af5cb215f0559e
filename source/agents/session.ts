import type {Bee} from '../colony/colony.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {adapterOf} from './adapter.ts';
import {commandArgv} from './command.ts';
import type {Invocation, Start} from './invocation.ts';

/** Returns how to start a session with the bee (docs/rules.md §8). Refused as by `refuseSession`. */
export const sessionStart = (invocation: Invocation): Outcome<Start> => {
	const {bee} = invocation;
	const refused = refuseSession(bee);
	if (refused !== undefined) return refused;
	if (bee.interactiveCommand) {
		const command =
			invocation.prompt.trim() === '' ? withoutPrompt(bee.interactiveCommand) : bee.interactiveCommand;
		return accepted({argv: commandArgv(command, invocation)});
	}
	return accepted({argv: adapterOf(bee.adapter).terminalArgv?.(invocation) ?? []});
};

/** Removes the arguments that carry the prompt, for a session that starts without one. */
const withoutPrompt = (command: readonly string[]): readonly string[] =>
	command.filter(argument => !/\$(?:\{PROMPT\}|PROMPT(?![A-Z_]))/.test(argument));

/** Why the bee cannot have a session. Undefined if it can. */
export const refuseSession = ({role, file, adapter, command, interactiveCommand}: Bee) => {
	if (adapterOf(adapter).terminalArgv === undefined)
		return refuse('no_session', {
			message: `The bee "${role}" is a ${adapter}, which has no interactive session.`,
			hint: `Run it with "hive bee run ${role}".`,
		});
	return command === undefined || interactiveCommand !== undefined
		? undefined
		: refuse('no_session', {
				message: `The bee "${role}" has a "command" for autonomous runs, but none for sessions.`,
				hint: `Set "interactive_command" in ${file}, such as [${JSON.stringify(command[0])}, "$PROMPT"].`,
			});
};
