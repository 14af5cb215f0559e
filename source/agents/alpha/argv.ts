import type {Invocation, Start} from '../invocation.ts';
import {wholePromptArgument} from '../long-text.ts';
import {flagParam, furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';

/** How adapter `alpha` starts a run (docs/rules.md §8). */
export const alphaStart = (invocation: Invocation): Start => {
	const {bee} = invocation;
	return {
		argv: [
			programOf('alpha', invocation),
			'-p',
			...workspaceOf(invocation),
			'--output-format',
			textParam(bee, 'output_format') ?? 'stream-json',
			...(flagParam(bee, 'trust', true) ? ['--trust'] : []),
			...sharedFlags(invocation),
			...option('--resume', resumed(invocation)),
			...furtherArguments(bee),
			wholePromptArgument(invocation),
		],
	};
};

/**
 * The argv of the same program for a session: without `-p`, an output format and trust, which it asks for
 * itself.
 */
export const alphaTerminalArgv = (invocation: Invocation): string[] => [
	programOf('alpha', invocation),
	...workspaceOf(invocation),
	...sharedFlags(invocation),
	...(promptOf(invocation) === '' ? [] : [wholePromptArgument(invocation)]),
];

const workspaceOf = ({workspace}: Invocation): string[] => ['--workspace', workspace];

const sharedFlags = ({bee}: Invocation): string[] => [
	...(flagParam(bee, 'force', true) ? ['--force'] : []),
	...(isPlanning(bee) ? ['--plan'] : []),
	...option('--model', textParam(bee, 'model')),
];
