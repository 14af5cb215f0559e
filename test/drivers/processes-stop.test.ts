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

/** True if the system's perl can end a single thread. */
const hasThreads =
	canAdopt && spawnSync('/usr/bin/perl', ['-Mthreads', '-e', 'require "syscall.ph"']).status === 0;

/** True if the process exists; unlike `isRunning`, also for a zombie. */
const isThere = (pid: number): boolean => spawnSync('ps', ['-p', String(pid)]).status === 0;

describe('stopping a run', () => {
	test('lets an agent that handles TERM end in its own way', async () => {
		const pipe = rig.pipe();
		await rig.launch(['sh', '-c', 'trap "exit 9" TERM; echo ready >"$0"; sleep 600 & wait', pipe.path]);
		await pipe.next();
		await rig.stop();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 9});
	});

	test('kills an agent that ignores TERM after the grace period, and the supervisor records that', async () => {
		const pid = await launchAndReadPid('ignore-term.sh');
		await rig.stop(50);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 137});
	});

	test('reaches a descendant that forked twice, has its own session and ignores TERM', async () => {
		const pid = await launchAndReadPid('leave-daemon.sh', 'stay');
		await rig.stop();
		expect(isRunning(pid)).toBe(false);
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
	});

	test.runIf(canAdopt)('reaches a descendant without any mark of the run', async () => {
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

	test.runIf(canAdopt)('before it began reaches processes that were started beside it', async () => {
		const beside = join(rig.runDir, 'setup-1');
		mkdirSync(beside);
		const pipe = rig.pipe();
		await rig.launch([fixture('leave-hidden-daemon.pl'), pipe.path], {runDir: beside});
		const pid = Number(await pipe.next());
		await rig.stop();
		expect(isRunning(pid)).toBe(false);
	});

	test('reaches an unmarked child in the process group', async () => {
		const pid = await launchAndReadPid('unmarked-child.sh');
		await rig.stop(50);
		expect(isRunning(pid)).toBe(false);
	});

	test('that is interrupted before it ends an unmarked child is completed by the next sweep', async () => {
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

	test('from two processes at once has the same effect as from one', async () => {
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

	test('before it began prevents its start for ever', async () => {
		await rig.stop();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
		const argv = ['sh', '-c', `touch ${join(rig.folder, 'ran')}`];
		const late = await startAnother(rig.launchOf(argv));
		await late.gone;
		expect(rig.exists('ran')).toBe(false);
		expect(rig.record('exit')).toMatchObject({exitCode: 143});
	});

	test('during its launch leaves either no agent or a dead one', async () => {
		await Promise.all([rig.launch(['sleep', '600']), rig.stop()]);
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 143});
	});
});

describe('sweeping after the end of a run', () => {
	test('stops and counts a daemon that the agent left', async () => {
		const pid = await launchAndReadPid('leave-daemon.sh');
		await rig.ended();
		expect(isRunning(pid)).toBe(true);
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
		expect(await rig.sweep()).toBe(0);
	});

	test.runIf(canAdopt)('stops and counts a daemon without any mark of the run', async () => {
		const pid = await launchAndReadPid('leave-hidden-daemon.pl');
		await rig.ended();
		expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(rig.agentId);
		expect(isRunning(pid)).toBe(true);
		expect(await rig.sweep()).toBe(1);
		expect(isRunning(pid)).toBe(false);
	});

	test.runIf(canAdopt)(
		'leaves a program that may stay running, even if it carries no mark of the run',
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

	test.runIf(canAdopt)('by another process has the same effect, however late', async () => {
		const pid = await launchAndReadPid('leave-hidden-daemon.pl');
		await rig.ended();
		const other = createProcesses({clock: createSystemClock()});
		expect(await other.sweep(rig.runDir, rig.agentId)).toBe(1);
		expect(isRunning(pid)).toBe(false);
	});

	test.runIf(canAdopt)(
		'ends the supervisor, which otherwise stays while it has children to adopt',
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
		'finds nothing after an unrecorded end, since the supervisor already stopped everything',
		async () => {
			const pipe = rig.pipe();
			// The agent ends only once the daemon exists.
			const script =
				'mkdir "$1/exit.tmp"; mkfifo "$1/word"; "$0" "$1/word"; read -r pid <"$1/word"; echo "$pid" >"$2"';
			await rig.launch(['sh', '-c', script, fixture('leave-hidden-daemon.pl'), rig.runDir, pipe.path]);
			const pid = Number(await pipe.next());
			await rig.ended();
			expect(await rig.inspect()).toEqual({state: 'vanished'});
			expect(isRunning(pid)).toBe(false);
		},
	);

	test('leaves programs that may stay', async () => {
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
