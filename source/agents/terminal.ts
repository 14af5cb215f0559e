import type {AdapterName} from '../colony/colony.ts';
import {runPath} from '../runs/layout.ts';
import {textArgument} from './argument.ts';
import type {Invocation} from './invocation.ts';
import {option, textParam} from './params.ts';
import {programOf, promptOf} from './program.ts';

/**
 * The argv of a tool's own terminal program, which asks the person in front of it.
 *
 * @param say the arguments with which the tool takes its first words; it gets none where nothing is said
 */
export const terminalArgv =
	(adapter: AdapterName, say: (prompt: string) => readonly string[]) =>
	(invocation: Invocation): string[] => {
		const prompt = promptOf(invocation);
		return [
			programOf(adapter, invocation),
			...option('--model', textParam(invocation.bee, 'model')),
			...(prompt === '' ? [] : say(textArgument(prompt, runPath(invocation.runDir, 'prompt')))),
		];
	};
