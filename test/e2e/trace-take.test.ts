import {cp, readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createWaiting, traceId} from '../actions/at-the-gate.ts';
import {builder, type ColonyOnDisk, createColony, openColony} from '../helpers/colony-on-disk.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';

const take = ['trace', 'take', '--trace', traceId];
const create = ['task', 'create', '--trace', traceId, '--task', 'a', '-b', 'x'];

const home = ({home: folder}: ColonyOnDisk): string => join(folder, '.config/hive');

const idIn = async (folder: string): Promise<string> =>
	(await readFile(join(folder, 'place'), 'utf8')).trim();

/** Gives the checkout a new id, so the old id is unknown. */
const loseId = async (colony: ColonyOnDisk): Promise<string> => {
	const id = await idIn(join(home(colony), 'scratch'));
	await rm(join(home(colony), 'scratch/place'));
	await colony.ask(['init']);
	return id;
};

/** A second checkout on the same machine, with a copy of the first one's log. */
const withLogOf = async (first: ColonyOnDisk): Promise<ColonyOnDisk> => {
	const {root} = await createRepository();
	await first.git(['pull', '--quiet', first.root, 'main'], root);
	const second = openColony(openRepository(root), first.home, first.env);
	await second.ask(['init']);
	const [folder = ''] = (await readdir(home(first))).filter(name => name.startsWith('scratch-'));
	for (const name of ['events.sqlite', 'events.sqlite-wal'])
		await cp(join(home(first), 'scratch', name), join(home(first), folder, name)).catch(() => {});
	return second;
};

describe('hive trace take', () => {
	it('moves a trace of an unknown checkout here, so that it can be merged', async () => {
		const colony = await createWaiting();
		const from = await loseId(colony);
		expect(await colony.ask(colony.approve(), {exit: 4})).toMatchObject({
			error: {code: 'elsewhere', hint: expect.stringContaining('hive trace take')},
		});
		expect(await colony.ask(take)).toMatchObject({traceId, from, already: false, runs: []});
		expect(await colony.ask(take)).toMatchObject({already: true});
		const taken = (await colony.replay(traceId)).filter(({payload}) => payload.kind === 'trace.taken');
		const place = await idIn(join(home(colony), 'scratch'));
		expect(taken.map(({payload}) => payload)).toEqual([{kind: 'trace.taken', place, from}]);
		await colony.ask(colony.approve());
		expect(await colony.read('work.txt')).toBe('made by work\n');
		expect((await colony.hive(['trace', 'take', '--trace', 'nobody'])).exitCode).toBe(3);
	});

	it('is refused while the checkout exists; once it is gone, its open run fails as vanished and can be retried', async () => {
		const first = await createColony({
			bees: {builder: {...builder, script: 'wait_for go; echo "made" >a.txt'}},
		});
		await first.ask(create);
		const reactor = first.follow();
		await first.notes(1);
		await reactor.event({kind: 'task.status', status: 'running'});
		await reactor.kill('SIGKILL');
		const second = await withLogOf(first);
		expect(await second.ask(take, {exit: 4})).toMatchObject({
			error: {code: 'elsewhere', message: expect.stringContaining(`${first.root} is still there`)},
		});
		await rm(first.root, {recursive: true});
		const {runs} = await second.ask<{runs: string[]}>(take);
		expect(runs).toHaveLength(1);
		expect((await second.hive(['run', '--until-idle'])).exitCode).toBe(9);
		expect((await second.replay(traceId)).map(({payload}) => payload)).toContainEqual(
			expect.objectContaining({
				kind: 'run.finished',
				agentId: runs[0],
				status: 'failed',
				summary: 'the run vanished: its directory was removed',
			}),
		);
		await second.ask(['task', 'retry', '--trace', traceId, '--task', 'a']);
		const again = second.follow();
		await second.notes(2);
		await second.open('go');
		await again.event({kind: 'task.status', status: 'waiting_review'});
		await again.kill('SIGTERM');
		expect((await second.hive(['proposal', 'diff', '--trace', traceId])).stdout).toContain('a.txt');
	});

	it('is refused while the reactor of the removed checkout is alive', async () => {
		const first = await createColony({bees: {builder: {script: 'echo done'}}});
		await first.ask(create);
		expect((await first.hive(['run', '--until-idle'])).exitCode).toBe(0);
		const second = await withLogOf(first);
		const reactor = first.follow();
		await reactor.says('runs here');
		await rm(first.root, {recursive: true});
		expect(await second.ask(take, {exit: 4})).toMatchObject({
			error: {code: 'elsewhere', message: expect.stringContaining('still alive')},
		});
		await reactor.kill('SIGKILL');
		expect(await second.ask(take)).toMatchObject({already: false});
	});

	it("is refused while a run of the trace is alive; the run's work is collected afterwards", async () => {
		const colony = await createColony({
			bees: {builder: {...builder, script: 'wait_for go; echo done >a.txt'}},
		});
		await colony.ask(create);
		const reactor = colony.follow();
		await colony.notes(1);
		const {payload} = await reactor.event({kind: 'task.status', status: 'running'});
		await reactor.kill('SIGKILL');
		await loseId(colony);
		expect(await colony.ask(take, {exit: 4})).toMatchObject({
			error: {code: 'run_open', message: expect.stringContaining(String(payload.agentId))},
		});
		await colony.open('go');
		await colony.exitOf(traceId, String(payload.agentId));
		expect(await colony.ask(take)).toMatchObject({runs: [payload.agentId]});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect((await colony.replay(traceId)).map(event => event.payload)).toContainEqual(
			expect.objectContaining({kind: 'run.finished', status: 'completed'}),
		);
	});
});
