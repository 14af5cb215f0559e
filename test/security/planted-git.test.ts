import {readdir, utimes} from 'node:fs/promises';
import {expect, onTestFinished, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import {findUnderWay} from '../../source/workspaces/merge/under-way.ts';
import {describeChange} from '../../source/workspaces/trees/attribution.ts';
import {captureFilesOf, captureTracked, captureTree} from '../../source/workspaces/trees/tree.ts';
import {ensureWorktree, isRemovable, removeWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {builder, createColony, type Json, publishesIsolated, readJson} from '../helpers/colony-on-disk.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {createScene, git} from '../workspaces/scene.ts';
import {plantEverything, whatRan} from './plant.ts';

const files = {'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.bin': 'x\n', 'c.eq': 'y\n'};

test('planted code runs if a person uses plain git, which shows that these tests can fail', async () => {
	const {repository} = await createScene(files);
	await plantEverything(repository);
	for (const name of Object.keys(files)) await repository.write(name, 'changed\n');
	await repository.git(['add', '--all']).catch(() => {});
	expect(await whatRan(repository)).toEqual(expect.arrayContaining(['fsmonitor', 'process']));
});

test('planted code does not run while trees are captured and compared', async () => {
	const {repository, worktree} = await createScene(files);
	await plantEverything(repository);
	const before = await captureTree(git, worktree.root);
	for (const name of Object.keys(files)) await worktree.write(name, 'changed\n');
	const after = await captureTree(git, worktree.root);
	const change = await describeChange(git, {workspace: worktree.root, before, after, maxBytes: 1e6});
	expect(change.files.map(({path}) => path)).toEqual(Object.keys(files));
	expect(change.patch).toContain('+changed');
	expect(await whatRan(repository)).toEqual([]);
});

test('planted code does not run between preview and merge, although both sides changed one file', async () => {
	const {repository, worktree, preview, approve} = await createScene(files);
	await worktree.write('a.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
	await worktree.write('b.bin', 'changed\n');
	await repository.write('a.txt', 'one\ntwo\nthree\nfour\nFIVE\n');
	await repository.commit('the base moves');
	await plantEverything(repository);
	await repository.write('c.eq', 'unsaved\n');
	expect((await preview()).conflicts).toEqual([]);
	expectAccepted(await approve());
	expect(await repository.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
	expect(await repository.read('c.eq')).toBe('unsaved\n');
	expect(await whatRan(repository)).toEqual([]);
});

test('planted code in a nested repository does not run, and its newest commit is in the tree', async () => {
	const {repository, worktree, preview, location} = await createScene(files);
	await worktree.git(['init', '--quiet', 'inside']);
	const inside = openRepository(`${worktree.root}/inside`);
	const identity = '[user]\n\tname = Ada\n\temail = ada@example.org\n';
	await inside.write('.git/config', `${await inside.read('.git/config')}${identity}`);
	for (const name of Object.keys(files)) await inside.write(name, 'one\n');
	await inside.commit('first');
	await worktree.git(['add', 'inside']);
	const newest = await inside.commit('second');
	await plantEverything(inside);
	for (const name of Object.keys(files)) await inside.write(name, 'two\n');
	const tree = await captureTree(git, worktree.root);
	expect(await repository.git(['ls-tree', tree, 'inside'])).toBe(`160000 commit ${newest}\tinside`);
	await preview();
	await captureTracked(git, worktree.root);
	await captureFilesOf(git, worktree.root, tree);
	await findUnderWay(git, worktree.root);
	expect(await isRemovable(git, {...location, disposable: []})).toMatchObject({ok: false});
	expect(await whatRan(inside)).toEqual([]);
	await inside.git(['status', '--porcelain']).catch(() => {});
	expect(await whatRan(inside)).not.toEqual([]);
	await worktree.remove('inside');
	expect(await repository.git(['ls-tree', await captureTree(git, worktree.root), 'inside'])).toBe('');
});

test('a planted merge driver cannot hide a conflict', async () => {
	const {repository, worktree, preview} = await createScene(files);
	await worktree.write('a.txt', 'mine\n');
	await repository.write('a.txt', 'theirs\n');
	await repository.commit('the base moves');
	await plantEverything(repository);
	expect((await preview()).conflicts).toEqual(['a.txt']);
});

test('a planted core.worktree setting does not redirect a merge', async () => {
	const {repository, worktree, preview, approve} = await createScene(files);
	const elsewhere = await createRepository();
	await worktree.write('a.txt', 'changed\n');
	await worktree.write('new.txt', 'new\n');
	await repository.write(
		'.git/config',
		`${await repository.read('.git/config')}[core]\n\tworktree = ${elsewhere.root}\n`,
	);
	expect((await preview()).conflicts).toEqual([]);
	expectAccepted(await approve());
	expect(await repository.read('a.txt')).toBe('changed\n');
	expect(await repository.read('new.txt')).toBe('new\n');
	expect(await readdir(elsewhere.root)).toEqual(['.git']);
	expect(await git.leftOut(repository.root)).toContain('core.worktree');
});

test('planted code does not run while a worktree is created, found again and removed', async () => {
	const {repository} = await createScene(files);
	await plantEverything(repository);
	const location = {root: repository.root, traceId: 'trace-2'};
	expectAccepted(await ensureWorktree({git}, location));
	expectAccepted(await ensureWorktree({git}, location));
	expect(await whatRan(repository)).toEqual([]);
});

test('a filter that is set in one worktree only does not run while the worktree is removed', async () => {
	const {repository, worktree, location} = await createScene({
		...files,
		'.gitattributes': '*.txt filter=evil\n',
	});
	await plantEverything(repository);
	const evil = await repository.git(['config', 'filter.evil.clean']);
	await repository.git(['config', '--unset', 'filter.evil.clean']);
	await repository.git(['config', 'extensions.worktreeConfig', 'true']);
	await worktree.git(['config', '--worktree', 'filter.evil.clean', evil]);
	await utimes(`${worktree.root}/a.txt`, 1, 1);
	expect(expectAccepted(await removeWorktree(git, {...location, disposable: []}))).toBe(true);
	expect(await whatRan(repository)).toEqual([]);
});

test('a filter that a person accepted runs, and needs a new acceptance if its program changes', async () => {
	const {repository, worktree} = await createScene(files);
	await worktree.write('.gitattributes', '*.txt filter=loud\n');
	await repository.git(['config', 'filter.loud.clean', 'tr a-z A-Z']);
	const accepting = createGit(process.env, async () => new Set(['filter.loud.clean=tr a-z A-Z']));
	const show = async (by: typeof git) =>
		repository.git(['show', `${await captureTree(by, worktree.root)}:a.txt`]);
	await worktree.write('a.txt', 'quiet\n');
	expect(await show(accepting)).toBe('QUIET');
	expect(await show(git)).toBe('quiet');
	await repository.git(['config', 'filter.loud.clean', 'rev']);
	await worktree.write('a.txt', 'words\n');
	expect(await show(accepting)).toBe('words');
	expect(await accepting.leftOut(repository.root)).toEqual(['filter.loud.clean']);
});

test('work of a bee that plants a filter is proposed unfiltered, with a warning for people', async () => {
	const ran = '$HIVE_COLONY_ROOT/../$(basename "$HIVE_COLONY_ROOT")-ran';
	const planting = `git config filter.evil.clean "touch '${ran}'; rev"; mkdir -p "$HIVE_COLONY_ROOT/.git/info"; echo '* filter=evil' >"$HIVE_COLONY_ROOT/.git/info/attributes"
printf '#!/bin/sh\\n' >"$HIVE_COLONY_ROOT/.git/hooks/pre-commit"`;
	const planter = {worktree: true, publishes: publishesIsolated, script: `${planting}; ${builder.script}`};
	const colony = await createColony({bees: {builder, planter}});
	const run = async (bee: string) => {
		const {traceId} = await colony.ask<{traceId: string}>([
			'task',
			'create',
			'--title',
			bee,
			'--bee',
			bee,
			'--autorun',
		]);
		await colony.hive(['run', '--until-idle']);
		return traceId;
	};
	const traceId = await run('planter');
	const diff = await colony.ask(['proposal', 'diff', '--trace', traceId]);
	expect(diff.patch).toContain('+made by task-');
	expect(diff.planted).toEqual(['filter.evil.clean', 'hooks/pre-commit', 'info/attributes']);
	const {stdout} = await colony.hive(['proposal', 'diff', '--trace', traceId]);
	expect(stdout).toContain(
		'git would run programs here that "hive init" has not accepted: filter.evil.clean, hooks/pre-commit, info/attributes',
	);
	expect(await warningsOf(colony, traceId)).toEqual([
		expect.stringContaining('filter.evil.clean, hooks/pre-commit, info/attributes'),
	]);
	const later = await run('builder');
	expect((await colony.ask(['proposal', 'diff', '--trace', later])).patch).toContain('+made by task-');
	expect(await warningsOf(colony, later)).toEqual([]);
	const mark = `../${colony.root.split('/').at(-1)}-ran`;
	onTestFinished(() => colony.remove(mark));
	expect(await colony.exists(mark)).toBe(false);
	await colony.ask(['init', '--accept']);
	expect((await colony.ask(['proposal', 'diff', '--trace', traceId])).planted).toEqual([]);
});

const warningsOf = async (colony: Awaited<ReturnType<typeof createColony>>, traceId: string) => {
	const {traces} = await colony.ask<{
		traces: {traceId: string; runs: {agentId: string; warnings: string[]}[]}[];
	}>(['status']);
	const run = traces.find(trace => trace.traceId === traceId)?.runs[0];
	const status: Json & {warnings?: string[]} = await readJson(
		`${colony.root}/.hive/runs/${traceId}/${run?.agentId}/status.json`,
	);
	expect(run?.warnings).toEqual(status.warnings ?? []);
	return run?.warnings;
};
