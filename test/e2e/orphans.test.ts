import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {canAdopt, fixture, isRunning} from '../drivers/processes-rig.ts';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {processesOf} from '../helpers/processes-of.ts';
import {builtCommand, startHive} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

const reactorsOf = (colony: ColonyOnDisk) =>
	processesOf(colony).filter(line => line.includes('--until-stdin-ends'));

/** Poll: only the parent is notified by the system when a process ends. */
const patience = {interval: 100};

/** Tries to remove a folder, into which an ending reactor may still write. */
const isRemoved = (folder: string): boolean => {
	try {
		rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
		return true;
	} catch {
		return false;
	}
};

const openDashboard = (colony: ColonyOnDisk): VirtualTerminal => {
	const terminal = openTerminal([process.execPath, builtCommand()], {cwd: colony.root, env: colony.env});
	onTestFinished(terminal.close);
	return terminal;
};

const killDashboard = async (terminal: VirtualTerminal): Promise<void> => {
	terminal.signal('SIGKILL');
	await terminal.ended;
};

describe('the reactor of a dashboard that is killed', () => {
	it.each<[string, (terminal: VirtualTerminal, colony: ColonyOnDisk) => Promise<unknown>]>([
		['before it has drawn anything', async () => {}],
		['with its first frame', terminal => terminal.until(screen => screen.includes('Traces'))],
		[
			'as soon as there is one',
			(_, colony) => expect.poll(() => reactorsOf(colony), patience).toHaveLength(1),
		],
		['when it has the lock', terminal => terminal.until(screen => screen.includes('reactor ● this process'))],
	])('ends too if the kill comes %s', async (_, moment) => {
		const colony = await createColony();
		const terminal = openDashboard(colony);
		await moment(terminal, colony);
		await killDashboard(terminal);
		await expect.poll(() => processesOf(colony), patience).toEqual([]);
	});

	it.each([
		['leaves the agent to its supervisor', false],
		['leaves the agent to its supervisor, and nothing when all folders are gone as well', true],
	])('ends while a run is active: %s', async (_, isDeleted) => {
		const colony = await createColony({bees: {builder: {...builder, script: 'wait_for go'}}});
		const terminal = openDashboard(colony);
		await colony.ask(['task', 'create', '-b', 'x']);
		await colony.notes(1);
		await killDashboard(terminal);
		if (isDeleted) {
			for (const folder of [join(colony.home, '.config'), colony.root])
				await expect.poll(() => isRemoved(folder), patience).toBe(true);
		}
		await expect.poll(() => reactorsOf(colony), patience).toEqual([]);
		// A git process of the reactor may end a moment later.
		await expect
			.poll(() => processesOf(colony), patience)
			.toEqual([expect.stringContaining('hive-supervisor'), expect.stringContaining('builder.sh')]);
		await colony.open('go');
		await expect.poll(() => processesOf(colony), patience).toEqual([]);
	});

	it('ends although one of its git processes never does', async () => {
		const colony = await createColony({bees: {builder: {script: 'echo done'}}});
		await colony.ask(['task', 'create', '-b', 'x']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		const [start] = await colony.notes(1);
		await colony.ask(['task', 'create', '-b', 'y']);
		await colony.write('bin/git', `#!/bin/sh\necho $$ >>'${colony.home}/notes'\nexec sleep 600\n`, 0o755);
		const child = startHive(['run', '--until-stdin-ends'], {
			cwd: colony.root,
			env: {...colony.env, PATH: `${join(colony.root, 'bin')}:${process.env.PATH}`},
		});
		const exit = once(child, 'exit');
		await colony.notes(2);
		onTestFinished(async () => {
			for (const note of await colony.notes()) if (note !== start) process.kill(Number(note), 'SIGKILL');
		});
		child.stdin.end();
		expect(await exit).toEqual([0, null]);
	});
});

describe.runIf(canAdopt)('a daemon without any mark of its run', () => {
	/** Script that notes the daemon's pid and then continues with `script`. */
	const leavingDaemon = (script: string): string =>
		`mkfifo "$HIVE_RUN_DIR/pid"; '${fixture('leave-hidden-daemon.pl')}' "$HIVE_RUN_DIR/pid" &
		read -r pid <"$HIVE_RUN_DIR/pid"; note "$pid"; ${script}`;
	const daemonOf = async (colony: ColonyOnDisk): Promise<number> => Number((await colony.notes(2))[1]);
	const create = ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x'];

	it.each<[string, string, object]>([
		['well', 'echo done', {}],
		['with an error', 'exit 3', {}],
		['by its time-out', 'sleep 600', {timeout: '5s'}],
	])('is stopped with a run that ends %s', async (_, script, more) => {
		const colony = await createColony({bees: {builder: {script: leavingDaemon(script), ...more}}});
		await colony.ask(create);
		await colony.hive(['run', '--until-idle']);
		expect(isRunning(await daemonOf(colony))).toBe(false);
		await expect.poll(() => processesOf(colony), patience).toEqual([]);
	});

	it.each([
		['killed', true],
		['killed while no reactor lives', false],
	])('is stopped with a run that is %s', async (_, lives) => {
		const colony = await createColony({bees: {builder: {script: leavingDaemon('sleep 600')}}});
		await colony.ask(create);
		const reactor = colony.follow();
		const daemon = await daemonOf(colony);
		if (!lives) await reactor.kill('SIGKILL');
		await colony.ask(['kill', '--trace', 't']);
		if (lives) await reactor.event({kind: 'run.finished'});
		expect(isRunning(daemon)).toBe(false);
	});

	it('is stopped by the next reactor after a run that ended without one', async () => {
		const colony = await createColony({bees: {builder: {script: leavingDaemon('wait_for go')}}});
		await colony.ask(create);
		const reactor = colony.follow();
		const daemon = await daemonOf(colony);
		await reactor.kill('SIGKILL');
		await colony.open('go');
		await expect.poll(() => processesOf(colony), patience).toEqual([]);
		expect(isRunning(daemon)).toBe(true);
		await colony.hive(['run', '--until-idle']);
		expect(isRunning(daemon)).toBe(false);
	});

	it('is stopped with the setup or post_exec that left it', async () => {
		const leave = (word: string) => ['sh', '-c', `${fixture('leave-hidden-daemon.pl')} "$HOME/${word}"`];
		const colony = await createColony({
			bees: {builder: {...builder, post_exec: leave('hook')}},
			settings: {workspaces: {setup: [leave('setup')]}},
		});
		const pipes = ['setup', 'hook'].map(word => join(colony.home, word));
		for (const path of pipes) execFileSync('mkfifo', [path]);
		await colony.ask(create);
		const pids = Promise.all(pipes.map(async path => Number(await readFile(path, 'utf8'))));
		await colony.hive(['run', '--until-idle']);
		expect((await pids).map(isRunning)).toEqual([false, false]);
	});
});
