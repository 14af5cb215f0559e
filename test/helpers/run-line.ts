import {commandLine} from '../../source/cli/command-line.ts';
import {openHost} from '../../source/wire/open-host.ts';
import type {runHive} from './run-hive.ts';

const unavailable = () => Promise.reject(new Error('This command line has no terminal.'));

/**
 * Runs a command line to its end in the process of the tests. It is for commands that neither start nor
 * follow hive.
 */
export const runLine: typeof runHive = async (args, {cwd = process.cwd(), env = {}, input = ''} = {}) => {
	const written = {stdout: '', stderr: ''};
	const outputTo = (stream: keyof typeof written) => ({
		isTTY: false,
		columns: undefined,
		write: async (text: string | Uint8Array) => {
			written[stream] += Buffer.from(text).toString();
			return true;
		},
	});
	const {run} = commandLine(
		{
			offered: undefined,
			openHost,
			showDashboard: unavailable,
			offerInit: unavailable,
			loadConsole: async () => (await import('../../source/console/main.ts')).consoleFace,
			loadForge: async () => import('../../source/bin/forge.ts'),
			loadMcp: async () => import('../../source/bin/mcp.ts'),
			loadChat: async () => (await import('../../source/chat/main.ts')).chatFace,
			clearScreen: () => {},
		},
		{
			argv: args,
			cwd,
			env: {PATH: process.env.PATH, ...env},
			stdin: async () => input,
			stdout: outputTo('stdout'),
			stderr: outputTo('stderr'),
			outputError: () => undefined,
			signal: new AbortController().signal,
		},
	);
	const exitCode = await run();
	return {...written, exitCode};
};
