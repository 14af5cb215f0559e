import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createLauncher, type Moment} from '../../source/drivers/processes/launcher.ts';
import {canAdopt} from '../../source/drivers/processes/launcher-program.ts';
import {createProcesses, which} from '../../source/drivers/processes/processes.ts';
import {randomHex} from '../../source/drivers/random.ts';
import type {Launch} from '../../source/ports/processes.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/agents/process');

export const fixture = (name: string): string => join(fixtures, name);

/** When runs begin whose age nobody asks for. */
export const moment: Moment = {at: 'now', since: '0'};

export const never = new AbortController().signal;

/** A run of its own in a folder of its own, with real processes. */
export const createRig = () => {
	const folder = mkdtempSync(join(tmpdir(), 'hive-processes-'));
	const runDir = join(folder, 'run');
	const workspace = join(folder, 'workspace');
	mkdirSync(runDir);
	mkdirSync(workspace);
	const agentId = randomHex(16);
	const processesIn = (environment: Readonly<Record<string, string>>) =>
		createProcesses({clock: createSystemClock(), launcher: createLauncher(which, environment)});
	const processes = processesIn(plainEnvironment());
	const launchOf = (argv: readonly string[], more: Partial<Launch> = {}): Launch => ({
		runDir,
		workspace,
		argv,
		env: {...plainEnvironment(), HIVE_AGENT_ID: agentId},
		recordTrees: false,
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
		/** A whole run, whose trees are taken by a git with that environment, which is the agent's too. */
		runIn: async (
			environment: Readonly<Record<string, string>>,
			argv: readonly string[],
			more: Partial<Launch> = {},
		) => {
			const {launch, ended} = processesIn(environment);
			const run = launchOf(argv, {env: environment, recordTrees: true, ...more});
			await launch(run);
			await ended(run.runDir, never);
		},
		ended: () => processes.ended(runDir, never),
		stop: (grace?: number) => processes.stop(runDir, agentId, grace),
		sweep: (leave?: readonly string[]) => processes.sweep(runDir, agentId, leave),
		inspect: () => processes.inspect(runDir),
		/** Text of a file in the run directory. */
		text: (name: string) => readFileSync(join(runDir, name), 'utf8'),
		record: (name: string) => JSON.parse(readFileSync(join(runDir, name), 'utf8')),
		exists: (name: string) => existsSync(join(folder, name)),
		/** A named pipe; `next` resolves with what is written to it before it is closed. */
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

/** Bundles a program that uses this project's sources, and returns its file. */
export const buildProgram = async (folder: string, contents: string): Promise<string> => {
	const outfile = join(folder, 'program.mjs');
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

if (!canAdopt) console.warn('No orphan can be adopted here (Linux only): the tests of that are skipped.');

export {canAdopt};

/** A zombie counts as gone: who started it has not looked yet. */
export const isRunning = (pid: number): boolean => {
	try {
		const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
		return !state.trim().startsWith('Z');
	} catch {
		return false;
	}
};
