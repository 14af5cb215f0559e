import {afterEach, expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import type {Bucket, Bus} from '../../source/ports/bus.ts';
import {addOf, item, planOf} from '../helpers/events.ts';
import {createRig, type Rig} from './rig.ts';
import {colonyOf, scout} from './scene.ts';

let rig: Rig | undefined;
const rigged = (): Rig => {
	rig = createRig({colony: colonyOf([scout])});
	return rig;
};
afterEach(() => rig?.close());

const of = (traceId: string, event: NewEvent): NewEvent => ({...event, traceId});
const notes = (traceId: string, count: number): NewEvent[] =>
	Array.from({length: count}, () => of(traceId, addOf(1)));

/** Wraps the bus and counts the events read from it. */
const counted = (bus: Bus) => {
	const read = {events: 0};
	const counting: Bus = {
		...bus,
		read: async function* (options) {
			for await (const events of bus.read(options)) {
				read.events += events.length;
				yield events;
			}
		},
	};
	return {read, counting};
};

/** Wraps the bus and replaces some methods of one bucket. */
const withBucket = (bus: Bus, wanted: string, change: (bucket: Bucket) => Partial<Bucket>): Bus => ({
	...bus,
	bucket: name => (name === wanted ? {...bus.bucket(name), ...change(bus.bucket(name))} : bus.bucket(name)),
});

const expectSame = async (bus: Bus, other: Bus): Promise<void> => {
	const bare: Bus = {
		...other,
		bucket: () => ({...other.bucket('none'), get: async () => undefined, entries: async () => []}),
	};
	expect((await openLedger(bus)).traces()).toEqual((await openLedger(bare)).traces());
};

test('a reactor that closed leaves few events for the next reactor to read', async () => {
	const {start, say, bus} = rigged();
	await say(...notes('one', 300));
	const first = await start();
	await first.idle();
	await first.close();
	await say(...notes('one', 5));
	const {read, counting} = counted(bus);
	const {traces} = await openLedger(counting);
	expect(traces().get('one')).toMatchObject({sequence: 305, energyRemaining: 305});
	expect(read.events).toBe(5);
});

test('a reactor that never closes writes checkpoints while it runs', async () => {
	const {start, say, bus} = rigged();
	const reactor = await start();
	await say(...notes('one', 250));
	await reactor.idle();
	const {read, counting} = counted(bus);
	await openLedger(counting);
	expect(read.events).toBeLessThan(60);
});

test('a checkpoint whose write failed is written with the next checkpoints', async () => {
	const {say, bus} = rigged();
	await say(of('one', planOf(item('a'))), of('two', planOf(item('a'))));
	let broken = true;
	const full = withBucket(bus, 'ledger', ({create}) => ({
		create: async (key, value) => {
			if (broken && key === 'two') throw new HiveError('bus_unreachable', {message: 'disk full'});
			return create(key, value);
		},
	}));
	const ledger = await openLedger(full);
	ledger.apply([]);
	await expect(ledger.checkpoint()).rejects.toThrow('disk full');
	broken = false;
	await say(...notes('three', 1));
	for await (const events of bus.read({after: 2})) ledger.apply(events);
	await ledger.checkpoint();
	await expectSame(bus, bus);
	expect((await openLedger(bus)).traces().get('two')?.tasks.size).toBe(1);
});

test('a checkpoint is written although another process stored an older one first', async () => {
	const {say, bus} = rigged();
	await say(...notes('one', 2));
	const slow = await openLedger(bus);
	await say(...notes('one', 2));
	let overtaken = false;
	const racing = withBucket(bus, 'ledger', ({create, update}) => {
		const first = async () => {
			if (overtaken) return;
			overtaken = true;
			await slow.checkpoint();
		};
		return {
			create: (key, value) => first().then(() => create(key, value)),
			update: (key, value, revision) => first().then(() => update(key, value, revision)),
		};
	});
	const fast = await openLedger(racing);
	await fast.checkpoint();
	expect(overtaken).toBe(true);
	await expectSame(bus, bus);
});

test('a ledger that opens while checkpoints are written misses no event', async () => {
	const {say, bus} = rigged();
	await say(...notes('one', 3));
	const writer = await openLedger(bus);
	await writer.checkpoint();
	await say(...notes('one', 3));
	for await (const events of bus.read({after: 3})) writer.apply(events);
	const meanwhile = withBucket(bus, 'ledger', ({entries}) => ({
		entries: async () => {
			const before = await entries();
			await writer.checkpoint();
			return before;
		},
	}));
	expect((await openLedger(meanwhile)).traces().get('one')?.sequence).toBe(6);
});

test('a large trace is checkpointed after a share of new events, and completely when the reactor closes', async () => {
	const {say, bus} = rigged();
	await say(of('large', planOf(...Array.from({length: 400}, (_, index) => item(`task-${index}`)))));
	let written = 0;
	const ledger = await openLedger(
		withBucket(bus, 'ledger', ({create, update}) => ({
			create: (key, value) => create(key, value).finally(() => written++),
			update: (key, value, revision) => update(key, value, revision).finally(() => written++),
		})),
	);
	await ledger.checkpoint(() => true, {eventWeight: 4, isOwn: () => true});
	expect(written).toBe(1);
	for (let said = 0; said < 200; said++) {
		await say(...notes('large', 1));
		for await (const events of bus.read({after: ledger.position()})) ledger.apply(events);
		await ledger.checkpoint(() => true, {eventWeight: 4, isOwn: () => true});
	}
	expect(written).toBe(3);
	await say(...notes('large', 1));
	for await (const events of bus.read({after: ledger.position()})) ledger.apply(events);
	await ledger.checkpoint(() => true);
	expect(written).toBe(4);
	await expectSame(bus, bus);
});

test('a fold of an older version does not replace the checkpoint of a newer fold', async () => {
	const {say, bus} = rigged();
	await say(...notes('one', 3));
	const newer = '{"version":99,"sequence":1,"traceId":"one"}';
	await bus.bucket('ledger').create('one', newer);
	await (await openLedger(bus)).checkpoint();
	expect((await bus.bucket('ledger').get('one'))?.value).toBe(newer);
	expect((await openLedger(bus)).traces().get('one')?.sequence).toBe(3);
});
