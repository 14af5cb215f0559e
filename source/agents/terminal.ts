import type {AdapterName} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';
import {wholePromptArgument} from './long-text.ts';
import {option, textParam} from './params.ts';
import {programOf, promptOf} from './program.ts';

/**
 * The argv of a tool's own terminal program, which asks the person in front of it.
 *
 * @param say the arguments with which the tool takes its first words; it gets none where nothing is said
 */
export const terminalArgv =
	(adapter: AdapterName, say: (prompt: string) => readonly string[]) =>
	(invocation: Invocation): string[] => [
		programOf(adapter, invocation),
		...option('--model', textParam(invocation.bee, 'model')),
		...(promptOf(invocation) === '' ? [] : say(wholePromptArgument(invocation))),
	];
