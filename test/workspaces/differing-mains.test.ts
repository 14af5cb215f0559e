import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {differingMainHint, formatDifferingMain} from '../../source/domain/differing-main.ts';
import type {KnownMachine} from '../../source/domain/machine-status.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {readBranch} from '../../source/workspaces/merge/base.ts';
import {readDifferingMains} from '../../source/workspaces/merge/differing-mains.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const machine = {
	...{checkout: 'a', host: 'box', root: '/home/ada/shop', pid: 1, startedAt: 'then', free: 4, total: 4},
	...{heardAt: 'now', hasLeft: false, isAlive: true, silentMs: 0},
};

/** Two clones that have the same commits. */
const createClones = async () => {
	const there = await createRepository({'a.txt': 'a\n'});
	const root = await mkdtemp(join(tmpdir(), 'hive-mains-'));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	await there.git(['clone', '--quiet', there.root, root]);
	const here = openRepository(root);
	await here.git(['config', 'user.name', 'Bob']);
	await here.git(['config', 'user.email', 'bob@example.org']);
	const commit = async ({git: run}: typeof here, message: string) => {
		await run(['commit', '--quiet', '--allow-empty', '-m', message]);
		return (await run(['rev-parse', 'HEAD'])).trim();
	};
	const read = async (landed: readonly string[] = [], more: Partial<KnownMachine> = {}) => {
		const base = await readBranch(git, there.root);
		const trace = {
			...{...emptyTrace('t'), place: 'a', title: 'The work'},
			landed: landed.map(id => ({taskId: '_review', commit: id, base: base?.branch})),
		};
		const mains = await readDifferingMains(
			{git, root},
			[{...machine, base, ...more}],
			[trace as unknown as Trace],
		);
		return mains.map(main => [
			formatDifferingMain(main).replace(/^.*: /, ''),
			differingMainHint(main).replaceAll('"', ''),
		]);
	};
	return {there, here, commit, read};
};

test('clones with the same commit, and machines that announce no branch, differ in nothing', async () => {
	const {there, commit, read} = await createClones();
	expect(await read()).toEqual([]);
	const merge = await commit(there, 'one');
	expect(await read([merge], {base: undefined})).toEqual([]);
});

test('a clone is told what it lacks of another one, and that one of it, until both have the same', async () => {
	const {there, here, commit, read} = await createClones();
	const merge = await commit(there, 'one');
	await commit(there, 'two');
	const push = 'Run git push there, then git pull here.';
	expect(await read()).toEqual([['it has commits that this clone lacks', push]]);
	expect(await read([merge])).toEqual([['it has 1 merge that this clone lacks (The work)', push]]);
	expect(await read([merge], {isAlive: false})).toHaveLength(1);
	expect(await read([], {isAlive: false})).toEqual([]);
	await here.git(['fetch', '--quiet']);
	expect(await read([merge])).toEqual([['it has 1 merge that this clone lacks (The work)', push]]);
	expect(await read()).toEqual([['it has 2 commits that this clone lacks', 'Run git pull here.']]);
	await commit(here, 'three');
	expect(await read()).toEqual([
		[
			'it has 2 commits that this clone lacks, and it lacks 1 commit of this clone',
			'Run git pull and git push here, then git pull there.',
		],
	]);
	await here.git(['pull', '--quiet', '--no-rebase', '--no-edit']);
	expect(await read([merge])).toEqual([
		['it lacks 2 commits of this clone', 'Run git push here, then git pull there.'],
	]);
	await there.git(['pull', '--quiet', here.root, 'HEAD']);
	expect(await read([merge])).toEqual([]);
});
