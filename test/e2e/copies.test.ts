import {describe, expect, it} from 'vitest';
import {createWaiting, traceId} from '../actions/at-the-gate.ts';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {openLogOf} from '../helpers/machines.ts';
import type {NatsServer} from '../helpers/nats-server.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';

const taskFile = (taskId: string) => `.hive/runs/${traceId}/tasks/${taskId}/task.md`;

/** Returns a snapshot from the bucket of a server, or undefined if there is none. */
const readSnapshot = async (colony: ColonyOnDisk, server: NatsServer) => {
	const bus = await openLogOf(colony, server);
	const entry = await bus.bucket('ledger').get(traceId).finally(bus.close);
	return entry && (JSON.parse(entry.value) as {sequence: number; tasks: {status: string}[]});
};

describe('the files of a trace without a reactor', () => {
	it('are updated for the task of an approval', async () => {
		const colony = await createWaiting();
		expect(await colony.read(taskFile('_review'))).toContain('status: "waiting_review"');
		await colony.ask(colony.approve());
		expect(await colony.read(taskFile('_review'))).toContain('status: "completed"');
	});

	it('exist for a trace that is planned and killed', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'one', '-b', 'Do it']);
		expect(await colony.read(taskFile('one'))).toContain('status: "ready"');
		await colony.ask(['kill', '--trace', traceId, '--reason', 'not needed']);
		expect(await colony.read(taskFile('one'))).toContain('status: "cancelled"');
	});

	it('close a run that a kill ends', async () => {
		const colony = await createColony({bees: {builder: {...builder, script: 'note here; wait_for never'}}});
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'one', '-b', 'Do it']);
		const reactor = colony.follow();
		await colony.notes(2);
		await reactor.kill('SIGKILL');
		await colony.ask(['kill', '--trace', traceId, '--reason', 'not needed']);
		const runs = await colony.read(`.hive/runs/${traceId}/tasks/one/runs.ndjson`);
		expect(JSON.parse(runs)).toMatchObject({
			runStatus: 'cancelled',
			finishedAt: expect.stringContaining('T'),
		});
		expect(await colony.hive(['bus', 'verify'])).toMatchObject({exitCode: 0});
	});

	it('match the log after concurrent commands', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'zero', '-b', 'Do it']);
		const names = ['one', 'two', 'three', 'four'];
		await Promise.all(
			names.map(name => colony.ask(['task', 'create', '--trace', traceId, '--task', name, '-b', 'Do it'])),
		);
		for (const name of names) expect(await colony.exists(taskFile(name))).toBe(true);
		expect(await colony.hive(['bus', 'verify'])).toMatchObject({exitCode: 0});
	});

	it('have their snapshot on the server after a top-up', async () => {
		const server = await serverOfWorker();
		const colony = await createWaiting(undefined, {bus: server});
		const before = await readSnapshot(colony, server);
		await colony.ask(['energy', 'add', '--trace', traceId, '--amount', '5']);
		const after = await readSnapshot(colony, server);
		expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0);
		expect(await colony.honey()).toBe(16);
		expect(JSON.stringify(after)).toContain('16');
	});
});

it('have their snapshot on the server while the first task runs', async () => {
	const server = await serverOfWorker();
	const bees = {builder: {...builder, script: 'note here; wait_for go'}};
	const colony = await createColony({bus: server, bees});
	const reactor = colony.follow();
	await colony.ask(['task', 'create', '--trace', traceId, '--task', 'one', '-b', 'Do it']);
	await colony.notes(2);
	await expect.poll(async () => (await readSnapshot(colony, server))?.tasks[0]?.status).toBe('running');
	await colony.open('go');
	await reactor.event({kind: 'run.finished'});
	await reactor.kill('SIGTERM');
});
