import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {emptyTrace} from '../../source/domain/trace.ts';
import {decodeTrace, encodeTrace, foldVersion} from '../../source/ledger/checkpoint.ts';
import {loadTrace, openLedger, openLiveLedger} from '../../source/ledger/ledger.ts';
import type {Bucket, Bus} from '../../source/ports/bus.ts';
import {item, planOf} from '../helpers/events.ts';
import {busDrivers, type OpenedBus} from './bus-drivers.ts';

const put = async (bus: Bus, bucket: string, key: string, value: string | undefined): Promise<void> => {
	const store = bus.bucket(bucket);
	const present = await store.get(key);
	if (present !== undefined) await store.delete(key, present.revision);
	if (value !== undefined) await store.create(key, value);
};

/** Returns a note that no trace is live. */
const noteOf = (version: number, sequence: number): string => JSON.stringify({version, sequence, live: []});

const replaced = expect.objectContaining({refusal: expect.objectContaining({code: 'log_replaced'})});

describe.each(busDrivers)('checkpoints beside the log, $name', ({open}) => {
	let opened: OpenedBus;
	beforeEach(async () => {
		opened = await open();
		for (const [index, traceId] of ['one', 'two', 'one'].entries()) {
			await opened.bus.append({...planOf(item(`task-${index}`)), traceId}, {id: `id-${index}`});
		}
		await (await openLedger(opened.bus)).checkpoint();
	});
	afterEach(() => opened.dispose());

	test('a checkpoint ahead of the log is refused by every reader', async () => {
		const {bus, peer} = opened;
		await put(bus, 'ledger', 'one', encodeTrace({...emptyTrace('one'), sequence: 4}));
		await expect(openLedger(peer)).rejects.toEqual(replaced);
		await expect(loadTrace(peer, 'one')).rejects.toEqual(replaced);
		expect((await loadTrace(peer, 'two')).tasks.size).toBe(1);
	});

	test("a checkpoint at the sequence of another trace's event is refused", async () => {
		await put(opened.bus, 'ledger', 'two', encodeTrace({...emptyTrace('two'), sequence: 3}));
		await expect(openLedger(opened.peer)).rejects.toEqual(replaced);
		await expect(loadTrace(opened.peer, 'two')).rejects.toEqual(replaced);
	});

	test('a trace that was unloaded while its checkpoint was written is not stored as an empty one', async () => {
		const {bus} = opened;
		const whole = await loadTrace(bus, 'two');
		await put(bus, 'ledger', 'two', undefined);
		let write = (): void => {};
		const held = new Promise<void>(resolve => {
			write = resolve;
		});
		let calls = 0;
		const bucket: Bus['bucket'] = name => {
			const store = bus.bucket(name);
			const isHeld = name === 'ledger' && calls++ === 0;
			return isHeld ? {...store, get: key => held.then(() => store.get(key))} : store;
		};
		const ledger = await openLedger({...bus, bucket});
		calls = 0;
		const slow = ledger.checkpoint();
		await ledger.checkpoint();
		expect(ledger.forget('two')).toBe(true);
		write();
		await slow;
		await ledger.checkpoint();
		const entry = await bus.bucket('ledger').get('two');
		expect(decodeTrace(entry?.value ?? '')).toEqual(whole);
	});

	test('a note of live traces ahead of the log is refused', async () => {
		await put(opened.bus, 'ledger-live', 'live', noteOf(foldVersion, 9));
		await expect(openLiveLedger(opened.peer)).rejects.toEqual(replaced);
	});

	test('a note of live traces from another fold version is ignored, and its checkpoints are rebuilt', async () => {
		const {bus, peer} = opened;
		const {sequence} = (await openLedger(bus)).snapshot('one');
		await put(bus, 'ledger-live', 'live', noteOf(foldVersion, sequence));
		expect((await openLiveLedger(peer)).traces().size).toBe(0);
		await put(bus, 'ledger-live', 'live', noteOf(foldVersion - 1, sequence));
		expect((await openLiveLedger(peer)).traces().size).toBe(2);
	});

	test.each([
		['a lost checkpoint', 'ledger', 'one', undefined],
		['a torn checkpoint', 'ledger', 'one', '{"version":1,"sequ'],
		['an old checkpoint', 'ledger', 'one', encodeTrace(emptyTrace('one'))],
	])('%s is rebuilt from the log', async (_, bucket, key, value) => {
		const {bus, peer} = opened;
		const before = (await openLedger(bus)).traces();
		await put(bus, bucket, key, value);
		const ledger = await openLedger(peer);
		expect(new Map(ledger.traces())).toEqual(new Map(before));
		expect(await loadTrace(peer, 'one')).toEqual(before.get('one'));
		await ledger.checkpoint();
		expect(new Map((await openLedger(bus)).traces())).toEqual(new Map(before));
	});

	test.each([
		['lost', undefined],
		['torn', '{"version":1,"sequ'],
	])(
		'an older checkpoint of a lagging process does not replace a newer checkpoint that was %s',
		async (_, value) => {
			const {bus, peer} = opened;
			await bus.append({...planOf(item('task-3')), traceId: 'three'}, {id: 'id-3'});
			const behind = await openLedger(peer);
			await bus.append({...planOf(item('task-4')), traceId: 'three'}, {id: 'id-4'});
			await (await openLedger(bus)).checkpoint();
			await put(bus, 'ledger', 'three', value);
			await behind.checkpoint();
			expect([...(await openLedger(bus)).snapshot('three').tasks.keys()]).toEqual(['task-3', 'task-4']);
		},
	);

	test('a process rewrites its checkpoint without reading it, unless another process wrote it since', async () => {
		const {bus, peer} = opened;
		const read: string[] = [];
		const bucketOf = (name: string): Bucket => {
			const bucket = bus.bucket(name);
			const get: Bucket['get'] = async key => {
				read.push(`${name} ${key}`);
				return bucket.get(key);
			};
			return {...bucket, get};
		};
		const ledger = await openLedger({...bus, bucket: bucketOf});
		const say = async (index: number): Promise<void> => {
			await bus.append({...planOf(item(`task-${index}`)), traceId: 'one'}, {id: `id-${index}`});
			for await (const events of bus.read({after: ledger.position()})) ledger.apply(events);
			read.length = 0;
			await ledger.checkpoint();
		};
		await say(3);
		expect(read).toEqual(['ledger one']);
		await say(4);
		expect(read).toEqual([]);
		await (await openLedger(peer)).checkpoint();
		await put(peer, 'ledger', 'one', encodeTrace((await openLedger(peer)).snapshot('one')));
		await say(5);
		expect(read).toEqual(['ledger one']);
		expect([...(await loadTrace(peer, 'one')).tasks.keys()]).toEqual([
			'task-0',
			'task-2',
			'task-3',
			'task-4',
			'task-5',
		]);
	});

	test('a lost checkpoint is detected, although a younger trace was checkpointed later', async () => {
		const {bus, peer} = opened;
		await bus.append({...planOf(item('task-3')), traceId: 'three'}, {id: 'id-3'});
		await put(bus, 'ledger', 'three', encodeTrace(await loadTrace(bus, 'three')));
		const before = (await openLedger(bus)).traces();
		await put(bus, 'ledger', 'one', undefined);
		await bus.append({...planOf(item('task-4')), traceId: 'one'}, {id: 'id-4'});
		const ledger = await openLedger(peer);
		expect([...ledger.snapshot('one').tasks.keys()]).toEqual(['task-0', 'task-2', 'task-4']);
		expect(ledger.snapshot('three')).toEqual(before.get('three'));
	});
});
