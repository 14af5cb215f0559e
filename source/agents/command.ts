import {join} from 'node:path';
import type {Invocation} from './invocation.ts';
import {commandVariables, substitute} from './substitute.ts';

/** The argv of a bee's own `command`. A relative program path is resolved against the workspace. */
export const commandArgv = (
	command: readonly string[],
	invocation: Invocation,
	variables = commandVariables(invocation),
): string[] => {
	const [program = '', ...rest] = substitute(command, variables);
	const isRelative = program.includes('/') && !program.startsWith('/');
	return [isRelative ? join(invocation.workspace, program) : program, ...rest];
};
