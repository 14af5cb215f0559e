import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {type ColonyOnDisk, createColony, openColony, type ScriptedBee} from '../helpers/colony-on-disk.ts';
import {startNatsServer} from '../helpers/nats-server.ts';
import {openRepository} from '../helpers/repository.ts';

const builder: ScriptedBee = {
	worktree: true,
	publishes: [
		{type: 'MUTATION', kind: 'code.proposal.isolated'},
		{type: 'INSIGHT', kind: 'run.summary'},
	],
	script:
		'echo "begun $HIVE_TASK_ID"; wait_for "$HIVE_TASK_ID"; echo "made by $HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"; echo "Built $HIVE_TASK_ID"',
};

/** A folder of the test's own, gone when it ends. */
const folder = async (name: string): Promise<string> => {
	const made = await mkdtemp(join(tmpdir(), `hive-${name}-`));
	onTestFinished(() => rm(made, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return made;
};

/** One colony on two machines: each has a home and a clone of its own, and both reach one server. */
const createMachines = async () => {
	const server = await startNatsServer();
	onTestFinished(server.dispose);
	const one = await createColony({bees: {builder}, bus: server});
	const root = join(await folder('clone'), 'shop');
	await one.git(['clone', '--quiet', one.root, root]);
	const clone = openRepository(root);
	await clone.git(['config', 'user.name', 'Bob']);
	await clone.git(['config', 'user.email', 'bob@example.org']);
	const other = openColony(clone, await folder('home'), {HIVE_BUS_URL: server.url});
	await other.ask(['init']);
	return {server, one, other};
};

type Seen = {readonly traceId: string; readonly place?: string; readonly tasks: {readonly status: string}[]};
type Status = {
	readonly reactors: {readonly place: string; readonly here: boolean}[];
	readonly places: {readonly place: string; readonly root: string; readonly alive: boolean}[];
	readonly traces: Seen[];
};

const statusOf = (colony: ColonyOnDisk): Promise<Status> => colony.ask<Status>(['status']);

const createTask = async (colony: ColonyOnDisk, taskId: string): Promise<string> => {
	const plan = JSON.stringify({tasks: [{taskId, title: `Make ${taskId}`}]});
	const {traceId} = await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-'], {input: plan});
	return traceId;
};

/** Starts its reactor, and resolves once the other machine sees it. */
const startReactor = async (colony: ColonyOnDisk, seenBy: ColonyOnDisk) => {
	const reactor = colony.follow(['run']);
	await reactor.says('runs here');
	await expect
		.poll(async () => (await statusOf(seenBy)).places.some(({root, alive}) => alive && root === colony.root))
		.toBe(true);
	return reactor;
};

describe('two machines on one colony', () => {
	it('share its traces by who has free places, start each task once, and show which is whose', async () => {
		const {one, other} = await createMachines();
		await startReactor(one, other);
		await startReactor(other, one);
		const taskIds = ['a', 'b', 'c', 'd', 'e', 'f'];
		for (const taskId of taskIds) await createTask(one, taskId);
		const started = await one.notes(taskIds.length);
		expect(started.map(line => line.split(' ')[2]).toSorted()).toEqual(taskIds);
		const {traces, reactors} = await statusOf(other);
		expect(reactors.map(({here}) => here).toSorted()).toEqual([false, true]);
		// Each has four places, so neither took all.
		for (const {place} of reactors) {
			const own = traces.filter(trace => trace.place === place);
			expect(own.length).toBeGreaterThanOrEqual(2);
			expect(own.length).toBeLessThanOrEqual(4);
		}
		for (const taskId of taskIds) await one.open(taskId);
		for (const {traceId} of traces)
			await other.ask(['wait', '--trace', traceId, '--for', 'review', '--timeout', '2m']);
		expect(await one.notes()).toHaveLength(taskIds.length);
	});

	it('act on what the other has: its diff, its logs, its merge, its end', async () => {
		const {one, other} = await createMachines();
		const reactor = await startReactor(other, one);
		const [merged, killed] = [await createTask(one, 'merged'), await createTask(one, 'killed')];
		await one.notes(2);
		await one.open('merged');
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		const {tree, patch} = await one.ask<{tree: string; patch: string}>([
			'proposal',
			'diff',
			'--trace',
			merged,
		]);
		expect(patch).toContain('+made by merged');
		const stale = ['proposal', 'approve', '--trace', merged, '--task', '_review', '--tree', 'f00d'];
		expect(await one.ask(stale, {exit: 4})).toMatchObject({error: {code: 'stale_view'}});
		const approved = await one.ask<{commit: string}>([...stale.slice(0, -1), tree]);
		expect(await other.git(['rev-parse', 'main'])).toBe(approved.commit);
		expect(await other.read('merged.txt')).toBe('made by merged\n');
		expect(await one.exists('merged.txt')).toBe(false);

		const {agentId} = await reactor
			.event({kind: 'energy.consume', taskId: 'killed'})
			.then(({payload}) => payload as {kind: string; agentId: string});
		const following = one.hive(['logs', agentId, '--follow']);
		expect((await one.hive(['logs', agentId])).stdout).toBe('begun killed\n');
		await one.ask(['kill', '--trace', killed, '--reason', 'not needed']);
		await reactor.event({kind: 'run.finished', agentId});
		expect(await following).toMatchObject({exitCode: 0, stdout: 'begun killed\n'});
	});

	it('are told who has a trace and when that was heard of last, when nobody is there, and nothing is done', async () => {
		const {one, other} = await createMachines();
		const reactor = await startReactor(other, one);
		const traceId = await createTask(one, 'a');
		await one.open('a');
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		await reactor.kill('SIGKILL');
		const approve = ['proposal', 'approve', '--trace', traceId, '--task', '_review'];
		const before = await one.replay(traceId);
		for (const args of [approve, ['proposal', 'diff', '--trace', traceId]])
			expect(await one.ask(args, {exit: 4})).toMatchObject({
				error: {code: 'elsewhere', message: expect.stringContaining(other.root)},
			});
		expect(await one.replay(traceId)).toEqual(before);
		// Whose reactor starts there again has it as before.
		await startReactor(other, one);
		await one.ask(approve);
		expect(await other.read('a.txt')).toBe('made by a\n');
	});
});
