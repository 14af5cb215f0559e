import {dirname} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {openConfiguration} from '../../../source/colony/configuration/store.ts';
import {readAnew} from '../../../source/colony/read-anew.ts';
import type {Clock} from '../../../source/ports/clock.ts';
import type {Files} from '../../../source/ports/files.ts';
import {filesInMemory} from '../files-in-memory.ts';

const root = '/repo';
const folder = '/home/shop';
const prompt = '/repo/.hive/prompts/do.md';
const partial = '/repo/.hive/prompts/_partials/part.md';

type Watch = {readonly path: string; readonly signal: AbortSignal; readonly call: (name: string) => void};

/** A colony that is followed, on a disk whose notifications come only when they are delivered, to who still watches then. */
const follow = async () => {
	const {files, texts} = filesInMemory({
		'/repo/.hive/colony.yaml': 'slug: shop\n',
		[prompt]: 'first',
		'/home/shop/config.yaml': 'colony_root: /repo\nslug: shop\n',
	});
	const watches: Watch[] = [];
	const deliveries: (() => void)[] = [];
	let onRead = (_path: string): void => {};
	const disk: Files = {
		...files,
		read: async path => {
			const text = await files.read(path);
			onRead(path);
			return text;
		},
		size: async path =>
			[...texts.keys()].some(key => key.startsWith(`${path}/`)) ? 4096 : texts.get(path)?.length,
		watch: (path, signal, call) => void watches.push({path, signal, call}),
	};
	const change = (path: string, text: string): void => {
		texts.set(path, text);
		const watching = watches.filter(watch => watch.path === dirname(path) && !watch.signal.aborted);
		deliveries.push(() => {
			for (const {signal, call} of watching) if (!signal.aborted) call(path);
		});
	};
	const deliver = (): void => {
		for (const notify of deliveries.splice(0)) notify();
	};
	let due: (() => void) | undefined;
	const clock: Clock = {
		now: () => 0,
		elapsed: () => 0,
		after: (_, call) => {
			due = call;
			return () => {
				due = undefined;
			};
		},
	};
	const ending = new AbortController();
	onTestFinished(() => ending.abort());
	const inForce: ReadonlyMap<string, string>[] = [];
	const {signal} = ending;
	const lock = () => ({take: () => true, release: () => {}});
	const store = await openConfiguration({files: disk, clock, lock, readYaml: readAnew}, {root, folder});
	const {caughtUp} = await store.follow({
		signal,
		changed: () => inForce.push(store.current().colony.prompts),
	});
	return {
		...{change, deliver, caughtUp, inForce},
		/** Does this once, right after that file was read. */
		afterReading: (wanted: string, call: () => void) => {
			onRead = path => {
				if (path !== wanted) return;
				onRead = () => {};
				call();
			};
		},
		/** What is in force when all notifications were delivered and everything was read. */
		quiet: async () => {
			for (;;) {
				deliver();
				if (due === undefined) return inForce.at(-1);
				const call = due;
				due = undefined;
				call();
				await new Promise(setImmediate);
			}
		},
	};
};

it('reads once more what changes in the middle of a reading', async () => {
	const {change, afterReading, quiet} = await follow();
	await quiet();
	change(prompt, 'second');
	afterReading(prompt, () => change(prompt, 'third'));
	expect(await quiet()).toEqual(new Map([['do.md', 'third']]));
});

it('reads once more what changes in a folder that was not there before', async () => {
	const {change, afterReading, quiet} = await follow();
	await quiet();
	change(prompt, 'second');
	change(partial, 'second');
	afterReading(partial, () => change(partial, 'third'));
	expect(await quiet()).toEqual(
		new Map([
			['do.md', 'second'],
			['_partials/part.md', 'third'],
		]),
	);
});

it('has what it was notified of count for whoever asks, before it would read by itself', async () => {
	const {change, deliver, caughtUp, quiet, inForce} = await follow();
	await quiet();
	const before = inForce.length;
	await caughtUp();
	expect(inForce).toHaveLength(before);
	change(prompt, 'second');
	deliver();
	await caughtUp();
	expect(inForce.at(-1)).toEqual(new Map([['do.md', 'second']]));
});

it('reads a while later what could not be read', async () => {
	const {change, afterReading, quiet} = await follow();
	await quiet();
	change(prompt, 'second');
	afterReading(prompt, () => {
		throw new Error('EMFILE: too many open files');
	});
	expect(await quiet()).toEqual(new Map([['do.md', 'second']]));
});
