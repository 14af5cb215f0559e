import {mkdir, mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {openDatabase} from '../../source/drivers/sqlite-bus/database.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {StoreOptions} from '../../source/drivers/sqlite-bus/store.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';

const event = (value: string): NewEvent => ({traceId: 'a', type: 'SIGNAL', payload: {kind: 'note', value}});
const unreachable = {refusal: {code: 'bus_unreachable'}};

let folder: string;
let file: string;
let opened: Bus[];

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-faults-'));
	file = join(folder, 'log.db');
	opened = [];
});
afterEach(async () => {
	for (const bus of opened) await bus.close();
	await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
});

const open = async (options: Partial<StoreOptions> = {}) => {
	const bus = await openSqliteBus({file, clock: wallClock, ...options});
	opened.push(bus);
	return bus;
};

test('a full disk refuses the whole batch with file and reason, and keeps existing events', async () => {
	const bus = await open({maxPages: 30});
	await bus.append(event('small'), {id: 'first'});
	const batch = await Promise.allSettled(
		Array.from({length: 10}, (_, index) => bus.append(event('x'.repeat(30_000)), {id: `${index}`})),
	);
	expect(batch.map(({status}) => status)).toEqual(Array(10).fill('rejected'));
	const [refused] = batch;
	expect(refused).toMatchObject({reason: {...unreachable, message: expect.stringContaining(file)}});
	expect(refused).toMatchObject({reason: {message: expect.stringContaining('disk is full')}});
	expect((await collect(bus.read({after: 0}))).map(({id}) => id)).toEqual(['first']);
	expect(await bus.append(event('small'), {id: 'second'})).toMatchObject({ok: true, duplicate: false});
});

test('a full disk refuses bucket and blob writes, and leaves existing values unchanged', async () => {
	const bus = await open({maxPages: 30});
	const revision = (await bus.bucket('b').create('a', 'old')) ?? Number.NaN;
	await expect(bus.bucket('b').update('a', 'x'.repeat(200_000), revision)).rejects.toMatchObject(unreachable);
	await expect(bus.blobs.put('x'.repeat(200_000))).rejects.toMatchObject(unreachable);
	expect(await bus.bucket('b').get('a')).toEqual({key: 'a', value: 'old', revision});
});

test('a store that another process locks too long refuses, and accepts the same append once it is free', async () => {
	const bus = await open({busyTimeoutMs: 20});
	const other = openDatabase(file, 0);
	other.exec('BEGIN IMMEDIATE');
	await expect(bus.append(event('1'), {id: 'one'})).rejects.toMatchObject({
		...unreachable,
		message: expect.stringContaining('Another process'),
	});
	other.exec('ROLLBACK');
	other.close();
	expect(await bus.append(event('1'), {id: 'one'})).toMatchObject({ok: true, duplicate: false});
});

test('a file that is no log, or a folder that cannot be created, is an error that names the path', async () => {
	await writeFile(file, 'not a database, '.repeat(1000));
	await expect(open()).rejects.toMatchObject({...unreachable, message: expect.stringContaining(file)});
	const below = join(file, 'log.db');
	await expect(open({file: below})).rejects.toMatchObject({
		...unreachable,
		message: expect.stringContaining(below),
	});
});

test('a log of a newer version can be read and followed, but not written', async () => {
	const bus = await open();
	await bus.append(event('1'), {id: 'one'});
	await bus.bucket('b').create('a', 'old');
	const newer = openDatabase(file, 0);
	newer.exec(`update meta set value = 99 where key = 'version'`);
	newer.close();
	const old = await open();
	const readOnly = {refusal: {code: 'read_only_log', hint: 'Update hive.'}};
	await expect(old.append(event('2'), {id: 'two'})).rejects.toMatchObject(readOnly);
	await expect(old.bucket('b').create('b', 'new')).rejects.toMatchObject(readOnly);
	await expect(old.blobs.put('text')).rejects.toMatchObject(readOnly);
	const {signal} = new AbortController();
	expect((await collect(old.follow({after: 0, signal}), 1)).map(({id}) => id)).toEqual(['one']);
	expect(await old.bucket('b').get('a')).toMatchObject({value: 'old'});
});

test('a follower receives the error of its store instead of waiting for ever', async () => {
	const bus = await open();
	const following = collect(bus.follow({after: 0, signal: new AbortController().signal}));
	const other = openDatabase(file, 1000);
	other.exec('drop table events');
	other.close();
	await expect(following).rejects.toMatchObject(unreachable);
});

test('the log is created with its folder, accessible only to its owner', async () => {
	await open({file: join(folder, 'new', 'deep', 'log.db')});
	const mode = async (path: string) => (await stat(join(folder, path))).mode & 0o777;
	expect(await mode('new/deep/log.db')).toBe(0o600);
	expect(await mode('new/deep/log.db-wal')).toBe(0o600);
	expect(await mode('new/deep')).toBe(0o700);
	await mkdir(join(folder, 'there'));
	await open({file: join(folder, 'there', 'log.db')});
});

test('a large write-ahead log is emptied when its writer closes', async () => {
	const bus = await open();
	for (let index = 0; index < 80; index++) await bus.append(event('x'.repeat(250_000)), {id: `${index}`});
	const large = (await stat(`${file}-wal`)).size;
	await bus.close();
	expect(large).toBeGreaterThan(16_000_000);
	expect((await stat(`${file}-wal`)).size).toBe(0);
	expect(await collect((await open()).read({after: 0}))).toHaveLength(80);
});
