import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {linuxTable} from '../../source/drivers/processes/linux-table.ts';
import type {Prepared} from '../../source/ports/processes.ts';
import {buildProgram, createRig, isRunning, plainEnvironment, type Rig} from './processes-rig.ts';

let rig: Rig;
beforeEach(async () => {
	rig = createRig();
	git('init', '--quiet');
	write('tracked', 'one');
	git('add', '-A');
	// Nothing can be prepared before the first launch.
	const first = createRig();
	await rig.processes.launch(first.launchOf(['sleep', '600']));
	await expect.poll(() => first.exists('run/started')).toBe(true);
	launcher = parentOf(first.record('started').pid);
	await first.dispose();
});
afterEach(() => rig.dispose());

let launcher: number;
const git = (...args: string[]): string =>
	execFileSync('git', args, {cwd: rig.workspace, env: plainEnvironment(), encoding: 'utf8'}).trim();
const write = (name: string, text: string): void => writeFileSync(join(rig.workspace, name), text);
const parentOf = (pid: number): number =>
	Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const childrenOf = (pid: number): number[] =>
	readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
/** The folder that a process works in: a supervisor that nobody has asked for has none of its own. */
const folderOf = (pid: number): string =>
	execFileSync('readlink', [`/proc/${pid}/cwd`], {encoding: 'utf8'}).trim();
const inWorkspace = (): number[] =>
	childrenOf(launcher).filter(pid => isRunning(pid) && folderOf(pid) === rig.workspace);

/** A supervisor that has looked at the workspace. */
const prepare = async (): Promise<{prepared: Prepared; pid: number}> => {
	const prepared = rig.processes.prepare({workspace: rig.workspace, recordTrees: true});
	if (prepared === undefined) throw new Error('Nothing was prepared.');
	const indexes = () =>
		readdirSync(join(rig.workspace, '.git/hive')).filter(name => name.startsWith('index'));
	await expect.poll(inWorkspace).toHaveLength(1);
	const [pid = 0] = inWorkspace();
	// What becomes the agent waits, too.
	await expect.poll(() => [childrenOf(pid).length, indexes()]).toEqual([1, []]);
	return {prepared, pid};
};
const launched = (more: Parameters<Rig['launchOf']>[1] = {}) =>
	rig.launchOf(['sh', '-c', 'echo two >tracked'], {recordTrees: true, ...more});

describe.runIf(process.platform === 'linux')('a supervisor that was prepared', () => {
	test('starts the run, whose tree before it is what was there then', async () => {
		const {prepared, pid} = await prepare();
		expect(readdirSync(rig.runDir)).toEqual([]);
		write('tracked', 'meanwhile');
		await prepared.launch(launched());
		await rig.ended();
		expect(rig.record('started').pid).toBe(pid);
		expect(git('show', `${rig.text('before').trim()}:tracked`)).toBe('one');
		expect(git('show', `${rig.text('after').trim()}:tracked`)).toBe('two');
	});

	test('is older than its run, whose age is its own', async () => {
		const {prepared, pid} = await prepare();
		const {startTime = ''} = (await linuxTable.find(pid)) ?? {};
		await expect.poll(() => linuxTable.ageOf(startTime)).toBeGreaterThan(200);
		const launchedAt = linuxTable.now();
		await prepared.launch(rig.launchOf(['sleep', '600'], {recordTrees: true}));
		const found = await rig.inspect();
		expect(found).toMatchObject({state: 'alive', supervisor: {pid}});
		expect(found.state === 'alive' && found.age).toBeLessThanOrEqual(linuxTable.ageOf(launchedAt));
	});

	test('is gone when it is dropped, or when its launcher is, and has written nothing', async () => {
		const {prepared, pid} = await prepare();
		prepared.drop();
		await expect.poll(() => isRunning(pid)).toBe(false);
		const other = await prepare();
		process.kill(launcher, 'SIGKILL');
		await expect.poll(() => isRunning(other.pid)).toBe(false);
		expect(readdirSync(rig.runDir)).toEqual([]);
	});

	test.each<[string, (pid: number, prepared: Prepared) => void]>([
		['it is gone by then', pid => process.kill(pid, 'SIGKILL')],
		['its launcher is gone by then', () => process.kill(launcher, 'SIGKILL')],
		['it was dropped', (_, prepared) => prepared.drop()],
	])('leaves the run to another where %s', async (_, end) => {
		const {prepared, pid} = await prepare();
		end(pid, prepared);
		await expect.poll(() => isRunning(pid)).toBe(false);
		await prepared.launch(launched());
		await rig.ended();
		expect(rig.record('started').pid).not.toBe(pid);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 0});
	});

	test('leaves the run to another where that is in another folder, or keeps no trees', async () => {
		const elsewhere = join(rig.workspace, 'folder');
		mkdirSync(elsewhere);
		for (const more of [{workspace: elsewhere}, {recordTrees: false}]) {
			const {prepared, pid} = await prepare();
			await prepared.launch(launched(more));
			await rig.ended();
			expect(rig.record('started').pid).not.toBe(pid);
			await expect.poll(() => isRunning(pid)).toBe(false);
			rmSync(rig.runDir, {recursive: true});
			mkdirSync(rig.runDir);
		}
	});

	test('begins no run that was stopped before', async () => {
		const {prepared, pid} = await prepare();
		await rig.stop(0);
		await prepared.launch(launched());
		await expect.poll(() => isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', neverBegan: true});
		expect(readFileSync(join(rig.workspace, 'tracked'), 'utf8')).toBe('one');
	});

	test('ends with the process that had it prepared', async () => {
		const program = await buildProgram(
			rig.folder,
			`
			import {createSystemClock} from '../../source/drivers/clock.ts';
			import {createProcesses} from '../../source/drivers/processes/processes.ts';
			const {launch, prepare} = createProcesses({clock: createSystemClock()});
			await launch(JSON.parse(process.argv[2]));
			prepare({workspace: process.argv[3], recordTrees: false});
			process.stdout.write('prepared');
			process.kill(process.pid, 'SIGKILL');
			`,
		);
		const folder = join(rig.folder, 'alone');
		mkdirSync(folder);
		try {
			execFileSync('node', [program, JSON.stringify(rig.launchOf(['true'])), folder]);
		} catch {
			// It was killed.
		}
		const there = () =>
			execFileSync('sh', ['-c', `ls -l /proc/*/cwd 2>&1 | grep -c -- '-> ${folder}$' || :`]);
		await expect.poll(() => String(there()).trim()).toBe('0');
	});
});

test('nothing is prepared before anything was launched', () => {
	expect(createRig().processes.prepare({workspace: rig.workspace, recordTrees: false})).toBeUndefined();
});
