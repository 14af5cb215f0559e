import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {RawLog} from '../../source/ports/raw-log.ts';
import {collect} from '../contract/collect.ts';
import {contentsOf, filePlace, keptOf, move, type Place, serverPlace} from './log-rig.ts';

const event = (traceId: string, value: unknown): NewEvent => ({
	traceId,
	agentId: 'bee',
	type: 'SIGNAL',
	payload: {kind: 'note', value},
});

type Step =
	| {readonly say: string; readonly value: unknown; readonly times: number}
	| {readonly forget: string}
	| {readonly keep: string; readonly value: string}
	| {readonly text: string};

const traceIds = fc.constantFrom('a', 'b', 'c');
const steps = fc.array(
	fc.oneof(
		fc.record({say: traceIds, value: fc.jsonValue(), times: fc.integer({min: 1, max: 30})}),
		fc.record({forget: traceIds}),
		fc.record({keep: fc.string({minLength: 1}), value: fc.string()}),
		fc.record({text: fc.string({unit: 'grapheme'})}),
	),
	{minLength: 1, maxLength: 25},
);

let said = 0;

const play = async (bus: Bus, story: readonly Step[]): Promise<void> => {
	for (const step of story) {
		if ('say' in step)
			for (let time = 0; time < step.times; time++)
				await bus.append(event(step.say, step.value), {id: `${step.say}/${said++}`});
		else if ('forget' in step) await bus.forget(step.forget, await bus.last(step.forget));
		else if ('keep' in step) {
			const bucket = bus.bucket('launched');
			const present = await bucket.get(step.keep);
			if (present === undefined) await bucket.create(step.keep, step.value);
			else await bucket.update(step.keep, step.value, present.revision);
		} else await bus.blobs.put(step.text);
	}
};

test('a log is unchanged by a move to a server and back: events, sequences, times, links, values, texts', async () => {
	await fc.assert(
		fc.asyncProperty(steps, async story => {
			const [first, there, second] = [await filePlace(), await serverPlace(), await filePlace()];
			const bus = await first.open();
			await bus.append(event('a', 'first'), {id: `first/${said++}`});
			await play(bus, story);
			const before = await contentsOf(await first.openRaw());
			await move(first, there);
			expect(await contentsOf(await there.openRaw())).toEqual(before);
			const again = await there.open();
			const next = await again.append(event('a', 'next'), {id: 'next'});
			expect(next).toMatchObject({ok: true, sequence: before.last + 1, duplicate: false});
			const [{event: oldest} = {event: undefined}] = before.events;
			if (oldest !== undefined)
				expect(await again.append(event(oldest.traceId, 'x'), {id: oldest.id})).toEqual({
					...{ok: true, sequence: oldest.sequence, duplicate: true},
				});
			await again.forget('a', await again.last('a'));
			const later = await contentsOf(await there.openRaw());
			await move(there, second);
			expect(await contentsOf(await second.openRaw())).toEqual(later);
		}),
		{numRuns: 12},
	);
}, 120_000);

const closed = {refusal: {code: 'log_moved'}};

const ways = [
	{way: 'a file', from: filePlace, to: serverPlace},
	{way: 'a server', from: serverPlace, to: filePlace},
] as const;

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'a log that was moved from $way refuses appends, also on open buses, and cannot be opened',
	async ({from, to}) => {
		const [here, there] = [await from(), await to()];
		const bus = await here.open();
		await bus.append(event('a', 1), {id: 'one'});
		await move(here, there);
		await expect(bus.append(event('a', 2), {id: 'two'})).rejects.toMatchObject(closed);
		await expect(bus.append(event('b', 2), {id: 'three', after: 0})).rejects.toMatchObject(closed);
		await expect(here.open()).rejects.toMatchObject(closed);
		expect((await collect((await there.open()).read({after: 0}))).map(({id}) => id)).toEqual(['one']);
	},
);

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'an interrupted copy cannot be opened, resumes where it stopped, and drops what the log from $way dropped since',
	async ({from, to}) => {
		const [here, there] = [await from(), await to()];
		const bus = await here.open();
		for (let index = 0; index < 5; index++) await bus.append(event('a', index), {id: `a${index}`});
		await bus.append(event('b', 0), {id: 'b0'});
		const [source, target] = [await here.openRaw(), await there.openRaw()];
		await target.begin({state: 'copying', from: 'here'});
		await target.put((await keptOf(source)).slice(0, 4));
		await expect(there.open()).rejects.toMatchObject({refusal: {code: 'log_half_copied'}});
		await bus.forget('a', await bus.last('a'));
		await bus.append(event('b', 1), {id: 'b1'});
		expect(await move(here, there)).toMatchObject({events: 3});
		const events = await collect((await there.open()).read({after: 0}));
		expect(events.map(({id, sequence}) => [id, sequence])).toEqual([
			['a4', 5],
			['b0', 6],
			['b1', 7],
		]);
		expect(await move(here, there), 'a repeated move').toMatchObject({events: 3});
	},
);

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'a log from $way is not moved onto an existing or half-copied log, and stays open then',
	async ({from, to}) => {
		const [here, full, half] = [await from(), await to(), await to()];
		const bus = await here.open();
		await bus.append(event('a', 1), {id: 'one'});
		await (await full.open()).append(event('b', 1), {id: 'other'});
		await (await half.openRaw()).begin({state: 'copying', from: 'elsewhere'});
		for (const place of [full, half]) {
			const before = await contentsOf(await place.openRaw());
			await expect(move(here, place)).rejects.toMatchObject({refusal: {code: 'bus_not_empty'}});
			expect(await contentsOf(await place.openRaw())).toEqual(before);
		}
		const busy = new Error('busy');
		const empty = await to();
		await expect(move(here, empty, {expectQuiet: () => Promise.reject(busy)})).rejects.toBe(busy);
		expect((await (await empty.openRaw()).mark())?.state).toBeUndefined();
		expect(await bus.append(event('a', 2), {id: 'two'})).toMatchObject({ok: true, sequence: 2});
	},
);

test('the cursor of pending runs moves to the key of its new store, and back', async () => {
	const [here, there, back] = [await filePlace(), await serverPlace(), await filePlace()];
	const bus = await here.open();
	await bus.append(event('a', 1), {id: 'one'});
	const cursor = JSON.stringify({sequence: 1, owed: []});
	await bus.bucket('reactor').create('considered', cursor);
	await move(here, there);
	const shared = await there.open();
	expect((await shared.bucket('reactor').entries()).map(({key, value}) => [key, value])).toEqual([
		['considered.c1', cursor],
	]);
	await move(there, back);
	expect((await (await back.open()).bucket('reactor').get('considered'))?.value).toBe(cursor);
});

/** Returns the same log, which fails after a number of modifying calls. */
const cutAfter = (log: RawLog, left: {calls: number}): RawLog => {
	const counted =
		<Input extends unknown[], Output>(work: (...input: Input) => Promise<Output>) =>
		async (...input: Input): Promise<Output> => {
			left.calls -= 1;
			if (left.calls < 0) throw new Error('cut');
			const done = await work(...input);
			left.calls -= 1;
			if (left.calls < 0) throw new Error('cut');
			return done;
		};
	const {bus} = log;
	const bucket = (name: string) => {
		const {create, update, delete: remove, ...rest} = bus.bucket(name);
		return {...rest, create: counted(create), update: counted(update), delete: counted(remove)};
	};
	return {
		...log,
		bus: {...bus, bucket, blobs: {...bus.blobs, put: counted(bus.blobs.put)}},
		begin: counted(log.begin),
		put: counted(log.put),
		endAt: counted(log.endAt),
		shut: counted(log.shut),
		open: counted(log.open),
	};
};

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'a move from $way that is interrupted at any step is completed by repeating it, and two logs are never open',
	async ({from, to}) => {
		let cuts = 0;
		for (let steps = 0; ; steps++) {
			const [here, there] = [await from(), await to()];
			const bus = await here.open();
			for (let index = 0; index < 4; index++) await bus.append(event('a', index), {id: `a${index}`});
			await bus.append(event('b', 0), {id: 'b0'});
			await bus.forget('a', await bus.last('a'));
			await bus.bucket('launched').create('run', '1');
			await bus.bucket('reactor').create('considered', JSON.stringify({sequence: 5, owed: []}));
			await bus.blobs.put('a text');
			const before = await contentsOf(await here.openRaw());
			const [source, target] = [await here.openRaw(), await there.openRaw()];
			const left = {calls: steps};
			const more = {source: cutAfter(source, left), target: cutAfter(target, left)};
			const wasCut = await move(here, there, more).then(
				() => false,
				() => true,
			);
			if (wasCut) cuts += 1;
			// An empty store would be opened as a new colony.
			const begun = (await target.last()) === 0 ? [here] : [here, there];
			const opened = await Promise.allSettled(begun.map(place => place.open()));
			expect(opened.filter(({status}) => status === 'fulfilled').length).toBeLessThan(2);
			await move(here, there);
			const after = await contentsOf(await there.openRaw());
			expect([after.last, after.events, after.texts]).toEqual([before.last, before.events, before.texts]);
			expect(after.buckets.launched).toEqual(before.buckets.launched);
			expect(after.buckets.forgotten).toEqual(before.buckets.forgotten);
			if (!wasCut) break;
		}
		expect(cuts).toBeGreaterThan(15);
	},
	120_000,
);
