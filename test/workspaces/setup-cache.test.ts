import {
	chmod,
	link,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {cacheKey, type SetupFacts} from '../../source/workspaces/setup-cache/cache-key.ts';
import {
	hasEntry,
	hasRoomFor,
	keepEntry,
	listEntries,
	maxEntries,
	removePaths,
	takeEntry,
} from '../../source/workspaces/setup-cache/setup-cache.ts';

const createScene = async (
	files: Readonly<Record<string, string>> = {'made/a.js': 'a\n', 'made/b/c.js': 'c\n'},
) => {
	const top = await mkdtemp(join(tmpdir(), 'hive-setup-cache-'));
	onTestFinished(() => rm(top, {recursive: true, force: true}));
	const [folder, worktree, other] = [join(top, 'cache'), join(top, 'worktree'), join(top, 'other')];
	await mkdir(other);
	await mkdir(worktree);
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(worktree, path)), {recursive: true});
		await writeFile(join(worktree, path), text);
	}
	return {top, folder, worktree, other, at: (path: string) => join(worktree, path)};
};

const keyOf = (digit: number) => `${digit}`.repeat(64);
const key = keyOf(0);
const paths = ['made'];

test('a copy has the bytes, modes, times and links of what was kept, and shares no file with it', async () => {
	const {folder, worktree, other, at} = await createScene();
	await chmod(at('made/a.js'), 0o755);
	await utimes(at('made/a.js'), 1_000_000_000, 1_000_000_000.5);
	await symlink('../a.js', at('made/b/link'));
	await link(at('made/a.js'), at('made/hard'));
	expect(await keepEntry(folder, key, {worktree, paths})).toBeUndefined();
	expect(await takeEntry(folder, key, {worktree: other, paths})).toBeUndefined();
	expect(await readFile(join(other, 'made/b/link'), 'utf8')).toBe('a\n');
	const stats = await lstat(join(other, 'made/a.js'));
	expect([stats.mode & 0o777, stats.mtimeMs, stats.nlink]).toEqual([0o755, 1_000_000_000_500, 1]);
	expect((await lstat(join(folder, key, 'files/made/a.js'))).nlink).toBe(1);
});

test.each([
	['an absolute link', (made: string) => symlink('/etc', join(made, 'x')), 'leads out of the checkout'],
	['a link upwards', (made: string) => symlink('../../x', join(made, 'x')), 'leads out of the checkout'],
	[
		'a link in its place',
		async (made: string) => {
			await rm(made, {recursive: true});
			await symlink('other', made);
		},
		'made is a link',
	],
	['nothing', (made: string) => rm(made, {recursive: true}), 'setup did not make made'],
])('%s is not kept, and no part of it', async (_, change, why) => {
	const {folder, worktree, at} = await createScene();
	await change(at('made'));
	expect(await keepEntry(folder, key, {worktree, paths})).toContain(why);
	expect(await readdir(folder)).toEqual([]);
});

test('an entry whose files were changed is removed, and leaves nothing in the worktree', async () => {
	const {folder, worktree, other} = await createScene();
	await keepEntry(folder, key, {worktree, paths});
	await writeFile(join(folder, key, 'files/made/a.js'), 'b\n');
	expect(await takeEntry(folder, key, {worktree: other, paths})).toBe('the kept files were changed');
	expect(await readdir(other)).toEqual([]);
	expect(await hasEntry(folder, key)).toBe(false);
});

test('an entry that a crash cut short does not count, and is replaced', async () => {
	const {folder, worktree} = await createScene();
	await mkdir(join(folder, key, 'files'), {recursive: true});
	expect(await hasEntry(folder, key)).toBe(false);
	await keepEntry(folder, key, {worktree, paths});
	expect(await hasEntry(folder, key)).toBe(true);
});

test('beyond the limit the entry that was not used for the longest time goes, and what a crash left', async () => {
	const {folder, worktree, other} = await createScene();
	const old = new Date(0);
	for (let digit = 0; digit < maxEntries; digit += 1) {
		await keepEntry(folder, keyOf(digit), {worktree, paths});
		await utimes(join(folder, keyOf(digit), 'entry.json'), old, new Date(digit * 1000));
	}
	await takeEntry(folder, keyOf(0), {worktree: other, paths});
	await mkdir(join(folder, 'left.tmp'));
	await utimes(join(folder, 'left.tmp'), old, old);
	await keepEntry(folder, keyOf(maxEntries), {worktree, paths});
	const keys = (await listEntries(folder)).map(entry => entry.key);
	expect(keys).toHaveLength(maxEntries);
	expect(keys).not.toContain(keyOf(1));
	expect(keys).toContain(keyOf(0));
	expect((await readdir(folder)).sort()).toEqual(keys.toSorted());
});

test('a path below a link that leads out of the worktree is neither written nor removed', async () => {
	const {top, worktree, at} = await createScene({'app/x': ''});
	await mkdir(join(top, 'outside/made'), {recursive: true});
	await rm(at('app'), {recursive: true});
	await symlink('../outside', at('app'));
	expect(await hasRoomFor(worktree, 'app/new')).toBe(false);
	await removePaths(worktree, ['app/made']);
	expect(await readdir(join(top, 'outside'))).toEqual(['made']);
});

test('equal facts have one key in any order, and any other fact has another key', () => {
	const name = fc.string({maxLength: 3});
	const facts = fc.record({
		setup: name,
		keyFiles: fc.array(fc.tuple(name, name), {maxLength: 3}).map(pairs => new Map(pairs)),
		paths: fc.uniqueArray(name, {maxLength: 3}),
		machine: fc.array(name, {maxLength: 3}),
	});
	const plain = ({setup, keyFiles, paths, machine}: SetupFacts) =>
		JSON.stringify([setup, [...keyFiles].sort(), paths.toSorted(), machine]);
	fc.assert(
		fc.property(facts, facts, (one, other) => {
			const turned = {...one, keyFiles: new Map([...one.keyFiles].reverse()), paths: one.paths.toReversed()};
			expect(cacheKey(turned)).toBe(cacheKey(one));
			expect(cacheKey(one) === cacheKey(other)).toBe(plain(one) === plain(other));
		}),
	);
});
