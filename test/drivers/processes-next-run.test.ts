import {readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {linuxTable} from '../../source/drivers/processes/linux-table.ts';
import {findFamily} from '../../source/drivers/processes/stop-family.ts';
import {canAdopt, createRig, fixture, isRunning, never, type Rig} from './processes-rig.ts';

let rig: Rig;
let others: Rig[];
beforeEach(() => {
	rig = createRig();
	others = [];
});
afterEach(async () => {
	for (const one of [...others, rig]) await one.dispose();
});

/** Another run of the same process. */
const launchAnother = async (argv: readonly string[]): Promise<Rig> => {
	const other = createRig();
	others.push(other);
	await rig.processes.launch(other.launchOf(argv));
	return other;
};
const runAnother = async (argv: readonly string[]): Promise<Rig> => {
	const other = await launchAnother(argv);
	await rig.processes.ended(other.runDir, never);
	return other;
};
const supervisorOf = (one: Rig): number => one.record('started').pid;
const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
const launcherOf = (one: Rig): number => Number(/^PPid:\t(\d+)$/m.exec(statusOf(supervisorOf(one)))?.[1]);

describe.runIf(canAdopt)('the supervisor of a run that left nothing', () => {
	test('has the next one, as the first: no file is left open, and no name, folder or mode', async () => {
		await rig.launch(['sh', '-c', 'umask 0; exit 3']);
		await rig.ended();
		const pid = supervisorOf(rig);
		const stateOf = () => [
			readdirSync(`/proc/${pid}/fd`),
			readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/[\0 ]+$/, ''),
			/^Umask:.*$/m.exec(statusOf(pid))?.[0],
			/^SigIgn:.*$/m.exec(statusOf(pid))?.[0],
		];
		await expect.poll(stateOf).toContain('hive-supervisor');
		const state = stateOf();
		for (const code of [0, 1, 0]) {
			const next = await runAnother(['sh', '-c', `pwd; umask; echo "$HIVE_AGENT_ID"; exit ${code}`]);
			expect(supervisorOf(next)).toBe(pid);
			expect(next.record('exit')).toMatchObject({exitCode: code, leftNothing: true});
			expect(next.text('stdout.log').split('\n')).toEqual([
				...[next.workspace, process.umask().toString(8).padStart(4, '0'), next.agentId, ''],
			]);
		}
		await expect.poll(stateOf).toEqual(state);
	});

	test.each(['stop', 'sweep', 'freeze'] as const)(
		'has another run that no %s of the first reaches',
		async how => {
			await rig.launch(['true']);
			await rig.ended();
			const next = await launchAnother(['sleep', '600']);
			await expect.poll(() => next.exists('run/agent')).toBe(true);
			expect(supervisorOf(next)).toBe(supervisorOf(rig));
			expect((await rig.processes[how](rig.runDir, rig.agentId)) ?? 0).toBe(0);
			expect(isRunning(next.record('agent').pid)).toBe(true);
			expect(await next.inspect()).toMatchObject({state: 'alive'});
		},
	);

	test('has another run that is not taken for the first where that ends while the machine is searched', async () => {
		const go = rig.pipe();
		await rig.launch(['sh', '-c', `read -r _ <${go.path}`]);
		const next: Rig[] = [];
		const list: typeof linuxTable.list = async mark => {
			writeFileSync(go.path, 'go\n');
			await rig.ended();
			const other = await launchAnother(['sleep', '600']);
			await expect.poll(() => other.exists('run/agent')).toBe(true);
			next.push(other);
			return linuxTable.list(mark);
		};
		const {runDir, agentId} = rig;
		expect(await findFamily({...linuxTable, list}, {runDir, agentId, known: []})).toEqual([]);
		expect(next.map(supervisorOf)).toEqual([supervisorOf(rig)]);
	});

	test('ends with the process that launched it where it has none', async () => {
		await rig.launch(['true']);
		await rig.ended();
		const pid = supervisorOf(rig);
		expect(isRunning(pid)).toBe(true);
		process.kill(launcherOf(rig), 'SIGKILL');
		await expect.poll(() => isRunning(pid)).toBe(false);
	});

	test('is one of few that wait', async () => {
		const go = Array.from({length: 12}, () => rig.pipe());
		const runs = await Promise.all(go.map(({path}) => launchAnother(['sh', '-c', `read -r _ <${path}`])));
		const launcher = launcherOf(runs[0] ?? rig);
		const there = () => readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').split(' ');
		expect(there().length).toBeGreaterThan(12);
		for (const {path} of go) writeFileSync(path, 'go\n');
		await expect.poll(() => there().filter(Boolean).length).toBe(6);
	});
});

describe.runIf(canAdopt)('the next run has another supervisor', () => {
	test('where the one before left something, which the first stays with', async () => {
		const output = rig.pipe();
		await rig.launch([fixture('leave-hidden-daemon.pl'), output.path]);
		await output.next();
		await rig.ended();
		const next = await runAnother(['true']);
		expect(supervisorOf(next)).not.toBe(supervisorOf(rig));
		expect(isRunning(supervisorOf(rig))).toBe(true);
		expect(await rig.sweep()).toBeGreaterThan(0);
		await expect.poll(() => isRunning(supervisorOf(rig))).toBe(false);
	});

	test('where the one before was asked to stop', async () => {
		await rig.launch(['sleep', '600']);
		await rig.stop(1000);
		expect(rig.record('exit')).toMatchObject({leftNothing: true});
		expect(supervisorOf(await runAnother(['true']))).not.toBe(supervisorOf(rig));
	});

	test('where the directory of the one before was put elsewhere', async () => {
		const go = rig.pipe();
		await rig.launch(['sh', '-c', `read -r _ <${go.path}`]);
		await expect.poll(() => rig.exists('run/agent')).toBe(true);
		const pid = supervisorOf(rig);
		renameSync(rig.runDir, join(rig.folder, 'elsewhere'));
		writeFileSync(go.path, 'go\n');
		await expect.poll(() => isRunning(pid)).toBe(false);
		renameSync(join(rig.folder, 'elsewhere'), rig.runDir);
		expect(supervisorOf(await runAnother(['true']))).not.toBe(pid);
	});
});
