import {describe, expect, it, onTestFinished} from 'vitest';
import {traceId} from '../actions/at-the-gate.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {machineOf, openLogOf} from '../helpers/machines.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';

const newer = 'hive 99.0.0 at box:/home/ada/shop has worked on this log';
const update = `Update hive on this machine: ${newer}`;

/** A colony on a server, where the test writes the entries of other places. */
const createShared = async (script: string) => {
	const server = await serverOfWorker();
	const colony = await createColony({bus: server, bees: {builder: {...builder, script}}});
	const bus = await openLogOf(colony, server);
	onTestFinished(bus.close);
	const places = bus.bucket('places');
	const sayOf = async (checkout: string, fields: object) => {
		const now = new Date().toISOString();
		const place = {checkout, host: 'box', root: '/home/ada/shop', pid: 1, startedAt: now, heardAt: now};
		const text = JSON.stringify({...place, free: 4, total: 4, hasLeft: true, ...fields});
		const entry = await places.get(checkout);
		await (entry ? places.update(checkout, text, entry.revision) : places.create(checkout, text));
	};
	return {
		...colony,
		places,
		sayOf,
		/** A newer hive has left, but its events are in the log. */
		newerHiveHasWorked: () => sayOf('later', {version: '99.0.0', foldVersion: 99}),
		newerHiveIsReplaced: () => sayOf('later', {version: '1.0.0', foldVersion: 1}),
		createTask: () => colony.ask(['task', 'create', '--trace', traceId, '--task', 'one', '-b', 'Do it']),
		kinds: async () => (await colony.replay(traceId)).map(({payload}) => payload.kind),
	};
};

describe('a machine whose hive is older than another one on the log', () => {
	it('starts nothing, and every face names the machine to update', async () => {
		const colony = await createShared('note never');
		await colony.newerHiveHasWorked();
		await colony.createTask();
		const ran = await colony.hive(['run', '--until-idle']);
		expect(ran.stderr).toContain(`hive: ${update}`);
		expect(ran.stdout).toContain(newer);
		expect(ran.stdout).toContain('Next: update hive on this machine');
		expect(ran.exitCode).toBe(8);
		expect(await colony.kinds()).toEqual(['task.plan']);
		expect(await colony.notes()).toEqual([]);

		const {inbox} = await colony.ask<{inbox: object[]}>(['status']);
		const sentence = expect.stringContaining('update hive');
		expect(inbox).toMatchObject([{kind: 'configuration', traceId, sentence}]);
		expect((await colony.hive(['status'])).stdout).toMatch(/trace-1 +blocked/);
		expect((await colony.hive(['why', 'one'])).stdout).toContain('none is alive');
		const {findings} = await colony.ask<{findings: object[]}>(['doctor'], {exit: 5});
		const message = expect.stringContaining('hive 99.0.0 at box:/home/ada/shop has worked on this log');
		expect(findings).toContainEqual(expect.objectContaining({rule: 'bus-version', level: 'error', message}));
	});

	it('collects its open run, decides nothing on it, and continues once no newer hive is left', async () => {
		const colony = await createShared('note here; wait_for go; echo made >one.txt; echo Built it');
		const reactor = colony.follow();
		await colony.createTask();
		await colony.notes(2);
		await colony.newerHiveHasWorked();
		await reactor.says(update);
		const {stdout} = await colony.hive(['why', 'one']);
		expect(stdout).toContain('running');
		await colony.open('go');
		await reactor.event({kind: 'run.finished'});
		await expect
			.poll(async () => (await colony.hive(['why', 'one'])).stdout)
			.toMatch(/an update: hive 99\.0\.0[\s\S]*update hive on this machine/);
		expect((await colony.kinds()).slice(-1)).toEqual(['run.finished']);

		await colony.newerHiveIsReplaced();
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		await reactor.kill('SIGTERM');
	});

	it('publishes its version, and is named by the doctor of a newer hive while it is alive', async () => {
		const colony = await createShared('note never');
		const reactor = colony.follow();
		await reactor.says('runs here');
		const own = await machineOf(colony);
		await expect
			.poll(async () => JSON.parse((await colony.places.get(own))?.value ?? '{}'))
			.toMatchObject({foldVersion: expect.any(Number)});
		await colony.sayOf('earlier', {version: '0.1.0', foldVersion: 1, hasLeft: false});
		const {findings} = await colony.ask<{findings: object[]}>(['doctor'], {exit: 5});
		const path = 'box:/home/ada/shop';
		expect(findings).toContainEqual(expect.objectContaining({rule: 'bus-version', path}));
		await reactor.kill('SIGTERM');
	});
});
