import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createProcesses} from '../../source/drivers/processes/processes.ts';
import {canAdopt, createRig, fixture, isRunning, type Rig, startAnother} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const launchAndReadPid = async (name: string, ...more: string[]): Promise<number> => {
	const pipe = rig.pipe();
	await rig.launch([fixture(name), pipe.path, ...more]);
	return Number(await pipe.next());
};

/** Whether the system's perl can end one of its threads alone. */
const hasThreads =
	canAdopt && spawnSync('/usr/bin/perl', ['-Mthreads', '-e', 'require "syscall.ph"']).status === 0;

/** Unlike `isRunning`, of one that is reported as a zombie, too. */
const isThere = (pid: number): boolean => spawnSync('ps', ['-p', String(pid)]).status === 0;

describe('stopping a run', () => {
	test('lets an agent that heeds TERM end in its own way', async () => {
		const pipe = rig.pipe();
		await rig.launch(['sh', '-c', 'trap "exit 9" TERM; echo ready >"$0"; sleep 600 & wait', pipe.path]);
		await pipe.next();
		await rig.stop();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 9});
	});

	test('kills an agent that ignores TERM after the grace, and its supervisor records that', async () => {
		const pid = await launchAndReadPid('ignore-term.sh');
		await rig.stop(50);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 137});
	});

	test('reaches a descendant that forked twice, made its own session and ignores TERM', async () => {
		const pid = await launchAndReadPid('leave-daemon.sh', 'stay');
		await rig.stop();
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
	});

	test.runIf(canAdopt)('reaches a descendant that nothing on it shows whose it is', async () => {
		const pid = await launchAndReadPid('leave-hidden-daemon.pl', 'stay');
		await rig.stop(50);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
	});

	test.runIf(hasThreads)('reaches an agent whose first thread has ended', async () => {
		const pid = await launchAndReadPid('end-first-thread.pl');
		await rig.stop(50);
		expect(isThere(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 137});
	});

	test.runIf(canAdopt)('that never began reaches what was started beside it', async () => {
		const beside = join(rig.runDir, 'setup-1');
		mkdirSync(beside);
		const pipe = rig.pipe();
		await rig.launch([fixture('leave-hidden-daemon.pl'), pipe.path], {runDir: beside});
		const pid = Number(await pipe.next());
		await rig.stop();
		expect(isRunning(pid)).toBe(false);
	});

	test('reaches a child of the group that carries no mark', async () => {
		const pid = await launchAndReadPid('unmarked-child.sh');
		await rig.stop(50);
		expect(isRunning(pid)).toBe(false);
	});

	test('that is cut short while a child without mark outlives its agent is ended by the next sweep', async () => {
		const pid = await launchAndReadPid('unmarked-child.sh');
		const slow = rig.stop(30_000);
		await rig.ended();
		expect(isRunning(pid)).toBe(true);
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
		await slow;
	});

	test('spares the processes of other runs', async () => {
		const other = createRig();
		const pipe = other.pipe();
		await other.launch([fixture('ignore-term.sh'), pipe.path]);
		const stranger = Number(await pipe.next());
		await launchAndReadPid('ignore-term.sh');
		await rig.stop(50);
		expect(isRunning(stranger)).toBe(true);
		await other.dispose();
	});

	test('by two processes at once does the same as by one', async () => {
		const pid = await launchAndReadPid('ignore-term.sh');
		const other = createProcesses({clock: createSystemClock()});
		await Promise.all([rig.stop(50), other.stop(rig.runDir, rig.agentId, 50), rig.stop(50)]);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 137});
	});

	test('again after the end changes nothing', async () => {
		await rig.launch(['true']);
		await rig.ended();
		const exit = rig.text('exit');
		await rig.stop();
		expect(rig.text('exit')).toBe(exit);
	});

	test('before it began keeps it from ever beginning', async () => {
		await rig.stop();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
		const argv = ['sh', '-c', `touch ${join(rig.folder, 'ran')}`];
		const late = await startAnother(rig.launchOf(argv));
		await late.gone;
		expect(rig.exists('ran')).toBe(false);
		expect(rig.record('exit')).toMatchObject({exitCode: 143});
	});

	test('racing with its launch leaves either no agent or a dead one', async () => {
		await Promise.all([rig.launch(['sleep', '600']), rig.stop()]);
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
	});
});

describe('sweeping after the end', () => {
	test('stops a daemon that the agent left, and counts it', async () => {
		const pid = await launchAndReadPid('leave-daemon.sh');
		await rig.ended();
		expect(isRunning(pid)).toBe(true);
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.sweep()).toBe(0);
	});

	test.runIf(canAdopt)('stops a daemon that nothing on it shows whose it is, and counts it', async () => {
		const pid = await launchAndReadPid('leave-hidden-daemon.pl');
		await rig.ended();
		expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(rig.agentId);
		expect(isRunning(pid)).toBe(true);
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
	});

	test.runIf(canAdopt)(
		'leaves what it is asked to leave, though nothing on it shows whose it is',
		async () => {
			const pid = await launchAndReadPid('leave-hidden-daemon.pl');
			await rig.ended();
			const [program = ''] = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], {encoding: 'utf8'}).split(
				'\n',
			);
			expect(await rig.sweep([program])).toBe(0);
			expect(isRunning(pid)).toBe(true);
		},
	);

	test.runIf(canAdopt)('by another process does the same, however late', async () => {
		const pid = await launchAndReadPid('leave-hidden-daemon.pl');
		await rig.ended();
		const other = createProcesses({clock: createSystemClock()});
		expect(await other.sweep(rig.runDir, rig.agentId)).toBe(1);
		expect(isRunning(pid)).toBe(false);
	});

	test.runIf(canAdopt)(
		'has the supervisor go, which stays as long as there is anything to adopt',
		async () => {
			await launchAndReadPid('leave-hidden-daemon.pl');
			await rig.ended();
			const {pid} = rig.record('started');
			await expect.poll(() => readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
			for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.kill(pid, signal);
			expect(await rig.sweep()).toBe(1);
			await expect.poll(() => isRunning(pid)).toBe(false);
		},
	);

	test.runIf(canAdopt)(
		'of a run whose end could not be recorded finds nothing left: its supervisor took it along',
		async () => {
			const pipe = rig.pipe();
			// It ends only once the daemon is there.
			const script =
				'mkdir "$1/exit.tmp"; mkfifo "$1/word"; "$0" "$1/word"; read -r pid <"$1/word"; echo "$pid" >"$2"';
			await rig.launch(['sh', '-c', script, fixture('leave-hidden-daemon.pl'), rig.runDir, pipe.path]);
			const pid = Number(await pipe.next());
			await rig.ended();
			expect(await rig.inspect()).toEqual({state: 'vanished'});
			expect(isRunning(pid)).toBe(false);
		},
	);

	test('leaves the programs it is asked to leave', async () => {
		const pid = await launchAndReadPid('leave-daemon.sh');
		await rig.ended();
		await expect.poll(() => readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
		expect(await rig.sweep(['sleep'])).toBe(0);
		expect(isRunning(pid)).toBe(true);
	});

	test('stops the agent of a run whose supervisor vanished', async () => {
		const pid = await launchAndReadPid('ignore-term.sh');
		process.kill(rig.record('started').pid, 'SIGKILL');
		await rig.ended();
		expect(await rig.inspect()).toEqual({state: 'vanished'});
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
	});
});
