import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {hashFiles} from '../helpers/repository.ts';

const rebuild = ['doctor', '--rebuild'];

const createTask = (traceId: string) => ['task', 'create', '--trace', traceId, '--task', 'a', '-b', 'x'];

const runsFolder = ({root}: ColonyOnDisk): string => join(root, '.hive/runs');

const removeProjection = async (colony: ColonyOnDisk): Promise<void> => {
	const names = await readdir(runsFolder(colony));
	for (const traceId of names.filter(name => name !== '.newest'))
		await rm(join(runsFolder(colony), traceId, 'tasks'), {recursive: true, force: true});
};

describe('hive doctor --rebuild', () => {
	it('rebuilds the files of every task from the log, finished and killed traces included, and no others (docs/reliability.md I11)', async () => {
		const colony = await createColony({bees: {builder: {script: 'echo done'}}});
		for (const traceId of ['over', 'killed', 'purged']) await colony.ask(createTask(traceId));
		await colony.ask(['kill', '--trace', 'killed']);
		await colony.hive(['run', '--until-idle']);
		await colony.ask(['purge', '--trace', 'purged', '--confirm', 'purged']);
		const before = await hashFiles(runsFolder(colony));
		expect(Object.keys(before)).toEqual(
			expect.arrayContaining(['over/tasks/a/task.md', 'over/tasks/a/runs.ndjson', 'killed/tasks/a/task.md']),
		);
		expect(await colony.ask(rebuild)).toMatchObject({rebuilt: {traces: 0, tasks: 0}});
		await removeProjection(colony);
		expect(await colony.ask(rebuild)).toMatchObject({rebuilt: {traces: 2, tasks: 2}});
		expect(await hashFiles(runsFolder(colony))).toEqual(before);

		await colony.write('.hive/runs/killed/tasks/a/task.md', 'what somebody wrote');
		await colony.write('.hive/runs/killed/tasks/a/mine.md', 'what is not the projection');
		expect((await colony.hive(rebuild)).stdout).toMatch(/^Wrote the files of 1 task in 1 trace again\.\n/);
		await colony.remove('.hive/runs/killed/tasks/a/mine.md');
		expect(await hashFiles(runsFolder(colony))).toEqual(before);
		expect((await colony.hive(rebuild)).stdout).toMatch(/^The files of every task match the log\.\n/);
	});

	it('is harmless while a reactor runs', async () => {
		const colony = await createColony({bees: {builder: {...builder, script: 'wait_for go'}}});
		await colony.ask(createTask('live'));
		const reactor = colony.follow();
		await colony.notes(1);
		await removeProjection(colony);
		expect(await colony.ask(rebuild)).toMatchObject({rebuilt: {traces: 1, tasks: 1}});
		expect(await colony.read('.hive/runs/live/tasks/a/task.md')).toContain('status: "running"');
		await colony.open('go');
		await reactor.event({kind: 'run.finished'});
		await reactor.kill('SIGTERM');
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		expect(await colony.read('.hive/runs/live/tasks/a/task.md')).toContain('status: "completed"');
		expect(await colony.ask(rebuild)).toMatchObject({rebuilt: {traces: 0, tasks: 0}});
	});

	it('is refused when the log cannot be read, and writes nothing', async () => {
		const colony = await createColony({bees: {builder: {script: 'echo done'}}});
		await colony.ask(createTask('over'));
		await colony.hive(['run', '--until-idle']);
		await removeProjection(colony);
		const newest = await colony.read('.hive/runs/.newest');
		await colony.write('.hive/runs/.newest', newest.replace(/^.*\n/, '1000 unknown\n'));
		expect(await colony.ask(rebuild, {exit: 5})).toMatchObject({ok: false, error: {code: 'log_replaced'}});
		expect(await colony.exists('.hive/runs/over/tasks')).toBe(false);
	});
});
