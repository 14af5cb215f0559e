import {accepted, type Outcome} from '../../domain/errors.ts';
import {runPath} from '../../runs/layout.ts';
import {textArgument} from '../argument.ts';
import {commandArgv} from '../command.ts';
import type {Invocation} from '../invocation.ts';
import {flagParam, isPlanning, option, textParam} from '../params.ts';

/** The argv of adapter `alpha` for a run (docs/rules.md §8). */
export const alphaArgv = (invocation: Invocation): Outcome<string[]> => {
	const {bee} = invocation;
	if (bee.command) return accepted(commandArgv(bee.command, invocation));
	return accepted([
		programOf(invocation),
		'-p',
		...workspaceOf(invocation),
		'--output-format',
		textParam(bee, 'output_format') ?? 'stream-json',
		...(flagParam(bee, 'trust', true) ? ['--trust'] : []),
		...sharedFlags(invocation),
		positionalPrompt(invocation),
	]);
};

/** The same program for a person: without `-p`, its output format and trust, which it asks for itself. */
export const alphaSessionArgv = (invocation: Invocation): string[] => [
	programOf(invocation),
	...workspaceOf(invocation),
	...sharedFlags(invocation),
	...(hasText(invocation) ? [positionalPrompt(invocation)] : []),
];

const hasText = ({prompt, system = ''}: Invocation): boolean => `${prompt}${system}`.trim() !== '';

const programOf = ({bee, settings}: Invocation): string =>
	textParam(bee, 'binary') ?? settings.binary ?? 'alpha';

const workspaceOf = ({workspace}: Invocation): string[] => ['--workspace', workspace];

const sharedFlags = ({bee, apiKey}: Invocation): string[] => [
	...(flagParam(bee, 'force', true) ? ['--force'] : []),
	...(isPlanning(bee) ? ['--plan'] : []),
	...option('--model', textParam(bee, 'model')),
	...option('--api-key', apiKey),
];

/** System text and task text are one argument, joined by a newline. */
const positionalPrompt = ({prompt, system, runDir}: Invocation): string => {
	const promptFile = runPath(runDir, 'prompt');
	if (system === undefined) return textArgument(prompt, promptFile);
	return textArgument(`${system}\n${prompt}`, `${runPath(runDir, 'system')} and ${promptFile}`);
};
