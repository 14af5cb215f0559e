import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type ColonyOnDisk, createColony, type Json} from '../helpers/colony-on-disk.ts';

const traceId = 't';
const create = (...more: string[]) => [
	...['task', 'create', '--trace', traceId, '--task', 'work', '-b', 'Do it'],
	...more,
];
const approve = ['proposal', 'approve', '--trace', traceId, '--task', '_review'];

/** A colony on `main`, with a branch `release` that has a file of its own. */
const createWithRelease = async (settings: object = {}): Promise<ColonyOnDisk> => {
	const colony = await createColony({settings});
	await colony.git(['switch', '--quiet', '--create', 'release']);
	await colony.write('release.txt', 'of release\n');
	await colony.commit('release');
	await colony.git(['switch', '--quiet', 'main']);
	return colony;
};

const work = async (colony: ColonyOnDisk): Promise<void> => {
	await colony.hive(['run', '--until-idle']);
};

const branchesWith = async ({git}: ColonyOnDisk, file: string): Promise<readonly string[]> => {
	const names = (await git(['branch', '--format=%(refname:short)'])).split('\n');
	const found = await Promise.all(
		names.map(async name => ((await git(['ls-tree', '--name-only', name, file])) === '' ? [] : [name])),
	);
	return found.flat();
};

describe('a trace with a named base', () => {
	test('starts from that branch, lands there although it is checked out nowhere, and says so', async () => {
		const colony = await createWithRelease();
		const tip = await colony.git(['rev-parse', 'release']);
		expect(await colony.ask(create('--base', 'release'))).toMatchObject({traceId, taskId: 'work'});
		await work(colony);
		const [first, second] = await colony.replay(traceId);
		expect(first?.payload).toMatchObject({kind: 'trace.based', branch: 'release', commit: tip});
		expect(second?.payload.kind).toBe('task.plan');
		const {traces} = await colony.ask<{traces: Json[]}>(['status']);
		expect(traces).toMatchObject([{base: {branch: 'release', commit: tip}}]);
		expect((await colony.hive(['status'])).stdout).toMatch(/BASE +TITLE\n.* release +Do it/);
		expect((await colony.hive(['trace', 'show', traceId])).stdout).toMatch(/^Base +release$/m);
		expect((await colony.hive(['proposal', 'show', '--trace', traceId])).stdout).toMatch(
			/Lands as +release,/,
		);
		const {patch} = await colony.ask<{patch: string}>(['proposal', 'diff', '--trace', traceId]);
		expect(patch).toContain('work.txt');
		expect(patch).not.toContain('release.txt');
		const main = await colony.git(['rev-parse', 'main']);
		expect(await colony.ask(approve)).toMatchObject({base: 'release'});
		expect(await branchesWith(colony, 'work.txt')).toEqual([`hive/${traceId}`, 'release']);
		expect(await colony.git(['rev-parse', 'main'])).toBe(main);
		expect(await colony.git(['status', '--porcelain'])).toBe('');
		expect(await colony.git(['rev-parse', 'release^1'])).toBe(tip);
	});

	test('lands on a branch of another worktree with its files, and keeps what is unsaved there', async () => {
		const colony = await createWithRelease();
		const other = join(colony.home, 'other');
		await colony.git(['worktree', 'add', '--quiet', other, 'release']);
		await colony.ask(create('--base', 'release'));
		await work(colony);
		await colony.git(['rm', '--quiet', '--cached', 'release.txt'], other);
		await colony.ask(approve);
		expect(existsSync(join(other, 'work.txt'))).toBe(true);
		expect(await colony.git(['status', '--porcelain'], other)).toBe('D  release.txt\n?? release.txt');
	});

	test('is checked on its base, told that its base moved, and updated from there', async () => {
		const colony = await createWithRelease({
			verify: {commands: [['sh', '-c', 'test -e release.txt && test -e work.txt']], required: true},
		});
		await colony.ask(create('--base', 'release'));
		await work(colony);
		const other = join(colony.home, 'other');
		await colony.git(['worktree', 'add', '--quiet', other, 'release']);
		await colony.git(['commit', '--quiet', '--allow-empty', '--message', 'moved'], other);
		const moved = await colony.git(['rev-parse', 'release']);
		await colony.git(['worktree', 'remove', other]);
		await colony.git(['switch', '--quiet', '--create', 'elsewhere']);
		const update = ['proposal', 'update', '--trace', traceId];
		expect(await colony.ask(update)).toMatchObject({base: 'release'});
		await colony.git(['merge-base', '--is-ancestor', moved, `hive/${traceId}`]);
		await colony.ask(approve);
		await work(colony);
		expect(await branchesWith(colony, 'work.txt')).toEqual([`hive/${traceId}`, 'release']);
	});

	test('is not begun on another branch once its base is gone', async () => {
		const colony = await createWithRelease();
		const tip = await colony.git(['rev-parse', 'release']);
		await colony.ask(create('--base', 'release'));
		await colony.git(['branch', '--quiet', '-D', 'release']);
		await work(colony);
		const {tasks} = await colony.ask<{tasks: Json[]}>(['task', 'list', '--trace', traceId]);
		expect(tasks).toMatchObject([{status: 'failed', summary: expect.stringContaining('"release" is gone')}]);
		await colony.git(['branch', 'release', tip]);
		await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'work']);
		await work(colony);
		await colony.ask(approve);
		expect(await branchesWith(colony, 'work.txt')).toContain('release');
	});

	test('keeps it when another branch is checked out before it starts', async () => {
		const colony = await createWithRelease();
		await colony.ask(create('--base', 'main'));
		await colony.git(['switch', '--quiet', 'release']);
		await work(colony);
		await colony.ask(approve);
		expect(await branchesWith(colony, 'work.txt')).toEqual([`hive/${traceId}`, 'main']);
	});
});

describe('a base is refused before anything starts', () => {
	test.each([
		['nowhere', 3, 'There is no branch "nowhere"'],
		['v1', 2, '"v1" is a tag'],
		['HEAD', 2, 'git branch <name> HEAD'],
		['-x', 2, 'cannot be the name of a branch'],
		['a..b', 2, 'cannot be the name of a branch'],
		['a b', 2, 'cannot be the name of a branch'],
		['', 2, 'cannot be the name of a branch'],
		['hive/t', 2, "is hive's own"],
		['alias', 2, 'only another name of the branch "release"'],
		['far', 3, 'git branch --track far origin/far'],
	])('%s', async (name, exitCode, words) => {
		const colony = await createWithRelease();
		await colony.git(['tag', 'v1']);
		await colony.git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/release']);
		await colony.git(['update-ref', 'refs/remotes/origin/far', 'main']);
		const refused = await colony.hive(create(`--base=${name}`));
		expect(refused).toMatchObject({exitCode, stderr: expect.stringContaining(words)});
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
	});

	test('a commit, and a trace that has begun', async () => {
		const colony = await createWithRelease();
		const tip = await colony.git(['rev-parse', 'release']);
		expect(await colony.hive(create('--base', tip))).toMatchObject({
			...{exitCode: 2, stderr: expect.stringContaining(`git branch <name> ${tip}`)},
		});
		await colony.ask(create('--base', 'release'));
		const again = ['task', 'create', '--trace', traceId, '-b', 'More', '--base', 'main'];
		expect(await colony.hive(again)).toMatchObject({
			...{exitCode: 2, stderr: expect.stringContaining('its base is named when it starts')},
		});
	});
});
