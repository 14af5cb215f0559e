import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createKernelLock} from '../../source/drivers/kernel-lock.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Lock} from '../../source/ports/lock.ts';
import {type ClaimedPorts, createPortBlocks} from '../../source/workspaces/worktree/port-blocks.ts';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-ports-'));
});
afterEach(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));

const claimsFile = () => join(folder, 'ports.json');
const claims = async () => JSON.parse(await readFile(claimsFile(), 'utf8'));

/** Opens the blocks as another process would: with a lock of its own. */
const openBlocks = ({
	lock = createKernelLock(join(folder, 'ports.lock')),
	clock = createSystemClock(),
}: {
	lock?: Lock;
	clock?: Clock;
} = {}) => createPortBlocks({files: createFiles(), clock, lock}, claimsFile());

const checkout = async (name: string): Promise<string> => {
	const path = join(folder, name);
	await mkdir(path);
	await writeFile(join(path, '.git'), '');
	return path;
};

const find = async (path: string) => (await openBlocks().find([path])).get(path);

const firstOf = (claimed: ClaimedPorts): number => {
	if ('problem' in claimed) throw new Error(claimed.problem);
	return claimed.first;
};

test('a checkout keeps the same block of ten ports for all callers', async () => {
	const path = await checkout('one');
	const first = firstOf(await openBlocks().claim(path));
	expect(first % 10).toBe(0);
	expect(first).toBeGreaterThanOrEqual(20_000);
	expect(first).toBeLessThan(30_000);
	expect(await openBlocks().claim(path)).toEqual({first});
	expect(await find(path)).toBe(first);
	await symlink(path, join(folder, 'link'));
	expect(await openBlocks().claim(join(folder, 'link'))).toEqual({first});
});

test('a block of another checkout is skipped', async () => {
	const [one, two] = [await checkout('one'), await checkout('two')];
	const first = firstOf(await openBlocks().claim(one));
	await writeFile(claimsFile(), JSON.stringify({[first]: two}));
	const next = first === 29_990 ? 20_000 : first + 10;
	expect(await openBlocks().claim(one)).toEqual({first: next});
	expect(await claims()).toEqual({[first]: two, [next]: one});
});

test('concurrent claims each get their own block, and none is lost', async () => {
	const paths = await Promise.all(Array.from({length: 60}, (_, index) => checkout(`c${index}`)));
	const claimed = await Promise.all(
		paths.flatMap(path => [openBlocks().claim(path), openBlocks().claim(path)]),
	);
	const firsts = claimed.map(firstOf);
	expect(new Set(firsts).size).toBe(60);
	for (const [index, path] of paths.entries()) {
		expect(firsts[2 * index]).toBe(firsts[2 * index + 1]);
		expect(await find(path)).toBe(firsts[2 * index]);
	}
});

test('the block of a removed checkout is free, and goes to exactly one claimant', async () => {
	const gone = await checkout('gone');
	const first = firstOf(await openBlocks().claim(gone));
	const all = Object.fromEntries(Array.from({length: 1000}, (_, block) => [20_000 + block * 10, folder]));
	await writeFile(join(folder, '.git'), '');
	await writeFile(claimsFile(), JSON.stringify({...all, [first]: gone}));
	await rm(gone, {recursive: true});
	const claimed = await Promise.all(
		['one', 'two', 'three'].map(async name => openBlocks().claim(await checkout(name))),
	);
	expect(claimed.filter(one => 'first' in one)).toEqual([{first}]);
});

test('a claim without a free block returns a problem and changes nothing', async () => {
	await writeFile(join(folder, '.git'), '');
	const all = Object.fromEntries(Array.from({length: 1000}, (_, block) => [20_000 + block * 10, folder]));
	await writeFile(claimsFile(), JSON.stringify(all));
	expect(await openBlocks().claim(await checkout('one'))).toEqual({
		problem: `all 1000 blocks of ports in ${claimsFile()} belong to existing worktrees`,
	});
	expect(await claims()).toEqual(all);
});

test('a claims file with foreign content is left unchanged, and named', async () => {
	const path = await checkout('one');
	for (const text of ['{', '[]', '7', '{"x": "/y"}', '{"20000": 7}']) {
		await writeFile(claimsFile(), text);
		expect(await openBlocks().claim(path)).toEqual({
			problem: expect.stringContaining(`${claimsFile()} is not as hive writes it. Remove it`),
		});
		expect(await find(path)).toBeUndefined();
		expect(await readFile(claimsFile(), 'utf8')).toBe(text);
	}
	await writeFile(claimsFile(), '');
	expect(await openBlocks().claim(path)).toHaveProperty('first');
});

test('a claim returns a problem when the claims file stays locked for five seconds', async () => {
	const holder = createKernelLock(join(folder, 'ports.lock'));
	holder.take();
	let now = 0;
	const clock: Clock = {
		now: () => now,
		elapsed: () => now,
		after: (milliseconds, call) => {
			now += milliseconds;
			queueMicrotask(call);
			return () => {};
		},
	};
	const path = await checkout('one');
	const blocks = openBlocks({clock});
	expect(await blocks.claim(path)).toEqual({
		problem: `another process has kept ${claimsFile()} locked for 5 s`,
	});
	holder.release();
	expect(await blocks.claim(path)).toHaveProperty('first');
});

test('a checkout finds its existing block while another process holds the lock', async () => {
	const path = await checkout('one');
	const first = firstOf(await openBlocks().claim(path));
	const holder = createKernelLock(join(folder, 'ports.lock'));
	holder.take();
	expect(await openBlocks().claim(path)).toEqual({first});
	holder.release();
});

test('a lock that cannot be made is a problem that names it', async () => {
	await writeFile(join(folder, 'file'), '');
	const lock = createKernelLock(join(folder, 'file', 'lock'));
	expect(await openBlocks({lock}).claim(await checkout('one'))).toEqual({
		problem: expect.stringContaining(join(folder, 'file', 'lock')),
	});
});
