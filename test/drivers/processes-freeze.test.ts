import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {canAdopt, createRig, fixture, plainEnvironment, type Rig} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const freeze = () => rig.processes.freeze(rig.runDir, rig.agentId);
const thaw = () => rig.processes.thaw(rig.runDir, rig.agentId);

const isFrozen = (pid: number): boolean =>
	execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'})
		.trim()
		.startsWith('T');

test('freezing stops the agent and all its descendants, in other sessions too, but not the supervisor', async () => {
	const output = rig.pipe();
	const script = `sh -c 'setsid sleep 600 & sleep 600 & echo $! >"$0"; wait' "$0"`;
	await rig.launch(['sh', '-c', `${script}; exit 3`, output.path]);
	const sleeper = Number(await output.next());
	const count = await freeze();
	expect(count).toBeGreaterThanOrEqual(4);
	const agent = rig.record('agent').pid;
	const {pid: supervisor} = rig.record('started');
	await expect.poll(() => [agent, sleeper].map(isFrozen)).toEqual([true, true]);
	expect(isFrozen(supervisor)).toBe(false);
	expect(await freeze()).toBe(count);
	expect(await thaw()).toBe(count);
	await expect.poll(() => [agent, sleeper].map(isFrozen)).toEqual([false, false]);
	process.kill(sleeper, 'SIGKILL');
});

test.runIf(canAdopt)('freezing includes a daemon without any mark of its run', async () => {
	const output = rig.pipe();
	await rig.launch([fixture('leave-hidden-daemon.pl'), output.path, 'stay']);
	const daemon = Number(await output.next());
	// Counts the agent and the daemon; the process between them may be ending.
	expect(await freeze()).toBeGreaterThanOrEqual(2);
	await expect.poll(() => isFrozen(daemon)).toBe(true);
	expect(await thaw()).toBeGreaterThanOrEqual(2);
	await expect.poll(() => isFrozen(daemon)).toBe(false);
});

test('freezing works without setsid, as on macOS', async () => {
	const bin = join(rig.folder, 'bin');
	mkdirSync(bin);
	for (const name of ['sh', 'perl', 'sleep', 'date', 'mkfifo'])
		symlinkSync(execFileSync('which', [name], {encoding: 'utf8'}).trim(), join(bin, name));
	const [output, go] = [rig.pipe(), rig.pipe()];
	const env = {...plainEnvironment(), PATH: bin, HIVE_AGENT_ID: rig.agentId};
	const script = 'echo $$ >"$0"; read -r word <"$1"; exit 3';
	await rig.launch(['sh', '-c', script, output.path, go.path], {env});
	const agent = Number(await output.next());
	expect(rig.record('agent').pid).toBe(agent);
	expect(await freeze()).toBe(1);
	await expect.poll(() => isFrozen(agent)).toBe(true);
	expect(await rig.inspect()).toMatchObject({state: 'alive'});
	expect(await thaw()).toBe(1);
	writeFileSync(go.path, 'go\n');
	await rig.ended();
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 3});
});

test('a frozen agent that is stopped can still handle the signal', async () => {
	const ready = rig.pipe();
	await rig.launch(['sh', '-c', 'trap "exit 9" TERM; echo ready >"$0"; sleep 600 & wait', ready.path]);
	await ready.next();
	await freeze();
	await rig.stop();
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 9});
});

test('a run that has not begun or has ended has nothing to freeze', async () => {
	expect(await freeze()).toBe(0);
	await rig.launch(['true']);
	await rig.ended();
	expect(await freeze()).toBe(0);
	expect(await thaw()).toBe(0);
});
