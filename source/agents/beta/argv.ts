import {join} from 'node:path';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {runPath} from '../../runs/layout.ts';
import {textArgument} from '../argument.ts';
import {commandArgv} from '../command.ts';
import type {Invocation} from '../invocation.ts';
import {isPlanning, option, textParam} from '../params.ts';

const modes = ['text', 'json', 'rpc'];

/** The argv of adapter `beta` for a run (docs/rules.md §8). */
export const betaArgv = (invocation: Invocation): Outcome<string[]> => {
	const {bee} = invocation;
	if (bee.command) return accepted(commandArgv(bee.command, invocation));
	const format = textParam(bee, 'output_format') ?? 'json';
	return accepted([
		programOf(invocation),
		'-p',
		'--mode',
		modes.includes(format) ? format : 'json',
		...sharedFlags(invocation),
		positionalPrompt(invocation),
	]);
};

/** The same program for a person: without `-p` and a mode, and with a conversation of its own in the run directory. */
export const betaSessionArgv = (invocation: Invocation): string[] => [
	programOf(invocation),
	...['--session-dir', join(invocation.runDir, 'beta-sessions'), '--session-id', invocation.agentId],
	...sharedFlags(invocation),
	...(invocation.prompt.trim() === '' ? [] : [positionalPrompt(invocation)]),
];

const programOf = ({bee, settings}: Invocation): string =>
	textParam(bee, 'binary') ?? settings.binary ?? 'beta';

const sharedFlags = ({bee, system, runDir, apiKey}: Invocation): string[] => [
	...option('--append-system-prompt', system === undefined ? undefined : runPath(runDir, 'system')),
	...option('--model', textParam(bee, 'model')),
	...option('--provider', textParam(bee, 'provider')),
	...option('--thinking', textParam(bee, 'thinking')),
	...(isPlanning(bee) ? ['--plan'] : []),
	...option('--api-key', apiKey),
];

const positionalPrompt = ({prompt, runDir}: Invocation): string =>
	textArgument(prompt, runPath(runDir, 'prompt'));
