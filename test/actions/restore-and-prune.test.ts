import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builder} from '../helpers/colony-on-disk.ts';
import {hashFiles, openRepository} from '../helpers/repository.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

type Kept = {ref: string; name: string; bee: string; taskId: string; status: string; finishedAt: string};
type Item = {kind: string; what: string; goes: boolean; reason: string};
const worktree = `.hive/worktrees/${traceId}`;
const failing = {
	...builder,
	script: 'mkdir -p deep; echo half >deep/half.txt; ln -s half.txt deep/link; exit 5',
};

test('restore lists the files of a failed run and brings them back, even without its worktree', async () => {
	const colony = await createWaiting([{taskId: 'work', title: 'Work'}], {bees: {builder: failing}}, 9);
	const {kept} = await colony.ask<{kept: Kept[]}>(['restore', '--list', '--trace', traceId]);
	expect(kept).toMatchObject([{bee: 'builder', taskId: 'work', status: 'failed'}]);
	await rm(join(colony.root, worktree), {recursive: true});
	await colony.git(['worktree', 'prune']);
	const before = await hashFiles(colony.root);
	const name = kept[0]?.name ?? '';
	const {folder} = await colony.ask<{folder: string}>(['restore', name]);
	expect(folder).toBe(`${colony.root}/.hive/cache/restored/${traceId}/${name}`);
	const own = openRepository(folder);
	expect(await own.read('deep/half.txt')).toBe('half\n');
	expect(await own.read('deep/link')).toBe('half\n');
	const elsewhere = Object.entries(await hashFiles(colony.root)).filter(
		([path]) => !path.startsWith('.hive/cache/'),
	);
	expect(Object.fromEntries(elsewhere)).toEqual(before);
	expect(await colony.git(['status', '--porcelain'])).toBe('');
	expect(await colony.ask(['restore', kept[0]?.ref ?? ''])).toMatchObject({written: []});
});

test('restore names a file as incomplete if the disk is full, and restores it when there is space', async () => {
	const script = 'echo a >a.txt; yes "a line of text" | head -n 200000 >big.txt; echo z >z.txt';
	const colony = await createWaiting(undefined, {bees: {builder: {...builder, script}}});
	const {kept} = await colony.ask<{kept: Kept[]}>(['restore', '--list']);
	const restore = ['restore', kept[0]?.name ?? '', '--to', '.hive/cache/to'];
	const limited = `#!/bin/sh\nPATH='${process.env.PATH}'\ntrap '' XFSZ\nulimit -f 2000\nexec git "$@"\n`;
	await colony.write('.hive/cache/bin/git', limited, 0o755);
	const env = {PATH: `${colony.root}/.hive/cache/bin:${process.env.PATH}`};
	const refused = await colony.ask<{error: {message: string; details: object[]}}>(restore, {exit: 1, env});
	expect(refused.error.message).toContain('Not all files could be written');
	expect(refused.error.details).toEqual([{path: 'big.txt', message: 'is incomplete'}]);
	await colony.remove('.hive/cache/to/big.txt');
	await colony.ask(restore);
	const read = (path: string) => colony.read(`.hive/cache/to/${path}`);
	expect(await read('a.txt')).toBe('a\n');
	expect(await read('big.txt')).toHaveLength(200_000 * 'a line of text\n'.length);
	expect(await read('z.txt')).toBe('z\n');
});

test('restore writes nothing if a different file, or a link to a folder, is in the way', async () => {
	const colony = await createWaiting([{taskId: 'work', title: 'Work'}], {bees: {builder: failing}}, 9);
	const {kept} = await colony.ask<{kept: Kept[]}>(['restore', '--list']);
	const name = kept[0]?.name ?? '';
	await colony.write('.hive/cache/to/readme.md', 'mine\n');
	const before = await hashFiles(colony.root);
	expect(await colony.ask(['restore', name, '--to', '.hive/cache/to'], {exit: 4})).toMatchObject({
		error: {code: 'would_overwrite', details: [{path: 'readme.md'}]},
	});
	await colony.remove('.hive/cache/to/readme.md');
	await colony.write('.hive/cache/other/keep', '');
	await colony.link('.hive/cache/to/deep', '../other');
	expect(await colony.ask(['restore', name, '--to', '.hive/cache/to'], {exit: 4})).toMatchObject({
		error: {code: 'would_overwrite'},
	});
	expect(Object.keys(await hashFiles(colony.root))).toEqual(
		[
			...Object.keys(before).filter(path => !path.endsWith('to/readme.md')),
			'.hive/cache/other/keep',
			'.hive/cache/to/deep',
		].sort(),
	);
	expect(await colony.ask(['restore', 'nobody'], {exit: 3})).toMatchObject({error: {code: 'run_not_found'}});
});

const prune = async (colony: {ask: <A>(args: string[]) => Promise<A>}, ...more: string[]) =>
	(await colony.ask<{items: Item[]}>(['prune', ...more])).items;

test('prune keeps recent files, and files that an open trace needs', async () => {
	const young = await createWaiting();
	expect(await prune(young)).toMatchObject([
		{kind: 'worktree', goes: false, reason: 'the task _review is waiting_review'},
		{kind: 'files', goes: false, reason: 'younger than 30 days'},
	]);
	expect(await young.exists(worktree)).toBe(true);
});

test('prune removes old merged files, and its dry run lists them and removes nothing', async () => {
	const settings = {defaults: {keep: '1s'}};
	const colony = await createWaiting(undefined, {settings, files: {'.gitignore': 'local.env\n'}});
	await colony.write(`${worktree}/local.env`, 'SECRET=1\n');
	await colony.ask(colony.approve());
	await olderThan(colony, 1);
	const dry = await prune(colony, '--dry-run');
	expect(dry).toMatchObject([
		{kind: 'worktree', goes: false, reason: expect.stringContaining('local.env')},
		{kind: 'files', goes: true, reason: 'every file of it is on a branch'},
	]);
	expect(await colony.git(['for-each-ref', 'refs/hive/keep'])).not.toBe('');
	await colony.remove(`${worktree}/local.env`);
	expect(await prune(colony)).toMatchObject([
		{kind: 'worktree', goes: true, reason: 'merged into main'},
		{kind: 'files', goes: true},
	]);
	expect(await colony.exists(worktree)).toBe(false);
	expect(await colony.git(['for-each-ref', 'refs/hive/keep'])).toBe('');
	expect(await colony.git(['rev-parse', '--verify', `hive/${traceId}`])).not.toBe('');
});

test('prune keeps old files that no branch has, and names their paths', async () => {
	const settings = {defaults: {keep: '1s'}};
	const colony = await createWaiting(
		[{taskId: 'work', title: 'Work'}],
		{bees: {builder: failing}, settings},
		9,
	);
	await colony.ask(['kill', '--trace', traceId]);
	await olderThan(colony, 1);
	expect(await prune(colony)).toMatchObject([
		{kind: 'worktree', goes: false, reason: expect.stringContaining('deep/')},
		{kind: 'files', goes: false, reason: 'on no branch: deep/half.txt, deep/link'},
	]);
	expect(await openRepository(join(colony.root, worktree)).read('deep/half.txt')).toBe('half\n');
});

/** Resolves when the last event of the trace is that many seconds old. */
const olderThan = async (
	colony: {replay: (traceId: string) => Promise<readonly object[]>},
	seconds: number,
) => {
	const last = (await colony.replay(traceId)).at(-1);
	const at = last && 'at' in last ? Date.parse(String(last.at)) : 0;
	await new Promise(resolve => setTimeout(resolve, Math.max(at + seconds * 1000 + 50 - Date.now(), 0)));
};
