import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';

const create = ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x'] as const;

/** Removes all runs. A reactor may write a file meanwhile, which needs another attempt. */
const removeRuns = ({root}: ColonyOnDisk): void => {
	for (let rounds = 0; rounds < 20; rounds++)
		try {
			return rmSync(join(root, '.hive/runs'), {recursive: true, maxRetries: 2, retryDelay: 50});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
		}
	throw new Error('The runs folder could not be removed.');
};

const failed = expect.objectContaining({
	kind: 'run.finished',
	status: 'failed',
	summary: 'the run vanished: its directory was removed',
});

/** Expects one started agent, a claim without refund, and a failed run. */
const expectStartedOnce = async (colony: ColonyOnDisk): Promise<void> => {
	expect((await colony.notes()).filter(note => note.startsWith('start '))).toHaveLength(1);
	const payloads = (await colony.replay('t')).map(({payload}) => payload);
	expect(payloads.filter(({kind}) => kind === 'run.finished')).toEqual([failed]);
	expect(payloads.filter(({kind}) => kind === 'energy.add')).toEqual([]);
};

describe('a run whose directory is removed fails and is not started again', () => {
	it.each([
		['its own directory', 'rm -rf "$HIVE_RUN_DIR"'],
		['its own directory, and makes an empty one', 'rm -rf "$HIVE_RUN_DIR"; mkdir "$HIVE_RUN_DIR"'],
		['all that git ignores', 'git clean -fdxq'],
	])('by its agent: %s', async (_, script) => {
		const colony = await createColony({bees: {builder: {script}}});
		await colony.ask(create);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
		const [{payload} = {payload: undefined}] = (await colony.replay('t')).slice(-1);
		expect(payload).toMatchObject({kind: 'run.finished', status: 'failed'});
		expect((await colony.notes()).filter(note => note.startsWith('start '))).toHaveLength(1);
	});

	it('by a person while the agent works', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		await colony.ask(create);
		const reactor = colony.follow();
		await colony.notes(1);
		await reactor.event({kind: 'task.status', status: 'running'});
		removeRuns(colony);
		await colony.open('go');
		await reactor.event({kind: 'run.finished'});
		await expectStartedOnce(colony);
	});

	it('by a person while no reactor is alive', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		await colony.ask(create);
		const reactor = colony.follow();
		await colony.notes(1);
		await reactor.kill('SIGKILL');
		removeRuns(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
		await expectStartedOnce(colony);
	});
});
