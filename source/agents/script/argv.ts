import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {commandArgv} from '../command.ts';
import type {Invocation} from '../invocation.ts';

/** The argv of a script bee: its command and nothing else. */
export const scriptArgv = (invocation: Invocation): Outcome<string[]> => {
	const {role, file, command} = invocation.bee;
	if (command) return accepted(commandArgv(command, invocation));
	return refuse('invalid_config', {
		message: `The script bee "${role}" has no command.`,
		hint: `Set "command" in ${file}.`,
	});
};
