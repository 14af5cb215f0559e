import {join} from 'node:path';
import {textArgument} from '../agents/argument.ts';
import {commandArgv} from '../agents/command.ts';
import {agentEnvironment} from '../agents/environment.ts';
import type {Invocation} from '../agents/invocation.ts';
import {commandVariables} from '../agents/substitute.ts';
import {HiveError} from '../domain/errors.ts';
import type {RunState} from '../ports/processes.ts';
import {runPath} from '../runs/layout.ts';
import type {Launcher} from './containment/contain-run.ts';
import type {DispatchPorts} from './ports.ts';

/** Timeout of a bee's `post_exec` in milliseconds. */
const defaultTimeoutMs = 60_000;

/**
 * Runs the bee's `post_exec` after the result is written, at most once for a run (docs/rules.md §8). It works
 * in the run's workspace and never changes the run's outcome. Returns a description of its failure, or
 * `undefined`.
 */
export const runPostExec = async (
	ports: DispatchPorts,
	invocation: Invocation,
	summary: string,
	launcher: Pick<Launcher, 'argv' | 'env'>,
	timeoutMs = defaultTimeoutMs,
): Promise<string | undefined> => {
	const {postExec} = invocation.bee;
	if (postExec === undefined) return undefined;
	try {
		return await supervise(ports, invocation, variablesOf(invocation, summary), {
			...{command: postExec, timeoutMs, launcher},
		});
	} catch (error) {
		if (error instanceof HiveError) return `post_exec could not run: ${error.message}`;
		throw error;
	}
};

const variablesOf = (invocation: Invocation, summary: string): Readonly<Record<string, string>> => ({
	...commandVariables(invocation),
	RESULT: textArgument(summary, runPath(invocation.runDir, 'summary')),
	META: runPath(invocation.runDir, 'meta'),
});

/**
 * Supervises it in a directory like a run's own. So a retry finds that it has begun, and its whole process
 * tree can be stopped.
 */
const supervise = async (
	{processes, files, clock, colony, environment, binDir, settings}: DispatchPorts,
	invocation: Invocation,
	variables: Readonly<Record<string, string>>,
	{
		command,
		timeoutMs,
		launcher,
	}: {
		readonly command: readonly string[];
		readonly timeoutMs: number;
		readonly launcher: Pick<Launcher, 'argv' | 'env'>;
	},
): Promise<string | undefined> => {
	const {agentId, workspace, runDir} = invocation;
	const directory = runPath(runDir, 'postExec');
	await files.makeFolder(directory, {mode: 0o700});
	await processes.launch({
		runDir: directory,
		workspace,
		argv: launcher.argv(commandArgv(command, invocation, variables)),
		env: launcher.env({
			...variables,
			...agentEnvironment(environment, invocation, {binDir, settings, colony}),
		}),
	});
	const over = new AbortController();
	const cancel = clock.after(timeoutMs, () => over.abort());
	await processes.ended(directory, over.signal);
	cancel();
	if (over.signal.aborted) {
		await processes.stop(directory, agentId, 1000);
		return `post_exec was stopped after ${timeoutMs / 1000} s`;
	}
	await processes.sweep(directory, agentId, colony().defaults.leaveRunning);
	const lastError = lastLine((await files.read(join(directory, 'stderr.log'))) ?? '');
	return formatFailure(await processes.inspect(directory), lastError);
};

const formatFailure = (state: RunState, lastError: string): string | undefined => {
	if (state.state !== 'ended') return 'post_exec vanished';
	if (state.exitCode === 0) return undefined;
	return `post_exec ended with exit code ${state.exitCode}${lastError === '' ? '' : `: ${lastError}`}`;
};

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
