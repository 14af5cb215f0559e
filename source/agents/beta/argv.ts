import {join} from 'node:path';
import {runPath} from '../../runs/layout.ts';
import {isTooLong} from '../argument.ts';
import type {Invocation, Start} from '../invocation.ts';
import {promptArgument} from '../long-text.ts';
import {furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {programOf} from '../program.ts';
import {resumed} from '../resume.ts';

const modes = ['text', 'json', 'rpc'];

/**
 * How adapter `beta` starts a run (docs/rules.md §8). Text that is too long for an argument goes to its
 * standard input.
 */
export const betaStart = (invocation: Invocation): Start => {
	const {bee, prompt} = invocation;
	const format = textParam(bee, 'output_format') ?? 'json';
	const argv = [
		programOf('beta', invocation),
		'-p',
		'--mode',
		modes.includes(format) ? format : 'json',
		...sharedFlags(invocation),
		...option('--session', resumed(invocation)),
		...furtherArguments(bee),
	];
	return isTooLong(prompt) ? {argv, input: prompt} : {argv: [...argv, promptArgument(invocation, 'prompt')]};
};

/**
 * The argv of the same program for a session: without `-p` and a mode. Its conversation is one of its own, in
 * the run directory.
 */
export const betaTerminalArgv = (invocation: Invocation): string[] => [
	programOf('beta', invocation),
	...['--session-dir', join(invocation.runDir, 'beta-sessions'), '--session-id', invocation.agentId],
	...sharedFlags(invocation),
	...(invocation.prompt.trim() === '' ? [] : [promptArgument(invocation, 'prompt')]),
];

const sharedFlags = ({bee, system, runDir, apiKey}: Invocation): string[] => [
	...option('--append-system-prompt', system === undefined ? undefined : runPath(runDir, 'system')),
	...option('--model', textParam(bee, 'model')),
	...option('--provider', textParam(bee, 'provider')),
	...option('--thinking', textParam(bee, 'thinking')),
	...(isPlanning(bee) ? ['--plan'] : []),
	...option('--api-key', apiKey),
];
