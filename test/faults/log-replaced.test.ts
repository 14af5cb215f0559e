import {cp, mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';

const store = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch');
const files = ['events.sqlite', 'events.sqlite-wal', 'events.sqlite-shm'];

const wipe = async (colony: ColonyOnDisk): Promise<void> => {
	for (const name of files) await rm(join(store(colony), name), {force: true});
};

const copy = async (from: string, to: string): Promise<void> => {
	await mkdir(to, {recursive: true});
	for (const name of files) await cp(join(from, name), join(to, name)).catch(() => {});
};

const work = async (colony: ColonyOnDisk, trace: string): Promise<void> => {
	await colony.ask(['task', 'create', '--trace', trace, '--title', 'x', '--bee', 'plain']);
	await colony.hive(['run', '--until-idle']);
};

const start = () => createColony({bees: {plain: {script: 'true'}}});

const traces = async (colony: ColonyOnDisk): Promise<string[]> =>
	(await colony.ask<{traces: {traceId: string}[]}>(['status'])).traces.map(({traceId}) => traceId);

/** Expects every command to report the replaced log with the next step, and to write nothing. */
const expectReported = async (colony: ColonyOnDisk, words: string): Promise<void> => {
	for (const args of [['status'], ['run', '--until-idle'], ['task', 'create', '--title', 'y']]) {
		const {exitCode, stdout, stderr} = await colony.hive(args);
		expect([args[0], exitCode, stdout]).toEqual([args[0], 5, '']);
		expect(stderr).toContain(words);
		expect(stderr).toContain('.hive/runs/.newest');
	}
	await expectOfDoctor(colony, words);
};

const expectOfDoctor = async (colony: ColonyOnDisk, words: string): Promise<void> => {
	const {findings} = await colony.ask<{findings: object[]}>(['doctor'], {exit: 5});
	expect(findings).toContainEqual(
		expect.objectContaining({rule: 'log-whole', level: 'error', message: expect.stringContaining(words)}),
	);
};

test('an emptied log is reported, no trace is rebuilt from files, and the restored log works', async () => {
	const colony = await start();
	await work(colony, 'one');
	await copy(store(colony), join(colony.home, 'kept'));
	await wipe(colony);
	await expectOfDoctor(colony, 'it is not there, and .hive/runs was written from event');
	await expectReported(colony, 'it ends at event 0');
	await wipe(colony);
	await copy(join(colony.home, 'kept'), store(colony));
	expect(await traces(colony)).toEqual(['one']);
});

test('a truncated log is reported, and is used once a person accepts it', async () => {
	const colony = await start();
	await work(colony, 'one');
	await copy(store(colony), join(colony.home, 'kept'));
	await work(colony, 'two');
	await wipe(colony);
	await copy(join(colony.home, 'kept'), store(colony));
	await expectReported(colony, '.hive/runs was written from event');
	await rm(join(colony.root, '.hive/runs/.newest'));
	expect(await traces(colony)).toEqual(['one']);
});

test('a different log of the same or a greater length is reported', async () => {
	const [colony, other] = await Promise.all([start(), start()]);
	await work(colony, 'one');
	await work(other, 'strange');
	await wipe(colony);
	await copy(store(other), store(colony));
	await expectReported(colony, 'is not the one that .hive/runs was written from');
});
