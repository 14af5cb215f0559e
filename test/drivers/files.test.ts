import {once} from 'node:events';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';

const files = createFiles();
let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'hive-files-'));
});
afterEach(() => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));

const at = (...names: string[]): string => join(folder, ...names);

describe('writing a file', () => {
	test('replaces the file in one step and leaves nothing else behind', async () => {
		await files.write(at('a', 'b', 'file'), 'one');
		const {ino} = statSync(at('a', 'b', 'file'));
		await files.write(at('a', 'b', 'file'), 'two');
		expect(readFileSync(at('a', 'b', 'file'), 'utf8')).toBe('two');
		expect(statSync(at('a', 'b', 'file')).ino).not.toBe(ino);
		expect(readdirSync(at('a', 'b'))).toEqual(['file']);
	});

	test('gives the file the requested mode', async () => {
		await files.write(at('secret'), '', {mode: 0o600});
		await files.create(at('other'), '', {mode: 0o600});
		expect([statSync(at('secret')).mode & 0o777, statSync(at('other')).mode & 0o777]).toEqual([0o600, 0o600]);
	});

	test('creates private folders for a private file, and private files and folders of runs', async () => {
		const run = at('.hive', 'runs', 't', 'run');
		await files.write(at('new', 'deep', 'secret'), '', {mode: 0o600});
		await files.createFolder(run, {one: ''});
		await files.append(join(run, 'two'), '');
		await files.create(join(run, 'in', 'three'), '');
		await files.makeFolder(at('.hive', 'worktrees', 't'));
		const modes = (...paths: string[]) => paths.map(path => statSync(path).mode & 0o777);
		expect(modes(at('new'), at('new', 'deep'))).toEqual([0o700, 0o700]);
		expect(modes(at('.hive', 'runs'), at('.hive', 'runs', 't'), run, join(run, 'in'))).toEqual(
			Array.from({length: 4}, () => 0o700),
		);
		expect(modes(join(run, 'one'), join(run, 'two'), join(run, 'in', 'three'))).toEqual([
			0o600, 0o600, 0o600,
		]);
		const usual = 0o777 & ~process.umask();
		expect(modes(at('.hive'), at('.hive', 'worktrees'), at('.hive', 'worktrees', 't'))).toEqual([
			usual,
			usual,
			usual,
		]);
	});

	test('concurrently leaves one of the texts complete', async () => {
		const texts = Array.from({length: 20}, (_, index) => String(index).repeat(10_000));
		await Promise.all(texts.map(text => files.write(at('file'), text)));
		expect(texts).toContain(readFileSync(at('file'), 'utf8'));
		expect(readdirSync(folder)).toEqual(['file']);
	});

	test('can append, and creates the file and its folder', async () => {
		await files.append(at('log', 'lines'), 'one\n');
		await files.append(at('log', 'lines'), 'two\n');
		expect(readFileSync(at('log', 'lines'), 'utf8')).toBe('one\ntwo\n');
	});

	test('can be exclusive: one of several concurrent creators succeeds', async () => {
		const made = await Promise.all(['a', 'b', 'c'].map(text => files.create(at('file'), text)));
		expect(made.filter(Boolean)).toHaveLength(1);
		expect(readFileSync(at('file'), 'utf8')).toBe(['a', 'b', 'c'][made.indexOf(true)]);
	});
});

describe('creating a folder with its files', () => {
	const texts = {one: 'first', two: 'second'};

	test('gives the folder its mode and all files, and leaves nothing else behind', async () => {
		expect(await files.createFolder(at('runs', 'new'), texts, {mode: 0o700})).toBe(true);
		expect(readdirSync(at('runs'))).toEqual(['new']);
		expect(statSync(at('runs', 'new')).mode & 0o777).toBe(0o700);
		expect(readdirSync(at('runs', 'new'))).toEqual(['one', 'two']);
		expect(readFileSync(at('runs', 'new', 'two'), 'utf8')).toBe('second');
	});

	test('leaves an existing folder or file unchanged', async () => {
		mkdirSync(at('there'));
		writeFileSync(at('there', 'one'), 'theirs');
		writeFileSync(at('file'), 'theirs');
		expect(await files.createFolder(at('there'), texts)).toBe(false);
		expect(await files.createFolder(at('file'), texts)).toBe(false);
		expect(readFileSync(at('there', 'one'), 'utf8')).toBe('theirs');
		expect(readdirSync(folder).toSorted()).toEqual(['file', 'there']);
	});

	test('is refused at a link, and below one', async () => {
		mkdirSync(at('elsewhere'));
		symlinkSync(at('elsewhere'), at('link'));
		await expect(files.createFolder(at('link'), texts)).rejects.toThrow('symbolic link');
		await expect(files.createFolder(at('link', 'new'), texts)).rejects.toThrow('symbolic link');
		expect(readdirSync(at('elsewhere'))).toEqual([]);
	});

	test('does not replace an existing folder, so a watch on it stays valid', async () => {
		mkdirSync(at('watched'));
		const {ino} = statSync(at('watched'));
		expect(await files.createFolder(at('watched'), texts)).toBe(false);
		expect(statSync(at('watched')).ino).toBe(ino);
		expect(readdirSync(at('watched'))).toEqual([]);
	});

	test('succeeds for one of several concurrent callers', async () => {
		const made = await Promise.all(['a', 'b', 'c'].map(one => files.createFolder(at('new'), {one})));
		expect(made.filter(Boolean)).toHaveLength(1);
		expect(readFileSync(at('new', 'one'), 'utf8')).toBe(['a', 'b', 'c'][made.indexOf(true)]);
	});

	test('reports the path that could not be created', async () => {
		await expect(files.createFolder(at('new'), {'a/b': ''})).rejects.toThrow(
			/Could not create .*new: no such file/,
		);
	});
});

describe('a cached parent folder of colony files', () => {
	const run = (...names: string[]) => at('.hive', 'runs', 'trace', ...names);

	test('is checked again in the next turn of the event loop', async () => {
		await files.write(run('agent', 'one'), 'text');
		await files.write(run('agent', 'one'), 'another');
		await new Promise(setImmediate);
		rmSync(run('agent'), {recursive: true});
		mkdirSync(at('elsewhere'));
		symlinkSync(at('elsewhere'), run('agent'));
		await expect(files.write(run('agent', 'two'), 'text')).rejects.toThrow('symbolic link');
		await expect(files.read(run('agent', 'one'))).rejects.toThrow('symbolic link');
		expect(readdirSync(at('elsewhere'))).toEqual([]);
	});

	test('is created again at once after it was moved or removed', async () => {
		await files.write(run('agent', 'one'), 'text');
		await files.move(run('agent'), run('other'));
		await files.write(run('agent', 'two'), 'text');
		expect([readdirSync(run('agent')), readdirSync(run('other'))]).toEqual([['two'], ['one']]);
		await files.remove(run('agent'));
		await files.write(run('agent', 'three'), 'text');
		expect(readdirSync(run('agent'))).toEqual(['three']);
	});
});

describe('writing never follows a link', () => {
	const writers = {
		write: () => files.write(at('place', 'file'), 'mine'),
		append: () => files.append(at('place', 'file'), 'mine'),
		create: () => files.create(at('place', 'file'), 'mine'),
	};

	test.each(Object.entries(writers))('with %s, when the file is a link', async (_, write) => {
		mkdirSync(at('place'));
		writeFileSync(at('target'), 'theirs');
		symlinkSync(at('target'), at('place', 'file'));
		await expect(write()).rejects.toThrow(`${at('place', 'file')} is a symbolic link`);
		expect(readFileSync(at('target'), 'utf8')).toBe('theirs');
	});

	test.each(Object.entries(writers))('with %s, when the folder of the file is a link', async (_, write) => {
		mkdirSync(at('elsewhere'));
		symlinkSync(at('elsewhere'), at('place'));
		await expect(write()).rejects.toThrow(`${at('place')} is a symbolic link`);
		expect(readdirSync(at('elsewhere'))).toEqual([]);
	});

	test('when the link has no target yet', async () => {
		symlinkSync(at('not-there'), at('file'));
		await expect(files.append(at('file'), 'mine')).rejects.toThrow('symbolic link');
		expect(existsSync(at('not-there'))).toBe(false);
	});
});

describe('reading a file', () => {
	test('returns nothing for a missing file', async () => {
		expect(await files.read(at('none'))).toBeUndefined();
		expect(await files.size(at('none'))).toBeUndefined();
		expect(await files.list(at('none'))).toEqual([]);
		await files.remove(at('none'));
	});

	test('treats a path below a file as absent, and a file in place of a folder as an error', async () => {
		writeFileSync(at('file'), '');
		expect(await files.read(at('file', 'below'))).toBeUndefined();
		expect(await files.size(at('file', 'below'))).toBeUndefined();
		await expect(files.list(at('file'))).rejects.toThrow('not a directory');
	});

	test('returns text, size and sorted names', async () => {
		for (const name of ['b', 'a', 'c']) writeFileSync(at(name), 'zwölf');
		expect(await files.read(at('a'))).toBe('zwölf');
		expect(await files.size(at('a'))).toBe(6);
		expect(await files.list(folder)).toEqual(['a', 'b', 'c']);
	});

	test('returns a byte range, cut at the end of the file', async () => {
		writeFileSync(at('file'), 'abcdef');
		expect(Buffer.from(await files.readBytes(at('file'), 2, 3)).toString()).toBe('cde');
		expect(Buffer.from(await files.readBytes(at('file'), 4, 10)).toString()).toBe('ef');
	});
});

describe('removing a folder', () => {
	test.skipIf(process.getuid?.() === 0)('also removes read-only folders inside', async () => {
		mkdirSync(at('spool', 'closed', 'inner'), {recursive: true});
		writeFileSync(at('spool', 'closed', 'inner', 'file'), '');
		chmodSync(at('spool', 'closed', 'inner'), 0);
		chmodSync(at('spool', 'closed'), 0o500);
		await files.remove(at('spool'));
		expect(existsSync(at('spool'))).toBe(false);
	});
});

describe('a file system error names the path and the reason', () => {
	test('when a folder is where the file should be', async () => {
		mkdirSync(at('folder', 'within'), {recursive: true});
		await expect(files.write(at('folder'), '')).rejects.toThrow(/^Could not write .*folder: .*directory/);
		expect(readdirSync(folder)).toEqual(['folder']);
	});

	test('when the disk is full', async () => {
		const full = {name: 'HiveError', message: 'Could not write /dev/full: no space left on device.'};
		await expect(files.append('/dev/full', 'text')).rejects.toMatchObject(full);
	});

	test.skipIf(process.getuid?.() === 0)('when the folder is not writable', async () => {
		mkdirSync(at('closed'));
		chmodSync(at('closed'), 0o500);
		await expect(files.write(at('closed', 'file'), '')).rejects.toThrow(/closed.*permission denied/);
	});
});

describe('watching a folder', () => {
	const recorder = () => {
		const events = new EventTarget();
		return {
			call: (name: string) => events.dispatchEvent(new Event(name)),
			nextOf: (name: string) => once(events, name),
		};
	};

	test('creates a missing folder, and reports names that change from then on', async () => {
		const {call, nextOf} = recorder();
		const changed = nextOf('file');
		const stop = new AbortController();
		files.watch(at('later'), stop.signal, call);
		await files.write(at('later', 'file'), 'text');
		await changed;
		stop.abort();
	});

	test('falls back to a timer where the system offers no watch', () => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
		onTestFinished(() => void vi.useRealTimers());
		writeFileSync(at('file'), '');
		const names: string[] = [];
		const stop = new AbortController();
		files.watch(at('file', 'below'), stop.signal, name => names.push(name));
		vi.advanceTimersByTime(10_000);
		expect(names.length).toBeGreaterThan(1);
		expect(new Set(names)).toEqual(new Set(['']));
		stop.abort();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('survives the removal of the folder', async () => {
		const {call, nextOf} = recorder();
		const stop = new AbortController();
		files.watch(at('folder'), stop.signal, call);
		const removed = nextOf('folder');
		await files.remove(at('folder'));
		await removed;
		stop.abort();
	});
});
