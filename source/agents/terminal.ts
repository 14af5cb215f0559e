import type {AdapterName} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';
import {wholePromptArgument} from './long-text.ts';
import {option, textParam} from './params.ts';
import {programOf, promptOf} from './program.ts';

/**
 * The argv of a tool's own terminal program, in which the person approves its actions.
 *
 * @param promptArguments returns the arguments for the first message; not called without one
 */
export const terminalArgv =
	(adapter: AdapterName, promptArguments: (prompt: string) => readonly string[]) =>
	(invocation: Invocation): string[] => [
		programOf(adapter, invocation),
		...option('--model', textParam(invocation.bee, 'model')),
		...(promptOf(invocation) === '' ? [] : promptArguments(wholePromptArgument(invocation))),
	];
