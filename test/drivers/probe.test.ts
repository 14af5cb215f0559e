import {chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {isForeignCommand} from '../../source/drivers/foreign-command.ts';
import {probeStore} from '../../source/drivers/sqlite-bus/probe.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {item, planOf} from '../helpers/events.ts';

const scratch = async (): Promise<string> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-probe-'));
	onTestFinished(() => rm(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));
	return folder;
};

const openBus = (folder: string) =>
	openSqliteBus({file: join(folder, 'events.sqlite'), clock: createSystemClock()});

describe('probing the log', () => {
	it('reports an intact log, and changes or creates no file', async () => {
		const folder = await scratch();
		const bus = await openBus(folder);
		await bus.append(planOf(item('a')), {id: '1'});
		await bus.close();
		const bytes = async () =>
			Promise.all(
				['events.sqlite', 'events.sqlite-wal'].map(async name =>
					(await readFile(join(folder, name))).toString('hex'),
				),
			);
		const [names, before] = [await readdir(folder), await bytes()];
		expect(await probeStore(join(folder, 'events.sqlite'))).toEqual({state: 'sound'});
		expect(await readdir(folder)).toEqual(names);
		expect(await bytes()).toEqual(before);
	});

	it('reports an intact log while another process has it open', async () => {
		const folder = await scratch();
		const bus = await openBus(folder);
		await bus.append(planOf(item('a')), {id: '1'});
		expect(await probeStore(join(folder, 'events.sqlite'))).toEqual({state: 'sound'});
		await bus.append(planOf(item('b')), {id: '2'});
		expect(await bus.last()).toBe(2);
		await bus.close();
	});

	it('creates nothing where there is no log', async () => {
		const folder = await scratch();
		expect(await probeStore(join(folder, 'deep', 'events.sqlite'))).toEqual({state: 'absent'});
		expect(await readdir(folder)).toEqual([]);
	});

	it('reports why a log cannot be used', async () => {
		const folder = await scratch();
		await writeFile(
			join(folder, 'events.sqlite'),
			'not a database at all, but long enough to be read as one',
		);
		expect(await probeStore(join(folder, 'events.sqlite'))).toEqual({
			state: 'broken',
			reason: expect.stringContaining('not a database'),
		});
	});

	it('recognises the log of a newer hive', async () => {
		const folder = await scratch();
		const file = join(folder, 'events.sqlite');
		await (await openBus(folder)).close();
		const database = new DatabaseSync(file);
		database.exec(`update meta set value = 99 where key = 'version'`);
		database.close();
		expect(await probeStore(file)).toEqual({state: 'newer'});
	});
});

describe('a command named hive', () => {
	it('is recognised as this hive through links and launchers, and as foreign otherwise', async () => {
		const folder = await scratch();
		const own = join(folder, 'dist');
		await mkdir(own);
		await writeFile(join(own, 'hive.cjs'), '');
		await symlink(join(own, 'hive.cjs'), join(folder, 'linked'));
		await writeFile(join(folder, 'launcher'), '#!/bin/sh\nexec node "$basedir/../hive/dist/hive.cjs" "$@"\n');
		await writeFile(join(folder, 'other'), '#!/bin/sh\nexec java -jar warehouse.jar\n');
		await writeFile(join(folder, 'program'), Buffer.alloc(5000));
		await chmod(join(folder, 'other'), 0o755);
		const answers = ['linked', 'launcher', 'other', 'program'].map(name =>
			isForeignCommand(join(folder, name), own),
		);
		expect(await Promise.all(answers)).toEqual([false, false, true, true]);
	});
});
