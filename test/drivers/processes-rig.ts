import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createProcesses, which} from '../../source/drivers/processes/processes.ts';
import {
	canReapOrphans,
	startSupervisor,
	supervisorProgram,
} from '../../source/drivers/processes/supervisor.ts';
import {randomHex} from '../../source/drivers/random.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {captureBefore} from '../../source/workspaces/trees/run-trees.ts';
import {builtProgram} from '../helpers/run-hive.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/agents/process');

export const fixture = (name: string): string => join(fixtures, name);

/** Starts another supervisor for a run. */
export const startAnother = (launch: Launch) =>
	startSupervisor({which, environment: plainEnvironment(), program: supervisorProgram}, launch, 'now');

export const never = new AbortController().signal;

/** A run in its own folder, with real processes. */
export const createRig = () => {
	const folder = mkdtempSync(join(tmpdir(), 'hive-processes-'));
	const runDir = join(folder, 'run');
	const workspace = join(folder, 'workspace');
	mkdirSync(runDir);
	mkdirSync(workspace);
	const agentId = randomHex(16);
	const processesIn = (environment: Readonly<Record<string, string>>) =>
		createProcesses({clock: createSystemClock(), environment});
	const processes = processesIn(plainEnvironment());
	const launchOf = (argv: readonly string[], more: Partial<Launch> = {}): Launch => ({
		runDir,
		workspace,
		argv,
		env: {...plainEnvironment(), HIVE_AGENT_ID: agentId},
		...more,
	});
	return {
		folder,
		runDir,
		workspace,
		agentId,
		processes,
		launchOf,
		launch: (argv: readonly string[], more: Partial<Launch> = {}) => processes.launch(launchOf(argv, more)),
		/** Runs to the end and records both trees; git and the agent have the given environment. */
		runRecorded: async (argv: readonly string[], {folder = workspace, env = plainEnvironment()} = {}) => {
			const run = {traceId: 'trace-1', agentId, workspace: folder};
			const {launch, ended} = processesIn(env);
			await launch({
				...launchOf(argv, {workspace: folder, env: {...env, HIVE_AGENT_ID: agentId}}),
				capture: async () => {
					const {files, folders} = await captureBefore(createGit(env), run, () => false);
					const job = JSON.stringify({...run, ...folders, runDir, machineDir: folder});
					const argv = [process.execPath, builtProgram('take-tree.cjs')];
					return {files, ...(folders && {after: {argv, input: job}})};
				},
			});
			await ended(runDir, never);
		},
		ended: () => processes.ended(runDir, never),
		stop: (grace?: number) => processes.stop(runDir, agentId, grace),
		sweep: (leave?: readonly string[]) => processes.sweep(runDir, agentId, leave),
		inspect: () => processes.inspect(runDir),
		/** Returns the text of a file in the run directory. */
		text: (name: string) => readFileSync(join(runDir, name), 'utf8'),
		record: (name: string) => JSON.parse(readFileSync(join(runDir, name), 'utf8')),
		exists: (name: string) => existsSync(join(folder, name)),
		/** Creates a named pipe; `next` resolves with the next text written to it. */
		pipe: () => {
			const path = join(folder, `pipe-${randomHex(8)}`);
			execFileSync('mkfifo', [path]);
			return {path, next: async () => (await readFile(path, 'utf8')).trim()};
		},
		dispose: async () => {
			await processes.stop(runDir, agentId, 0);
			rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
		},
	};
};

/** Bundles a program that imports sources of this project, and returns its file. */
export const buildProgram = async (folder: string, contents: string): Promise<string> => {
	const outfile = join(folder, 'program.mjs');
	copyFileSync(supervisorProgram, join(folder, 'supervisor.pl'));
	await build({
		stdin: {contents, resolveDir: import.meta.dirname, loader: 'ts'},
		bundle: true,
		platform: 'node',
		format: 'esm',
		outfile,
	});
	return outfile;
};

export type Rig = ReturnType<typeof createRig>;

export const plainEnvironment = (): Record<string, string> => ({
	PATH: process.env.PATH ?? '',
	HOME: tmpdir(),
});

if (!canReapOrphans)
	console.warn('No orphan can be adopted here (Linux only): the tests of that are skipped.');

export {canReapOrphans as canAdopt};

/** True unless the process is gone or a zombie, which its parent has not reaped yet. */
export const isRunning = (pid: number): boolean => {
	try {
		const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
		return !state.trim().startsWith('Z');
	} catch {
		return false;
	}
};
