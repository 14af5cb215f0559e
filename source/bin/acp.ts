import {writeSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {version} from '../../package.json';
import {runAgent} from '../acp/run-agent.ts';
import {startAgentProgram} from '../drivers/agent-program.ts';
import {channelOf} from './run-channel.ts';

/** Exit code of a process that SIGTERM ends. */
const terminated = 143;

/**
 * Runs an agent through the Agent Client Protocol, with the prompt from standard input. `agents/acp/argv.ts`
 * has the arguments, `agents/acp/record.ts` what it prints. Resolves with the exit code.
 */
export const runAcp = async (
	args: readonly string[],
	{input, env, cwd}: {input: string; env: NodeJS.ProcessEnv; cwd: string},
): Promise<number> => {
	const text = {type: 'string'} as const;
	const {values, positionals} = parseArgs({
		args: [...args],
		options: {
			...{model: text, mode: text, resume: text, permissions: text, mcp: text, folder: text},
			'without-files': {type: 'boolean', default: false},
		},
		allowPositionals: true,
	});
	const stop = new AbortController();
	const ended = new Promise<number>(resolve => {
		process.once('SIGTERM', () => {
			stop.abort();
			setTimeout(() => resolve(terminated), 1000);
		});
	});
	const running = runAgent({
		program: startAgentProgram(positionals, cwd),
		...{cwd, prompt: input, version},
		...{model: values.model, mode: values.mode, resume: values.resume},
		permissions: {allow: [], ask: [], deny: [], ...JSON.parse(values.permissions ?? '{}')},
		server: values.mcp === undefined ? undefined : JSON.parse(values.mcp),
		folder: values.folder,
		servesFiles: !values['without-files'],
		resultFile: env.HIVE_RESULT_FILE,
		channel: await channelOf(env, cwd),
		write: record => writeLine(JSON.stringify({...record, at: new Date().toISOString()})),
		signal: stop.signal,
	}).then(isWell => (isWell ? 0 : 1));
	return Promise.race([running, ended]);
};

/** Standard output is a file or a pipe; a full pipe takes a part of a line. */
const writeLine = (line: string): void => {
	let rest = Buffer.from(`${line}\n`);
	while (rest.length > 0) {
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
		}
	}
};
