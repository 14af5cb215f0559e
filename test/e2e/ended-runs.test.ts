import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {type ColonyOnDisk, createColony, publishesIsolated, readJson} from '../helpers/colony-on-disk.ts';
import {processesOf} from '../helpers/processes-of.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

const a = ['--trace', 't', '--task', 'a'] as const;
const create = ['task', 'create', ...a, '-b', 'x'] as const;
const kill = ['kill', '--trace', 't', '--reason', 'wrong idea'] as const;

/** Changes a file in its worktree, notes it, and waits. */
const halfway = {
	worktree: true,
	publishes: publishesIsolated,
	script: 'echo half >half.txt; note halfway; wait_for go',
};

const createHalfway = () => createColony({bees: {builder: halfway}});

/** Returns the only run of the trace. */
const runOf = async (colony: ColonyOnDisk): Promise<{agentId: string; status: string; summary: string}> => {
	const {traces} = await colony.ask<{traces: [{runs: [{agentId: string; status: string; summary: string}]}]}>(
		['status'],
	);
	return traces[0].runs[0];
};

/** Starts a run, and kills the reactor while the agent is halfway. */
const abandon = async (colony: ColonyOnDisk): Promise<void> => {
	await colony.ask(create);
	const reactor = colony.follow();
	await colony.notes(2);
	await reactor.kill('SIGKILL');
};

/** Expects exactly these steps up to run.finished, matching final files, kept changes, and no process. */
const expectEnded = async (
	colony: ColonyOnDisk,
	reason: string,
	steps: readonly string[] = ['finished'],
): Promise<void> => {
	const {agentId, status} = await runOf(colony);
	expect(status).toBe('cancelled');
	const said = (await colony.replay('t')).filter(({id}) => id.startsWith(`t/${agentId}/`));
	expect(said.map(({id}) => id).filter(id => !id.endsWith('/claim'))).toEqual(
		steps.map(step => `t/${agentId}/${step}/0`),
	);
	const end = {status: 'cancelled', exitCode: 143, summary: reason};
	expect(said.at(-1)?.payload).toMatchObject({kind: 'run.finished', ...end});
	const folder = `${colony.root}/.hive/runs/t/${agentId}`;
	expect(await readJson(`${folder}/status.json`)).toMatchObject({
		...{state: 'cancelled', exitCode: 143, error: reason},
		finishedAt: expect.any(String),
	});
	expect(await readJson(`${folder}/result.json`)).toMatchObject({
		status: 'cancelled',
		artifacts: expect.arrayContaining([{kind: 'diff', path: 'changes.diff'}]),
		diagnostics: {exitCode: 143, error: reason},
	});
	expect(await colony.ask(['restore', '--list'])).toMatchObject({
		kept: [{name: agentId, status: 'cancelled'}],
	});
	expect(processesOf(colony)).toEqual([]);
};

describe('a run that is ended without a reactor is stopped and collected', () => {
	it.each([
		['kill', [...kill], 'wrong idea'],
		['kill without a reason', ['kill', '--trace', 't'], 'Trace killed'],
		['retry', ['task', 'retry', ...a], 'replaced by a retry'],
		['cancel', ['task', 'cancel', ...a, '--reason', 'not now'], 'not now'],
	])('by %s', async (_, args, reason) => {
		const colony = await createHalfway();
		await abandon(colony);
		await colony.ask(args);
		await expectEnded(colony, reason);
		const {agentId} = await runOf(colony);
		await colony.ask(['restore', agentId]);
		expect(await colony.read(`.hive/cache/restored/t/${agentId}/half.txt`)).toBe('half\n');
	});

	it('by leaving the dashboard', async () => {
		const colony = await createHalfway();
		const terminal = openTerminal([process.execPath, builtCommand()], {cwd: colony.root, env: colony.env});
		onTestFinished(terminal.close);
		await terminal.until(screen => screen.includes('reactor ● this process'));
		await colony.ask(create);
		await colony.notes(2);
		await terminal.until(screen => /1 of \d+ agents running/.test(screen));
		terminal.type('q');
		await terminal.until(screen => screen.includes('Stop them'));
		await terminal.press('s', screen => !screen.includes('Stop them'));
		expect(await terminal.ended).toMatchObject({exitCode: 0});
		// The task still belonged to the run, so the task failed.
		await expectEnded(colony, 'stopped when the dashboard was left', ['failed', 'finished']);
	});
});

it('ending one of two runs of a killed reactor still guards the configuration from the other run', async () => {
	const colony = await createColony({bees: {builder: {script: 'note begun; wait_for go'}}});
	await colony.ask(create);
	await colony.ask(['task', 'create', '--trace', 'u', '--task', 'a', '-b', 'x']);
	const reactor = colony.follow();
	await colony.notes(2);
	await reactor.kill('SIGKILL');
	const [first, second] = await Promise.all(
		['t', 'u'].map(async trace => {
			const claim = (await colony.replay(trace)).find(({payload}) => payload.kind === 'energy.consume');
			return claim?.payload.agentId;
		}),
	);
	const record = join(colony.home, '.config/hive/scratch/configuration/seen.json');
	const named = await readJson(record);
	await writeFile(record, JSON.stringify({...named, open: [`run ${first}`]}));
	await colony.ask(kill);
	expect((await readJson(record)).open).toEqual([`run ${second}`]);
	await colony.ask(['kill', '--trace', 'u']);
	expect(existsSync(record)).toBe(false);
});

describe('a reactor that starts while a person ends its run', () => {
	it.each([1, 2, 3, 4, 5])('appends no event twice, attempt %i', async () => {
		const colony = await createHalfway();
		await abandon(colony);
		const [killed, reacted] = await Promise.all([
			colony.hive(kill),
			colony.hive(['run', '--until-idle', '--timeout', '60s']),
		]);
		expect(killed.exitCode).toBe(0);
		// The reactor either had work of the trace, or came too late for any.
		expect([0, 9]).toContain(reacted.exitCode);
		await expectEnded(colony, 'wrong idea');
	});
});

describe('a command that is killed while it ends a run', () => {
	it.each(['run.stopping', 'run.stopped', 'run.swept', 'run.recorded', 'run.reported', 'run.finished'])(
		'at %s leaves the rest to the next reactor',
		async point => {
			const colony = await createHalfway();
			await abandon(colony);
			expect((await colony.hive(kill, {env: {HIVE_CRASH_AT: point}})).exitCode).toBe(null);
			await colony.hive(['run', '--until-idle']);
			await expectEnded(colony, 'wrong idea');
		},
	);

	it('is completed by the same command, repeated', async () => {
		const colony = await createHalfway();
		await abandon(colony);
		expect((await colony.hive(kill, {env: {HIVE_CRASH_AT: 'run.stopped'}})).exitCode).toBe(null);
		await colony.ask(kill);
		await expectEnded(colony, 'wrong idea');
	});
});

describe('a claimed run that is ended before it began', () => {
	it.each(['run.claimed', 'worktree.made', 'run.prepared'])(
		'never starts, and its honey is refunded, after a crash at %s',
		async point => {
			const colony = await createHalfway();
			await colony.ask(create);
			const died = await colony.hive(['run', '--until-idle'], {env: {HIVE_CRASH_AT: point}});
			expect(died.exitCode).toBe(null);
			expect(await colony.ask(['energy', 'show', '--trace', 't'])).toMatchObject({energyRemaining: 11});
			await colony.ask(kill);
			const {agentId, status} = await runOf(colony);
			expect(status).toBe('cancelled');
			const folder = `${colony.root}/.hive/runs/t/${agentId}`;
			expect(await readJson(`${folder}/status.json`)).toMatchObject({
				state: 'cancelled',
				error: 'wrong idea',
			});
			expect(await readJson(`${folder}/result.json`)).toMatchObject({status: 'cancelled'});
			expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
			expect(await colony.notes()).toEqual([]);
			expect(await colony.ask(['energy', 'show', '--trace', 't'])).toMatchObject({energyRemaining: 12});
		},
	);
});
