import {execFile, execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createProcesses} from '../../source/drivers/processes/processes.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {captureBefore} from '../../source/workspaces/trees/run-trees.ts';
import {median, quantile} from './median.ts';
import type {Row} from './row.ts';

/**
 * The work of hive between `task.ready` and the launch, such as the ledger's part. Raw spawns do without it.
 */
export type BeforeLaunch = () => Promise<void>;

/** Rows 15 and 16 of docs/performance.md. */
export const benchProcesses = async (beforeLaunch: BeforeLaunch = async () => {}): Promise<Row[]> => [
	await inFolder(folder => benchLaunch(folder, beforeLaunch)),
	await inFolder(folder => benchBaseline(folder, beforeLaunch)),
];

const git = createGit();
const processes = createProcesses({
	clock: createSystemClock(),
	program: resolve('source/drivers/processes/supervisor.pl'),
});
const never = new AbortController().signal;

const benchLaunch = async (folder: string, beforeLaunch: BeforeLaunch): Promise<Row> => {
	const raw: number[] = [];
	const hive: number[] = [];
	for (let round = 0; round < 100; round++) {
		const begin = performance.now();
		const child = spawn('/bin/sh', ['-c', 'exit'], {cwd: folder, detached: true, stdio: 'ignore'});
		const gone = once(child, 'exit');
		await once(child, 'spawn');
		raw.push(performance.now() - begin);
		await gone;
		hive.push(
			await timed(async () => {
				await beforeLaunch();
				await launchRun(folder, round, ['sh', '-c', 'exit']);
			}),
		);
		await processes.ended(runDirOf(folder, round), never);
	}
	return compare(15, 'run directory and launch to supervisor spawned / raw spawn', 1.6, hive, raw);
};

/** Times both until the agent reports its start through a pipe, in a repository of 5,000 files. */
const benchBaseline = async (folder: string, beforeLaunch: BeforeLaunch): Promise<Row> => {
	await createRepository(folder);
	const pipe = join(folder, '.git', 'pipe');
	execFileSync('mkfifo', [pipe]);
	const agent = ['sh', '-c', 'echo begun >"$0"', pipe];
	const raw: number[] = [];
	const hive: number[] = [];
	for (let round = 0; round < 30; round++) {
		raw.push(
			await timed(async () => {
				await promisify(execFile)('git', ['status', '--porcelain', '-z'], {cwd: folder});
				spawn('/bin/sh', agent.slice(1), {cwd: folder, detached: true, stdio: 'ignore'}).unref();
				await readFile(pipe);
			}),
		);
		hive.push(
			await timed(async () => {
				await beforeLaunch();
				const run = {traceId: 'bench', agentId: `bench-${round}`, workspace: folder};
				await launchRun(folder, round, agent, () => captureBefore(git, run, () => false));
				await readFile(pipe);
			}),
		);
		await processes.ended(runDirOf(folder, round), never);
	}
	return compare(16, 'launch with the tree recorded to agent begun / git status and spawn', 1.6, hive, raw);
};

const runDirOf = (folder: string, round: number): string => join(folder, '.git', 'runs', String(round));

const launchRun = async (
	folder: string,
	round: number,
	argv: string[],
	look?: Launch['capture'],
): Promise<void> => {
	const runDir = runDirOf(folder, round);
	await mkdir(runDir, {recursive: true});
	const env = {PATH: process.env.PATH ?? '', HOME: folder, HIVE_AGENT_ID: `bench-${round}`};
	await processes.launch({runDir, workspace: folder, argv, env, ...(look && {capture: look})});
};

const createRepository = async (folder: string): Promise<void> => {
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], {
			cwd: folder,
		});
	git('init', '--quiet');
	for (let index = 0; index < 50; index++) {
		const sub = join(folder, `folder-${index}`);
		await mkdir(sub);
		await Promise.all(
			Array.from({length: 100}, (_, file) => writeFile(join(sub, `${file}`), `${index} ${file}\n`)),
		);
	}
	git('add', '-A');
	git('commit', '--quiet', '--message', 'first');
	// A second refresh makes the index newer than the files, so that git need not read them again.
	git('update-index', '--really-refresh');
};

const compare = (row: number, name: string, limit: number, hive: number[], raw: number[]): Row => {
	const ratio = median(hive) / median(raw);
	const show = (values: number[]) =>
		`${median(values).toFixed(2)} ms (p99 ${quantile(values, 0.99).toFixed(2)})`;
	const detail = `hive ${show(hive)}, raw ${show(raw)}, ${hive.length} rounds`;
	return {row, name, ratio, target: `<= ${limit}`, met: ratio <= limit, detail};
};

const timed = async (work: () => Promise<void>): Promise<number> => {
	const begin = performance.now();
	await work();
	return performance.now() - begin;
};

const inFolder = async (bench: (folder: string) => Promise<Row>): Promise<Row> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-bench-'));
	try {
		return await bench(folder);
	} finally {
		await rm(folder, {recursive: true});
	}
};
