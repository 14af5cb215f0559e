import {readFile, writeFileSync} from 'node:fs';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {openConfiguration} from '../../../source/colony/configuration/store.ts';
import {readYamlUncached} from '../../../source/colony/parse/read-yaml-uncached.ts';
import {createFiles} from '../../../source/drivers/files.ts';
import type {Files} from '../../../source/ports/files.ts';
import {createSingleTimer} from '../../helpers/single-timer.ts';
import {filesInMemory} from '../files-in-memory.ts';
import {writer} from './writer.ts';

const root = '/repo';
const folder = '/home/shop';
const prompt = '/repo/.hive/prompts/do.md';
const partial = '/repo/.hive/prompts/_partials/part.md';

type Watch = {readonly path: string; readonly signal: AbortSignal; readonly call: (name: string) => void};

/** Follows a colony on a disk that delivers file notifications only when told to, to the current watchers. */
const follow = async () => {
	const {files, texts} = filesInMemory({
		'/repo/.hive/colony.yaml': 'slug: shop\n',
		[prompt]: 'first',
		'/home/shop/config.yaml': 'colony_root: /repo\nslug: shop\n',
	});
	const watches: Watch[] = [];
	const deliveries: (() => void)[] = [];
	let onRead = (_path: string): void => {};
	let reads = 0;
	/** What waits for its promise: the next read of the file `read`, and removals. */
	const held = {read: '', until: Promise.resolve(), removal: Promise.resolve()};
	const disk: Files = {
		...files,
		read: async path => {
			const text = await files.read(path);
			if (path === prompt) reads++;
			onRead(path);
			if (path === held.read) {
				held.read = '';
				await held.until;
			}
			return text;
		},
		write: async (path, text) => {
			await files.write(path, text);
			change(path, text);
		},
		remove: async path => {
			await held.removal;
			await files.remove(path);
			change(path, undefined);
		},
		size: async path =>
			[...texts.keys()].some(key => key.startsWith(`${path}/`)) ? 4096 : texts.get(path)?.length,
		watch: (path, signal, call) => void watches.push({path, signal, call}),
	};
	const change = (path: string, text: string | undefined): void => {
		if (text === undefined) texts.delete(path);
		else texts.set(path, text);
		const watching = watches.filter(watch => watch.path === dirname(path) && !watch.signal.aborted);
		deliveries.push(() => {
			for (const {signal, call} of watching) if (!signal.aborted) call(path);
		});
	};
	const deliver = (): void => {
		for (const notify of deliveries.splice(0)) notify();
	};
	const timer = createSingleTimer();
	const ending = new AbortController();
	onTestFinished(() => ending.abort());
	const inForce: ReadonlyMap<string, string>[] = [];
	const {signal} = ending;
	const lock = {take: () => true, release: () => {}};
	const store = await openConfiguration(
		{files: disk, clock: timer.clock, lock, readYaml: readYamlUncached},
		{root, folder},
	);
	const {caughtUp} = await store.follow({
		signal,
		changed: () => inForce.push(store.current().colony.prompts),
	});
	return {
		...{...store, change, deliver, caughtUp, inForce, disk},
		/** Until the returned function is called. */
		holdRemoval: () => {
			let letGo = () => {};
			held.removal = new Promise(resolve => {
				letGo = resolve;
			});
			return letGo;
		},
		/** Holds the next read of that file until the returned function is called. */
		holdRead: (path: string) => {
			let letGo = () => {};
			held.read = path;
			held.until = new Promise(resolve => {
				letGo = resolve;
			});
			return letGo;
		},
		/** Returns how often the prompt was read. */
		reads: () => reads,
		/** Calls this once, right after that file is read. */
		afterReading: (wanted: string, call: () => void) => {
			onRead = path => {
				if (path !== wanted) return;
				onRead = () => {};
				call();
			};
		},
		/** Delivers all notifications, waits for all reads, and returns what is in force. */
		quiet: async () => {
			for (;;) {
				deliver();
				if (!timer.isSet()) return inForce.at(-1);
				timer.fire();
				await new Promise(setImmediate);
			}
		},
	};
};

it('a change during a read causes one more read', async () => {
	const {change, afterReading, quiet} = await follow();
	await quiet();
	change(prompt, 'second');
	afterReading(prompt, () => change(prompt, 'third'));
	expect(await quiet()).toEqual(new Map([['do.md', 'third']]));
});

it('a change in a folder that is new causes one more read', async () => {
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

it('a notified change counts for a caller that asks before the delayed read', async () => {
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

it('a file that is written before a request counts in it, within one turn of the event loop', async () => {
	const here = await realpath(await mkdtemp(join(tmpdir(), 'hive-follow-')));
	const ending = new AbortController();
	onTestFinished(async () => {
		ending.abort();
		await rm(here, {recursive: true, force: true});
	});
	const files = createFiles();
	await files.write(join(here, '.hive/colony.yaml'), 'slug: shop\n');
	await files.makeFolder(join(here, '.hive/bees'));
	await files.write(join(here, 'machine/config.yaml'), `colony_root: ${here}\nslug: shop\n`);
	const lock = {take: () => true, release: () => {}};
	const {clock} = createSingleTimer();
	const store = await openConfiguration(
		{files, clock, lock, readYaml: readYamlUncached},
		{root: here, folder: join(here, 'machine')},
	);
	const {caughtUp} = await store.follow({signal: ending.signal, changed: () => {}});
	await caughtUp();
	const late = join(here, '.hive/bees/late.yaml');
	// The marker file of another process is read after the last check for notifications.
	await new Promise<void>((resolve, reject) =>
		readFile(join(here, '.hive/colony.yaml'), () => {
			writeFileSync(late, 'adapter: script\ncommand: [echo]\n');
			caughtUp().then(resolve, reject);
		}),
	);
	expect([...store.current().colony.bees.keys()]).toEqual(['late']);
});

it('a file that cannot be read is read again later', async () => {
	const {change, afterReading, quiet} = await follow();
	await quiet();
	change(prompt, 'second');
	afterReading(prompt, () => {
		throw new Error('EMFILE: too many open files');
	});
	expect(await quiet()).toEqual(new Map([['do.md', 'second']]));
});

it("this process's own writer records cause no read", async () => {
	const {beginWriting, endWriting, settled, deliver, caughtUp, quiet, reads} = await follow();
	await quiet();
	await beginWriting(writer('run a'));
	const before = reads();
	deliver();
	await caughtUp();
	await beginWriting(writer('run b'));
	await settled();
	await quiet();
	expect(reads()).toBe(before);
	await endWriting('run a');
	await endWriting('run b');
	const surveyed = reads();
	await quiet();
	expect(reads()).toBe(surveyed);
});

it('writers and acceptances of another process count at once, even if this process writes afterwards', async () => {
	const {beginWriting, endWriting, change, disk, deliver, caughtUp, quiet, current} = await follow();
	const isHeld = () => current().colony.problems.some(({message}) => message.includes('not yet in force'));
	await quiet();
	await beginWriting(writer('run a'));
	change(prompt, 'second');
	deliver();
	await caughtUp();
	expect(isHeld()).toBe(true);
	// Another process accepts the change, and this process writes again before the notification arrives.
	const file = '/home/shop/configuration/seen.json';
	const {open, texts} = JSON.parse((await disk.read(file)) ?? '');
	const accepted = texts.map(([path, text]: [string, string]) => [path, path === prompt ? 'second' : text]);
	await disk.write(file, JSON.stringify({open, texts: accepted, waiting: []}));
	await endWriting('run a');
	deliver();
	await caughtUp();
	expect(isHeld()).toBe(false);
	expect(current().colony.prompts.get('do.md')).toBe('second');
});

it("a person's change during the removal of the last writer counts in the end", async () => {
	const {beginWriting, endWriting, change, holdRemoval, deliver, caughtUp, quiet, current} = await follow();
	const isHeld = () => current().colony.problems.some(({message}) => message.includes('not yet in force'));
	await quiet();
	await beginWriting(writer('run a'));
	await quiet();
	const letGo = holdRemoval();
	const ended = endWriting('run a');
	await new Promise(setImmediate);
	change(prompt, 'second');
	deliver();
	await caughtUp();
	expect(isHeld()).toBe(true);
	letGo();
	await ended;
	await quiet();
	expect([isHeld(), current().colony.prompts.get('do.md')]).toEqual([false, 'second']);
});

it('an acceptance of another process counts, even if this process writes during its read', async () => {
	const {beginWriting, endWriting, change, holdRemoval, holdRead, disk, deliver, caughtUp, quiet, current} =
		await follow();
	const isHeld = () => current().colony.problems.some(({message}) => message.includes('not yet in force'));
	await quiet();
	await beginWriting(writer('run a'));
	change(prompt, 'second');
	deliver();
	await caughtUp();
	expect(isHeld()).toBe(true);
	const file = '/home/shop/configuration/seen.json';
	const {open, texts} = JSON.parse((await disk.read(file)) ?? '');
	const accepted = texts.map(([path, text]: [string, string]) => [path, path === prompt ? 'second' : text]);
	await disk.write(file, JSON.stringify({open, texts: accepted, waiting: []}));
	deliver();
	const goOn = holdRead(file);
	const looked = caughtUp();
	await new Promise(setImmediate);
	const remove = holdRemoval();
	const ended = endWriting('run a');
	await new Promise(setImmediate);
	goOn();
	await looked;
	expect(isHeld()).toBe(false);
	remove();
	await ended;
});
