import type {AdapterName} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';
import {wholePromptArgument} from './long-text.ts';
import {option, textParam} from './params.ts';
import {programOf, promptOf} from './program.ts';

/**
 * The argv of a tool's own terminal program, in which the person approves its actions.
 *
 * @param promptArguments returns the arguments for the first message; not called without one
 * @param hookArguments returns the arguments that have the tool report when it waits for the person
 */
export const terminalArgv =
	(
		adapter: AdapterName,
		promptArguments: (prompt: string) => readonly string[],
		hookArguments: (invocation: Pick<Invocation, 'runDir'>) => readonly string[] = () => [],
	) =>
	(invocation: Invocation): string[] => [
		programOf(adapter, invocation),
		...hookArguments(invocation),
		...option('--model', textParam(invocation.bee, 'model')),
		...(promptOf(invocation) === '' ? [] : promptArguments(wholePromptArgument(invocation))),
	];
