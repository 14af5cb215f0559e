import {hostname} from 'node:os';
import {describe, expect, it} from 'vitest';
import {version} from '../../package.json';
import {type ColonyOnDisk, openColony, type ScriptedBee} from '../helpers/colony-on-disk.ts';
import {
	createMachines,
	createTasks,
	machineOf,
	showsAlive,
	startReactor,
	statusOf,
} from '../helpers/machines.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';

const builder: ScriptedBee = {
	worktree: true,
	publishes: [
		{type: 'MUTATION', kind: 'code.proposal.isolated'},
		{type: 'INSIGHT', kind: 'run.summary'},
	],
	script:
		'echo "begun $HIVE_TASK_ID"; wait_for "$HIVE_TASK_ID"; echo "made by $HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"; echo "Built $HIVE_TASK_ID"',
};

/** Two machines on one server. */
const createTwo = async () => {
	const server = await serverOfWorker();
	const link = {url: server.url, under: []};
	const [one, other] = await createMachines(server, [link, link], {bees: {builder}});
	return {one, other: other as ColonyOnDisk};
};

describe('two machines on one colony', () => {
	it('share traces by free slots, start each task once, and show the owner of each trace', async () => {
		const {one, other} = await createTwo();
		await startReactor(one, other);
		await startReactor(other, one);
		const taskIds = ['a', 'b', 'c', 'd', 'e', 'f'];
		for (const taskId of taskIds) await createTasks(one, taskId);
		const started = await one.notes(taskIds.length);
		expect(started.map(line => line.split(' ')[2]).toSorted()).toEqual(taskIds);
		const {traces, reactors} = await statusOf(other);
		expect(reactors.map(({here}) => here).toSorted()).toEqual([false, true]);
		// Each machine has four slots, so neither took all traces.
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

	it('leave a trace with a named base to the machine that has the branch', async () => {
		const {one, other} = await createTwo();
		await startReactor(other, one);
		await one.git(['branch', 'release']);
		const make = ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x', '--base'];
		expect(await other.hive([...make, 'release'])).toMatchObject({exitCode: 3});
		await one.ask([...make, 'release']);
		await createTasks(other, 'later');
		expect(await one.notes(1)).toMatchObject([expect.stringContaining(' later ')]);
		await startReactor(one, other);
		const notes = await one.notes(2);
		expect(notes.at(-1)).toContain(' a ');
		const claim = (await one.replay('t')).find(({payload}) => payload.kind === 'energy.consume');
		expect(claim?.payload).toMatchObject({place: await machineOf(one), base: {branch: 'release'}});
		for (const taskId of ['a', 'later']) await one.open(taskId);
	});

	it("act on each other's traces: diff, logs, merge and kill", async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other, one);
		const [merged, killed] = [await createTasks(one, 'merged'), await createTasks(one, 'killed')];
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
		const approved = await one.ask<{commit: string; clone: unknown}>([...stale.slice(0, -1), tree]);
		expect(approved.clone).toEqual({host: hostname(), root: other.root, pushed: false});
		expect(await other.git(['rev-parse', 'main'])).toBe(approved.commit);
		expect(await other.read('merged.txt')).toBe('made by merged\n');
		expect(await one.exists('merged.txt')).toBe(false);

		const {agentId} = await reactor
			.event({kind: 'energy.consume', taskId: 'killed'})
			.then(({payload}) => payload as {kind: string; agentId: string});
		const following = one.hive(['logs', agentId, '--follow']);
		expect((await one.hive(['logs', agentId])).stdout).toBe('begun killed\n');
		const {stdout} = await one.hive(['logs', agentId, '--json']);
		expect(JSON.parse(stdout)).toMatchObject({line: 'begun killed', at: expect.stringContaining('T')});
		await one.ask(['kill', '--trace', killed, '--reason', 'not needed']);
		await reactor.event({kind: 'run.finished', agentId});
		expect(await following).toMatchObject({exitCode: 0, stdout: 'begun killed\n'});
	});

	it('say which clone has a merge that the other lacks, until that one has pulled it', async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other, one);
		const traceId = await createTasks(one, 'made');
		await one.notes(1);
		expect(await one.ask(['status'])).toMatchObject({mains: []});
		await one.open('made');
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		const {commit} = await one.ask<{commit: string}>([
			...['proposal', 'approve', '--trace', traceId, '--task', '_review'],
		]);
		const merges = [{traceId, taskId: '_review', commit, title: 'Make made'}];
		const main = {root: other.root, branch: 'main', there: commit, merges};
		await expect.poll(() => one.ask(['status'])).toMatchObject({mains: [main]});
		expect((await one.hive(['status'])).stdout).toContain('it has 1 merge that this clone lacks (Make made)');
		const finding = expect.objectContaining({rule: 'bus-mains', path: `${hostname()}:${other.root}`});
		expect((await one.ask<{findings: unknown}>(['doctor'])).findings).toContainEqual(finding);
		await one.git(['pull', '--quiet', other.root, 'main']);
		expect(await one.ask(['status'])).toMatchObject({mains: []});
		expect((await one.ask<{findings: unknown}>(['doctor'])).findings).not.toContainEqual(finding);
	});

	it('see each other alive or gone, though the clock of one of them is an hour off', async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other, one);
		const [ahead, behind] = ['+1h', '-1h'].map(offset =>
			openColony(one, one.home, one.env, ['faketime', '-f', offset]),
		) as [ColonyOnDisk, ColonyOnDisk];
		for (const look of [ahead, behind]) await showsAlive(look, other, true);
		await reactor.kill('SIGKILL');
		for (const look of [ahead, behind]) await showsAlive(look, other, false);
		expect((await ahead.hive(['status'])).stdout).toMatch(/: no reactor, silent for \d+ s\n/);
	});

	it("are listed by each other's doctor, with their hive version", async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other, one);
		const place = {host: hostname(), root: other.root, version};
		expect(await one.ask(['doctor'])).toMatchObject({bus: {places: [{...place, alive: true}]}});
		expect((await other.hive(['doctor'])).stdout).not.toContain('reactor alive');
		await reactor.kill('SIGTERM');
		const {stdout} = await one.hive(['doctor']);
		expect(stdout).toContain(`  ${hostname()}:${other.root}: no reactor, ended `);
		expect(stdout).toContain(`, hive ${version}\n`);
	});

	it('stop a run at once after its own reactor died, however recent its last heartbeat', async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(one, other);
		const traceId = await createTasks(one, 'a');
		await reactor.event({kind: 'task.status', status: 'running'});
		const [, , , agentId = ''] = (await one.notes(1))[0]?.split(' ') ?? [];
		await reactor.kill('SIGKILL');
		expect(await one.ask(['kill', '--trace', traceId])).toMatchObject({stopped: [agentId], stopping: false});
		await one.exitOf(traceId, agentId);
	});

	it('refuse actions on a trace of an absent machine, naming that machine and its last heartbeat', async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other, one);
		const traceId = await createTasks(one, 'a');
		await one.open('a');
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		await reactor.kill('SIGKILL');
		const approve = ['proposal', 'approve', '--trace', traceId, '--task', '_review'];
		const before = await one.replay(traceId);
		for (const args of [approve, ['proposal', 'diff', '--trace', traceId]])
			expect(await one.ask(args, {exit: 4})).toMatchObject({
				error: {
					code: 'elsewhere',
					message: expect.stringContaining(other.root),
					hint: expect.stringMatching(/^(?=.*has been silent for \d+ s)(?=.*hive trace take)/),
				},
			});
		expect(await one.replay(traceId)).toEqual(before);
		// Once its reactor runs again, that machine owns the trace as before.
		await startReactor(other, one);
		await one.ask(approve);
		expect(await other.read('a.txt')).toBe('made by a\n');
	});
});
