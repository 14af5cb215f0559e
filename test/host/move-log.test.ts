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
});

test('a log moves between the same two places again and again, and each time nothing but its place changes', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(steps, {minLength: 2, maxLength: 5}), async stories => {
			const [file, server] = [await filePlace(), await serverPlace()];
			await (await file.open()).append(event('a', 'first'), {id: `first/${said++}`});
			for (const [index, story] of stories.entries()) {
				const [here, there] = index % 2 === 0 ? [file, server] : [server, file];
				await play(await here.open(), story);
				const before = await contentsOf(await here.openRaw());
				await move(here, there);
				expect(await contentsOf(await there.openRaw())).toEqual(before);
				await expect(here.open()).rejects.toMatchObject(closed);
			}
		}),
		{numRuns: 12},
	);
});

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

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'a log from $way is not moved onto a closed log that has an event which it lacks, unless that is to be replaced',
	async ({from, to}) => {
		const [here, there] = [await from(), await to()];
		const bus = await here.open();
		await bus.append(event('a', 1), {id: 'one'});
		await move(here, there);
		const [apart, elsewhere] = [await from(), await from()];
		await (await apart.open()).append(event('a', 1), {id: 'another'});
		await move(there, elsewhere);
		const before = await contentsOf(await there.openRaw());
		await expect(move(apart, there)).rejects.toMatchObject({
			refusal: {code: 'bus_not_empty', hint: expect.stringContaining('--replace')},
		});
		expect(await contentsOf(await there.openRaw())).toEqual(before);
		expect(await move(apart, there, {replace: true})).toMatchObject({events: 1});
		expect((await collect((await there.open()).read({after: 0}))).map(({id}) => id)).toEqual(['another']);
	},
);

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'an open log is never replaced by one from $way, but leftovers without events and unfinished copies are',
	async ({from, to}) => {
		const [here, full, half, rest] = [await from(), await to(), await to(), await to()];
		await (await here.open()).append(event('a', 1), {id: 'one'});
		await (await full.open()).append(event('b', 1), {id: 'other'});
		const before = await contentsOf(await full.openRaw());
		await expect(move(here, full, {replace: true})).rejects.toMatchObject({refusal: {code: 'bus_not_empty'}});
		expect(await contentsOf(await full.openRaw())).toEqual(before);
		const copy = await half.openRaw();
		await copy.begin({state: 'copying', from: 'elsewhere'});
		await copy.put(await keptOf(await full.openRaw()));
		await copy.bus.blobs.put('a text');
		await (await rest.open()).bucket('ledger').create('b', 'a value');
		const wanted = await contentsOf(await here.openRaw());
		for (const place of [half, rest]) {
			const [source, last] = [await from(), await place.openRaw()];
			const bus = await source.open();
			await bus.append(event('a', 1), {id: 'one'});
			await bus.bucket('ledger').create('a', 'of this log');
			await expect(move(source, place)).rejects.toMatchObject({
				refusal: {code: 'bus_not_empty', hint: expect.stringContaining('--replace')},
			});
			await move(source, place, {replace: true});
			const {events} = await contentsOf(last);
			expect(events.map(({event: one}) => one?.id)).toEqual(wanted.events.map(({event: one}) => one?.id));
			expect(await last.hashes()).toEqual([]);
			expect((await last.bus.bucket('ledger').entries()).map(({value}) => value)).toEqual(['of this log']);
		}
	},
);

test('a closed log that the moved log went on from is not opened again by repeating the move', async () => {
	const [here, there, elsewhere] = [await filePlace(), await serverPlace(), await filePlace()];
	await (await here.open()).append(event('a', 1), {id: 'one'});
	await move(here, there);
	await move(there, elsewhere);
	for (const replace of [false, true])
		await expect(move(here, there, {replace})).rejects.toMatchObject(closed);
	expect((await (await there.openRaw()).mark())?.state).toBe('moved');
	await (await elsewhere.open()).append(event('a', 2), {id: 'two'});
});

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
		resume: counted(log.resume),
		clear: counted(log.clear),
		drop: counted(log.drop),
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

test.each<{way: string; from: () => Promise<Place>; to: () => Promise<Place>}>(ways)(
	'a move from $way and back that is interrupted at any step is completed by repeating it, and never are two logs open',
	async ({from, to}) => {
		let cuts = 0;
		for (let steps = 0; ; steps++) {
			const [here, there] = [await to(), await from()];
			const bus = await here.open();
			for (let index = 0; index < 4; index++) await bus.append(event('a', index), {id: `a${index}`});
			await bus.append(event('b', 0), {id: 'b0'});
			await bus.bucket('launched').create('run', '1');
			await bus.blobs.put('a text');
			await move(here, there);
			const moved = await there.open();
			await moved.forget('a', await moved.last('a'));
			await moved.append(event('b', 1), {id: 'b1'});
			const launched = moved.bucket('launched');
			await launched.delete('run', (await launched.get('run'))?.revision ?? 0);
			await moved.blobs.put('another text');
			const before = await contentsOf(await there.openRaw());
			const left = {calls: steps};
			const more = {
				source: cutAfter(await there.openRaw(), left),
				target: cutAfter(await here.openRaw(), left),
			};
			const wasCut = await move(there, here, more).then(
				() => false,
				() => true,
			);
			if (wasCut) cuts += 1;
			const opened = await Promise.allSettled([here, there].map(place => place.open()));
			expect(opened.filter(({status}) => status === 'fulfilled').length).toBeLessThan(2);
			await move(there, here);
			expect(await contentsOf(await here.openRaw())).toEqual(before);
			if (!wasCut) break;
		}
		expect(cuts).toBeGreaterThan(10);
	},
	120_000,
);
