import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createProcesses} from '../../source/drivers/processes/processes.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {buildProgram, canAdopt, createRig, fixture, isRunning, never, type Rig} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const neverLooks: Clock = {...createSystemClock(), after: () => () => {}};

/** Launches from another process, which is killed right afterwards. */
const launchFromElsewhere = async (launch: Launch): Promise<void> => {
	const contents = `
		import {createSystemClock} from '../../source/drivers/clock.ts';
		import {createProcesses} from '../../source/drivers/processes/processes.ts';
		await createProcesses({clock: createSystemClock()}).launch(JSON.parse(process.argv[2]));
		process.kill(process.pid, 'SIGKILL');
	`;
	const program = await buildProgram(rig.folder, contents);
	const launcher = spawn(process.execPath, [program, JSON.stringify(launch)], {stdio: 'inherit'});
	expect(await once(launcher, 'exit')).toEqual([null, 'SIGKILL']);
};

test('a run survives its launcher, and another process sees it alive and sees its end', async () => {
	const starts = join(rig.folder, 'starts');
	const ready = rig.pipe();
	const pipe = rig.pipe();
	const script = `echo ready >${ready.path}; ${fixture('wait-for-word.sh')} ${starts} ${pipe.path}; exit 5`;
	await launchFromElsewhere(rig.launchOf(['sh', '-c', script]));
	await ready.next();
	expect(await rig.inspect()).toMatchObject({state: 'alive'});
	const end = rig.ended();
	writeFileSync(pipe.path, 'go\n');
	await end;
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 5});
});

test("the end of another process's run is noticed through its directory, long before the slow poll", async () => {
	const pipe = rig.pipe();
	await rig.launch([fixture('wait-for-word.sh'), join(rig.folder, 'starts'), pipe.path]);
	const other = createProcesses({clock: neverLooks});
	const word = async () => writeFileSync(pipe.path, 'go\n');
	await word();
	await other.ended(rig.runDir, never);
	expect(await other.inspect(rig.runDir)).toMatchObject({state: 'ended', exitCode: 0});
});

test('the death of a killed supervisor is found by other processes when they poll', async () => {
	const pipe = rig.pipe();
	await rig.launch([fixture('ignore-term.sh'), pipe.path]);
	await pipe.next();
	let lookSlowly = () => {};
	const after: Clock['after'] = (_, call) => {
		lookSlowly = call;
		return () => {};
	};
	const other = createProcesses({clock: {...createSystemClock(), after}});
	const end = other.ended(rig.runDir, never);
	expect(await other.inspect(rig.runDir)).toMatchObject({state: 'alive'});
	process.kill(rig.record('started').pid, 'SIGKILL');
	await rig.ended();
	lookSlowly();
	await end;
	expect(await rig.inspect()).toEqual({state: 'vanished'});
	expect(await other.inspect(rig.runDir)).toEqual({state: 'vanished'});
});

test('a process with the reused pid of a supervisor or agent is not mistaken for it, and not signalled', async () => {
	const stranger = spawn('sleep', ['600']);
	const {pid = 0} = stranger;
	const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
	writeFileSync(join(rig.runDir, 'started'), JSON.stringify({pid, startTime: '1', bootId}));
	writeFileSync(join(rig.runDir, 'agent'), JSON.stringify({pid, startTime: '1'}));
	expect(await rig.inspect()).toEqual({state: 'vanished'});
	await rig.stop(0);
	expect(await rig.sweep()).toBe(0);
	expect(isRunning(pid)).toBe(true);
	stranger.kill();
});

test('a supervisor of an earlier boot counts as dead, even with the pid and start time of a live process', async () => {
	const pipe = rig.pipe();
	await rig.launch([fixture('ignore-term.sh'), pipe.path]);
	await pipe.next();
	const forged = createRig();
	writeFileSync(join(forged.runDir, 'started'), JSON.stringify({...rig.record('started'), bootId: 'before'}));
	writeFileSync(join(forged.runDir, 'agent'), rig.text('agent'));
	expect(await forged.inspect()).toEqual({state: 'vanished'});
	await forged.dispose();
	expect(await rig.inspect()).toMatchObject({state: 'alive'});
});

test('the launcher of a killed supervisor is notified at once', async () => {
	const pipe = rig.pipe();
	const launcher = createProcesses({clock: neverLooks});
	await launcher.launch(rig.launchOf([fixture('ignore-term.sh'), pipe.path]));
	await pipe.next();
	const end = launcher.ended(rig.runDir, never);
	process.kill(rig.record('started').pid, 'SIGKILL');
	await end;
	expect(await launcher.inspect(rig.runDir)).toEqual({state: 'vanished'});
});

test('a second launcher of a run is notified of its end through its directory', async () => {
	const pipe = rig.pipe();
	const argv = [fixture('wait-for-word.sh'), join(rig.folder, 'starts'), pipe.path];
	await rig.launch(argv);
	const other = createProcesses({clock: neverLooks});
	await other.launch(rig.launchOf(argv));
	const end = other.ended(rig.runDir, never);
	writeFileSync(pipe.path, 'go\n');
	await end;
	expect(await rig.inspect()).toMatchObject({state: 'ended'});
	expect(readFileSync(join(rig.folder, 'starts'), 'utf8').trim().split('\n')).toHaveLength(1);
});

test('a damaged start record makes a run vanished, and not startable again', async () => {
	writeFileSync(join(rig.runDir, 'started'), '{"pid":');
	expect(await rig.inspect()).toEqual({state: 'vanished'});
});

test.runIf(canAdopt)(
	'processes in the terminal of a session have a moment to end, even if the session files are removed',
	async () => {
		const word = rig.pipe();
		writeFileSync(join(rig.runDir, 'session.json'), '{}');
		const script = 'rm "$0"; sh -c \'read -r word <"$0"\' "$1" & kill -KILL $$';
		await rig.launch(['sh', '-c', script, join(rig.runDir, 'session.json'), word.path]);
		await expect
			.poll(() => existsSync(join(rig.runDir, 'agent')) && !isRunning(rig.record('agent').pid))
			.toBe(true);
		writeFileSync(word.path, 'go\n');
		await rig.ended();
		expect(rig.record('exit')).toMatchObject({exitCode: 137, leftNothing: true});
	},
);
