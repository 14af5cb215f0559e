import {join} from 'node:path';
import {commandArgv} from '../agents/command.ts';
import {agentEnvironment} from '../agents/environment.ts';
import type {Bee, Colony, WorkspaceSetup} from '../colony/colony.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {verificationOver} from '../ledger/evidence.ts';
import {applyEvents} from '../ledger/reduce.ts';
import type {Git} from '../ports/git.ts';
import {runDirectory} from '../runs/layout.ts';
import {noteSetUpLinks} from '../workspaces/trees/ignored-links.ts';
import {copyIgnored} from '../workspaces/worktree/copy-ignored.ts';
import {keepCachedSetup, noteSetup, planCachedSetup, takeCachedSetup} from './cached-setup.ts';
import {containRun, type Launcher} from './containment/contain-run.ts';
import {takeOverRun} from './containment/take-over-run.ts';
import {invocationOf} from './invocation.ts';
import type {DispatchPorts} from './ports.ts';

/** Timeout of one command of `workspaces.setup` in milliseconds. */
const setupTimeoutMs = 15 * 60_000;

/** Path of a worktree, the first of its ports, and whether it was made just now. */
type WorktreeWithPort = {
	readonly checkout: string;
	readonly port?: number | undefined;
	readonly isNew: boolean;
};

const settingUp = new Map<string, Promise<Outcome<void>>>();

/**
 * Makes a new worktree usable (docs/architecture.md §5): copies ignored files and runs `workspaces.setup`,
 * once for each worktree. The output is in the run's directory. After a failure the next run retries it.
 * Refused with `setup_failed`.
 */
export const setUpWorktree = (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{bee, worktree}: {bee: Bee; worktree: WorktreeWithPort},
): Promise<Outcome<void>> => {
	const setup = ports.colony().workspaces;
	if (setup === undefined) return Promise.resolve(accepted(undefined));
	const under =
		settingUp.get(worktree.checkout) ??
		setUp(ports, trace, run, {bee, worktree, setup}).finally(() => settingUp.delete(worktree.checkout));
	settingUp.set(worktree.checkout, under);
	return under;
};

const setUp = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{bee, worktree, setup}: {bee: Bee; worktree: WorktreeWithPort; setup: WorkspaceSetup},
): Promise<Outcome<void>> => {
	const {git, files, report, colony} = ports;
	const mark = await markOf(git, worktree.checkout);
	if ((await files.read(mark)) !== undefined) return accepted(undefined);
	for (const left of await copyIgnored(git, colony().root, worktree.checkout, setup.copy))
		report(`Not copied into ${worktree.checkout}: ${left}`);
	const cached = await planCachedSetup(ports, trace, run, {...worktree, setup});
	const isTaken = cached !== undefined && (await takeCachedSetup(ports, cached, worktree.checkout));
	if (isTaken) await noteSetup(ports, trace, run, `setup: from cache (${cached.paths.join(', ')})`);
	else {
		const ownCaches = cached?.keeps ?? false;
		const ran = await runSetup(ports, trace, run, {bee, worktree, setup, ownCaches});
		if (!ran.ok) return ran;
		if (cached !== undefined)
			await noteSetup(ports, trace, run, await keepCachedSetup(ports, cached, worktree.checkout));
	}
	if (setup.setup.length > 0) await noteSetUpLinks(git, worktree.checkout);
	await files.create(mark, run.agentId);
	return accepted(undefined);
};

/** Runs the commands in order, in the containment of the bee. */
const runSetup = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{
		bee,
		worktree,
		setup,
		ownCaches,
	}: {bee: Bee; worktree: WorktreeWithPort; setup: WorkspaceSetup; ownCaches: boolean},
): Promise<Outcome<void>> => {
	const directories = setupDirectories(ports.colony(), trace.traceId, run.agentId);
	for (const [index, command] of setup.setup.entries()) {
		const directory = directories[index] ?? '';
		const contained = await containRun(ports, {
			...{traceId: trace.traceId, agentId: run.agentId, bee, argvs: [command]},
			...{checkout: worktree.checkout, workspace: worktree.checkout},
			movesBranch: run.verifies === undefined,
			ownCaches,
		});
		if (!contained.ok) return contained;
		const launcher = contained.value;
		const problem = await supervise(ports, trace, run, {bee, worktree, command, directory, launcher});
		if (problem !== undefined) return failed(command, problem);
	}
	// What it staged has to be in the repository before the tree is recorded.
	for (const warning of await takeOverRun(ports, trace, run)) ports.report(warning);
	return accepted(undefined);
};

/**
 * True if the worktree was set up for this run. The tree before the run then lacks the results of the setup.
 */
export const wasSetUpFor = async (
	{git, files, colony}: Pick<DispatchPorts, 'git' | 'files' | 'colony'>,
	{agentId}: RunRecord,
	worktree: string,
): Promise<boolean> =>
	colony().workspaces !== undefined && (await files.read(await markOf(git, worktree))) === agentId;

/** The file that names the run for which the worktree was set up. */
const markOf = async (git: Git, worktree: string): Promise<string> =>
	join((await git.folders(worktree)).own, 'hive-set-up');

/** The directories in which the commands of `workspaces.setup` are supervised for a run. */
export const setupDirectories = ({root, workspaces}: Colony, traceId: string, agentId: string): string[] =>
	(workspaces?.setup ?? []).map((_, index) =>
		join(runDirectory(root, traceId, agentId), `setup-${index + 1}`),
	);

/**
 * Supervises a command in a directory like a run's own. So a retry finds how it ended, and its whole process
 * tree can be stopped.
 */
const supervise = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{
		bee,
		worktree,
		command,
		directory,
		launcher,
	}: {
		bee: Bee;
		worktree: WorktreeWithPort;
		command: readonly string[];
		directory: string;
		launcher: Launcher;
	},
): Promise<string | undefined> => {
	const {files, processes, environment} = ports;
	const {checkout: workspace, port} = worktree;
	const invocation = invocationOf(ports, trace, run, bee, {workspace, port, prompt: ''});
	await files.makeFolder(directory, {mode: 0o700});
	await processes.launch({
		runDir: directory,
		workspace,
		argv: launcher.argv(commandArgv(command, invocation)),
		env: launcher.env(agentEnvironment(environment, invocation, ports)),
	});
	const stopped = await awaitEnd(ports, trace, run, directory);
	const output = await Promise.all(
		['stdout.log', 'stderr.log'].map(async log => (await files.read(join(directory, log))) ?? ''),
	);
	if (stopped !== undefined) return `${stopped}${endOf(output.join(''))}`;
	const state = await processes.inspect(directory);
	if (state.state === 'ended' && state.exitCode === 0) return undefined;
	const how = state.state === 'ended' ? `exit code ${state.exitCode}` : 'it vanished';
	return `${how}${endOf(output.join(''))}`;
};

/**
 * Resolves when the command has ended, or was stopped after its timeout or because the run is no longer
 * wanted. Returns the reason for a stop.
 */
const awaitEnd = async (
	{bus, processes, clock}: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	directory: string,
): Promise<string | undefined> => {
	const over = new AbortController();
	let stopped: string | undefined;
	const stop = (why: string) => {
		stopped ??= why;
		over.abort();
	};
	const cancel = clock.after(setupTimeoutMs, () => stop(`stopped after ${setupTimeoutMs / 60_000} minutes`));
	const watching = (async () => {
		let now = trace;
		for await (const events of bus.follow({
			traceId: trace.traceId,
			after: trace.sequence,
			signal: over.signal,
		})) {
			now = applyEvents(now, events).trace;
			if (!isWanted(now, run)) return stop('stopped, since the run is no longer wanted');
		}
	})();
	await processes.ended(directory, over.signal);
	cancel();
	over.abort();
	await watching;
	if (stopped !== undefined) await processes.stop(directory, run.agentId);
	return stopped;
};

const isWanted = (trace: Trace, {agentId, taskId, trigger}: RunRecord): boolean => {
	const run = trace.runs.get(agentId);
	const task = taskId === undefined || trigger !== undefined ? undefined : trace.tasks.get(taskId);
	if (trace.killed || run?.status !== 'running' || run.replaced) return false;
	if (run.verifies !== undefined) return verificationOver(trace, run) === undefined;
	return task === undefined || (task.status === 'running' && task.agentId === agentId);
};

/** Maximum number of output lines in the message; the files have all. */
const reportedLines = 5;

const endOf = (output: string): string => {
	const lines = output.trim().split('\n').slice(-reportedLines).join('\n');
	return lines === '' ? '' : `:\n${lines}`;
};

const failed = (command: readonly string[], problem: string) =>
	refuse('setup_failed', {message: `workspaces.setup failed, ${command.join(' ')}: ${problem}`});
