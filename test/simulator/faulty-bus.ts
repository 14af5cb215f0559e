import {HiveError} from '../../source/domain/errors.ts';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import type {Bucket, Bus} from '../../source/ports/bus.ts';
import type {Random} from './random.ts';
import type {Owner, Scheduler} from './scheduler.ts';

/** The faults on the way to and from the outside world. */
export type Faults = {
	/**
	 * The probability that a call fails, equally often before and after its effect. 0 is a world without
	 * faults.
	 */
	rate: number;
	/** The probability that another process appends right before a conditional append, which then conflicts. */
	conflicts: number;
	/** The probability that a batch is delivered a second time. */
	echoes: number;
	/** The probability that a process is killed at a call, or at a named failpoint of the reactor. */
	deaths: number;
	/** True if calls failed at any time of the story. */
	readonly everFailed: boolean;
};

/** A process, and the function that kills it. */
type Mortal = {readonly owner: Owner; readonly die: () => void};

/** Makes one call to the outside. It takes time in both directions, and may fail in either. */
export const createCalls =
	(scheduler: Scheduler, random: Random, faults: Faults, {owner, die}: Mortal) =>
	async <Value>(work: () => Promise<Value>): Promise<Value> => {
		await scheduler.turn(owner);
		if (random.chance(faults.deaths)) {
			die();
			await scheduler.turn(owner);
		}
		if (random.chance(faults.rate / 2)) throw unreachable();
		const value = await work();
		await scheduler.turn(owner);
		if (random.chance(faults.rate / 2)) throw unreachable();
		return value;
	};

export type Calls = ReturnType<typeof createCalls>;

const unreachable = () => new HiveError('bus_unreachable', {message: 'A fault of the simulator.'});

/** Creates the bus as one process of the simulated world reaches it. */
export const createFaultyBus = (bus: Bus, calls: Calls, random: Random, faults: Faults): Bus => ({
	address: bus.address,
	isShared: bus.isShared,
	watchConnection: bus.watchConnection,
	append: (event, options) =>
		calls(async () => {
			if (options.after !== undefined) await interrupt(bus, event, random, faults);
			return bus.append(event, options);
		}),
	appendAll: (events, after) =>
		calls(async () => {
			const [first] = events;
			if (first !== undefined && after !== undefined) await interrupt(bus, first.event, random, faults);
			if (!random.chance(faults.rate)) return bus.appendAll(events, after);
			// A store without transactions keeps the events before the fault.
			const kept = events.slice(0, random.below(events.length));
			if (kept.length > 0) await bus.appendAll(kept, after);
			throw unreachable();
		}),
	read: options => batches(bus.read(options), calls, random),
	follow: options => echoed(batches(bus.follow(options), calls, random), random, faults),
	last: traceId => calls(() => bus.last(traceId)),
	heads: () => calls(bus.heads),
	forget: (traceId, before) => calls(() => bus.forget(traceId, before)),
	bucket: name => faultyBucket(bus.bucket(name), calls),
	blobs: {
		put: text => calls(() => bus.blobs.put(text)),
		get: hash => calls(() => bus.blobs.get(hash)),
		remove: hash => calls(() => bus.blobs.remove(hash)),
	},
	close: async () => {},
});

const interrupt = async (
	bus: Bus,
	{traceId}: NewEvent,
	random: Random,
	{conflicts}: Faults,
): Promise<void> => {
	if (!random.chance(conflicts)) return;
	const payload = {kind: 'context.note', summary: 'another writer was faster'};
	await bus.append({traceId, type: 'INSIGHT', payload}, {id: `noise/${random.hex(16)}`});
};

/** Splits events into batches of random size, each with its own delay. */
const batches = async function* (
	source: AsyncIterable<readonly StoredEvent[]>,
	calls: Calls,
	random: Random,
): AsyncGenerator<readonly StoredEvent[]> {
	for await (const batch of source) {
		for (let start = 0; start < batch.length; ) {
			const end = start + random.between(1, 8);
			yield await calls(async () => batch.slice(start, end));
			start = end;
		}
	}
};

const echoed = async function* (
	source: AsyncIterable<readonly StoredEvent[]>,
	random: Random,
	faults: Faults,
): AsyncGenerator<readonly StoredEvent[]> {
	for await (const batch of source) {
		yield batch;
		if (random.chance(faults.echoes)) yield batch;
	}
};

const faultyBucket = (bucket: Bucket, calls: Calls): Bucket => ({
	get: key => calls(() => bucket.get(key)),
	entries: () => calls(bucket.entries),
	create: (key, value) => calls(() => bucket.create(key, value)),
	update: (key, value, revision) => calls(() => bucket.update(key, value, revision)),
	delete: (key, revision) => calls(() => bucket.delete(key, revision)),
	watch: signal => bucket.watch(signal),
});
