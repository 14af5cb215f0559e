import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {jetstreamManager} from '@nats-io/jetstream';
import {expect, onTestFinished, test} from 'vitest';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {connect} from '../../source/drivers/nats-bus/connect.ts';
import {namesOf} from '../../source/drivers/nats-bus/names.ts';
import {openDatabase} from '../../source/drivers/sqlite-bus/database.ts';
import {rebuildCheckpoints} from '../../source/host/log-admin/rebuild-checkpoints.ts';
import {verifyLog} from '../../source/host/log-admin/verify-log.ts';
import {replaceCheckpoint} from '../../source/ledger/checkpoint-store.ts';
import {loadTrace, openLedger} from '../../source/ledger/ledger.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {writeNewest} from '../../source/runs/newest-event.ts';
import {projectTrace} from '../../source/runs/projection.ts';
import {collect} from '../contract/collect.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';
import {filePlace, move, type Place, serverPlace} from './log-rig.ts';

const files = createFiles();
const git = createGit();

const rootFolder = async (): Promise<string> => {
	const root = await mkdtemp(join(tmpdir(), 'hive-verify-'));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	return root;
};

const plan = (traceId: string, title: string): NewEvent => ({
	traceId,
	agentId: 'human',
	type: 'SIGNAL',
	energyBudget: 12,
	payload: {kind: 'task.plan', tasks: [{taskId: `${traceId}-task`, title, body: 'b', bee: 'builder'}]},
});
const note = (traceId: string, value: unknown): NewEvent => ({
	traceId,
	type: 'INSIGHT',
	payload: {kind: 'context.note', body: `${value}`},
});

const checkout = 'here';

/** Writes two traces with checkpoints, task files and a large text, and one event of a third trace. */
const write = async (bus: Bus, root: string): Promise<readonly StoredEvent[]> => {
	for (const traceId of ['a', 'b']) {
		await bus.append(plan(traceId, `Work on ${traceId}`), {id: `${traceId}/plan`, after: 0});
		for (let index = 0; index < 3; index++)
			await bus.append(note(traceId, index), {id: `${traceId}/${index}`});
	}
	const ref = await bus.blobs.put('a large text');
	await bus.append(
		{traceId: 'a', type: 'MUTATION', payload: {kind: 'code.proposal', diff: '', ref}},
		{id: 'a/proposal'},
	);
	const ledger = await openLedger(bus);
	await ledger.checkpoint();
	for (const trace of ledger.traces().values()) await projectTrace(files, root, undefined, trace);
	await bus.append(note('a', 'since'), {id: 'a/since'});
	await bus.append(note('c', 'alone'), {id: 'c/alone'});
	const events = await collect(bus.read({after: 0}));
	const [newest] = events.slice(-2);
	if (newest !== undefined) await writeNewest(files, {root, checkout}, newest, bus.address);
	return events;
};

const verify = async (place: Place, root: string) =>
	verifyLog(await place.openRaw(), files, git, {root, checkout});
const found = async (place: Place, root: string) =>
	(await verify(place, root)).findings.map(({about, where}) => `${about} ${where}`);

const purge = async (bus: Bus, traceId: string): Promise<void> => {
	const event: NewEvent = {traceId, type: 'SIGNAL', payload: {kind: 'trace.purged'}};
	const purged = await bus.append(event, {id: `${traceId}/purged`});
	await replaceCheckpoint(bus, await loadTrace(bus, traceId));
	if (purged.ok) await bus.forget(traceId, purged.sequence);
};

const places = [
	{kind: 'file', make: filePlace},
	{kind: 'server', make: serverPlace},
] as const;

test.each<{kind: string; make: () => Promise<Place>}>(places)(
	'verification of an intact log on a $kind has no findings, also after purges and a move',
	async ({make}) => {
		const [place, root] = [await make(), await rootFolder()];
		const bus = await place.open();
		const events = await write(bus, root);
		expect(await verify(place, root)).toMatchObject({
			...{events: events.length, sums: events.length, traces: 3, checkpoints: 2, files: 2, texts: 1},
			findings: [],
		});
		await purge(bus, 'b');
		expect(await found(place, root)).toEqual([]);
		for (const other of [await serverPlace(), await filePlace()]) {
			await move(place, other).catch(() => undefined);
			if ((await (await other.openRaw()).last()) > 0) expect(await found(other, root)).toEqual([]);
		}
	},
);

/** Changes a file directly, bypassing hive. */
const byHand = (file: string, statement: string): void => {
	const database = openDatabase(file, 1000);
	database.exec(statement);
	database.close();
};

test('verification finds every deleted event of a file, and every event with a changed byte', async () => {
	const [place, root] = [await filePlace(), await rootFolder()];
	const bus = await place.open();
	const events = await write(bus, root);
	await bus.close();
	for (const {sequence} of events) {
		byHand(place.file, `create table kept as select * from events where sequence = ${sequence}`);
		const back = () =>
			byHand(
				place.file,
				`delete from events where sequence in (${sequence}, 99); insert into events select * from kept`,
			);
		byHand(place.file, `delete from events where sequence = ${sequence}`);
		expect(await found(place, root)).toContain(`event ${sequence}`);
		for (const change of [
			`body = replace(body, '"kind":"', '"kind":"X')`,
			`body = body || ' '`,
			`body = substr(body, 2)`,
			`id = id || 'x'`,
			`at = replace(at, '20', '19')`,
			`trace_id = 'other'`,
			'previous = previous + 1',
			'previous = null',
			`sum = 'x'`,
			'sum = null',
			'sequence = 99',
		]) {
			back();
			byHand(place.file, `update events set ${change} where sequence = ${sequence}`);
			const about = (await found(place, root)).filter(each => /^event (\d+-)?(99|\d+)/.test(each));
			expect([change, sequence, about]).not.toEqual([change, sequence, []]);
		}
		back();
		byHand(place.file, 'drop table kept');
		expect(await found(place, root)).toEqual([]);
	}
});

test('verification finds every deleted event of a server', async () => {
	const {url, port} = await serverOfWorker();
	const connection = await connect({servers: [url], shown: `127.0.0.1:${port}`});
	onTestFinished(() => connection.close());
	const manager = await jetstreamManager(connection);
	const count = 11;
	for (let sequence = 1; sequence <= count; sequence++) {
		const [place, root] = [await serverPlace(), await rootFolder()];
		const events = await write(await place.open(), root);
		expect(events.length).toBe(count);
		await manager.streams.deleteMessage(namesOf(place.id).stream, sequence);
		expect(await found(place, root)).toContain(`event ${sequence}`);
	}
});

test('foreign messages on a server are not events, and are not missed after a move', async () => {
	const {url, port} = await serverOfWorker();
	const [place, root] = [await serverPlace(), await rootFolder()];
	const bus = await place.open();
	await bus.append(note('a', 1), {id: 'one'});
	const connection = await connect({servers: [url], shown: `127.0.0.1:${port}`});
	onTestFinished(() => connection.close());
	await connection.request(namesOf(place.id).subjectOf('a'), 'no event');
	await bus.append(note('a', 2), {id: 'two'});
	expect(await found(place, root)).toEqual([]);
	const file = await filePlace();
	await move(place, file);
	expect(await found(file, root)).toEqual([]);
	const events = await collect((await file.open()).read({after: 0}));
	expect(events.map(({sequence}) => sequence)).toEqual([1, 3]);
});

test.each<{kind: string; make: () => Promise<Place>}>(places)(
	'verification on a $kind finds and rebuilds a changed checkpoint, and finds one that is ahead',
	async ({make}) => {
		const [place, root] = [await make(), await rootFolder()];
		const bus = await place.open();
		await write(bus, root);
		const bucket = bus.bucket('ledger');
		const change = async (traceId: string, to: (value: string) => string) => {
			const entry = await bucket.get(traceId);
			await bucket.update(traceId, to(entry?.value ?? ''), entry?.revision ?? 0);
		};
		await change('a', value => value.replace('Work on a', 'Work on b'));
		await change('b', value => value.slice(1));
		expect(await found(place, root)).toEqual(['checkpoint b', 'checkpoint a']);
		expect(await rebuildCheckpoints(await place.openRaw())).toBe(2);
		expect(await found(place, root)).toEqual([]);
		await change('a', value => value.replace(/"sequence":\d+/, '"sequence":50'));
		expect(await found(place, root)).toEqual(['checkpoint a']);
	},
);

test('verification finds changed or missing task files, but accepts files that are behind or ahead', async () => {
	const [place, root] = [await filePlace(), await rootFolder()];
	const bus = await place.open();
	await write(bus, root);
	const plan2 = (): NewEvent => ({
		...plan('a', ''),
		payload: {kind: 'task.plan', tasks: [{taskId: 'later', title: 'x', body: 'b', bee: 'builder'}]},
	});
	await bus.append(plan2(), {id: 'a/later'});
	expect(await found(place, root), 'files behind the log').toEqual([]);
	const trace = (await openLedger(bus)).snapshot('a');
	await projectTrace(files, root, undefined, trace);
	expect(await found(place, root), 'files ahead of the log').toEqual([]);
	const file = '.hive/runs/a/tasks/a-task/task.md';
	const text = (await files.read(join(root, file))) ?? '';
	await files.write(join(root, file), text.replace('Work', 'Play'));
	expect(await found(place, root)).toEqual([`file ${file}`]);
	await files.remove(join(root, file));
	expect(await found(place, root)).toEqual([`file ${file}`]);
});

test('verification finds a missing and a changed large text', async () => {
	const [place, root] = [await filePlace(), await rootFolder()];
	const bus = await place.open();
	await write(bus, root);
	const [hash = ''] = await (await place.openRaw()).hashes();
	byHand(place.file, `update blobs set content = 'another'`);
	expect(await found(place, root)).toEqual([`text ${hash}`]);
	await bus.blobs.remove(hash);
	expect(await found(place, root)).toEqual([`text ${hash}`]);
});

test('verification of a log that an older hive also wrote checks as much as possible', async () => {
	const [place, root] = [await filePlace(), await rootFolder()];
	const database = openDatabase(place.file, 1000);
	database.exec(`
		create table meta (key text primary key, value any) strict;
		create table events (sequence integer primary key autoincrement, trace_id text not null, id text not null unique,
			at text not null, body text not null) strict;
		create index events_by_trace on events (trace_id);
		create table buckets (revision integer primary key, bucket text not null, key text not null, value text, unique (bucket, key)) strict;
		create table blobs (hash text primary key, content text not null) strict;
		insert into meta values ('version', 1)`);
	const insert = database.prepare('insert into events (trace_id, id, at, body) values (?, ?, ?, ?)');
	const old = (id: string) => insert.run('a', id, '2026-01-01T00:00:00.000Z', JSON.stringify(note('a', id)));
	for (const id of ['1', '2', '3', '4']) old(id);
	database.exec('delete from events where sequence < 3');
	const bus = await place.open();
	expect((await collect(bus.read({after: 0}))).map(({id}) => id)).toEqual(['3', '4']);
	await bus.append(note('a', 5), {id: '5'});
	old('6');
	await bus.append(note('a', 7), {id: '7'});
	database.close();
	expect(await verify(place, root)).toMatchObject({events: 5, sums: 2, findings: []});
	byHand(place.file, `delete from events where id = '6'`);
	expect(await found(place, root)).toEqual(['event 6']);
});

test('verification finds an event with an invalid trace id, and does not process its trace', async () => {
	const [place, root] = [await filePlace(), await rootFolder()];
	const bus = await place.open();
	await bus.append(note('a', 1), {id: '1'});
	const evil = JSON.stringify({...note('../../victim', 2), payload: {kind: 'trace.purged'}});
	byHand(
		place.file,
		`insert into events (trace_id, id, at, body) values ('../../victim', '2', '2026-01-01T00:00:00.000Z', '${evil}')`,
	);
	const {findings, traces} = await verify(place, root);
	expect(findings).toMatchObject([
		{about: 'event', where: '2', message: 'Event 2 is left out: the traceId "../../victim" is not an id.'},
	]);
	expect(traces).toBe(1);
	expect([...(await openLedger(bus)).traces().keys()]).toEqual(['a']);
	expect((await loadTrace(bus, '../../victim')).sequence).toBe(0);
});

test('verification has no findings while events are appended, purged and checkpointed', async () => {
	for (const make of [filePlace, serverPlace]) {
		const [place, root] = [await make(), await rootFolder()];
		const bus = await place.open();
		await write(bus, root);
		let isOver = false;
		const working = (async () => {
			for (let round = 0; !isOver; round++) {
				const traceId = `t${round % 5}-${Math.floor(round / 50)}`;
				await bus.append(note(traceId, round), {id: `${traceId}/${round}`});
				if (round % 7 === 0) await (await openLedger(bus)).checkpoint();
				if (round % 11 !== 0) continue;
				await purge(bus, traceId);
			}
		})();
		for (let look = 0; look < 15; look++) expect(await found(place, root)).toEqual([]);
		isOver = true;
		await working;
	}
});
