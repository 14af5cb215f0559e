import {readFile, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {findUnderWay} from '../../source/workspaces/merge/under-way.ts';
import {createRepository, takeSnapshot} from '../helpers/repository.ts';
import {createScene, git, traceId} from './scene.ts';

test('a preview shows commits, uncommitted and untracked files of the worktree, and moves nothing', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
	await worktree.write('a.txt', 'committed\n');
	const head = await worktree.commit('work');
	await worktree.write('b.txt', 'uncommitted\n');
	await worktree.write('c.txt', 'untracked\n');
	const before = await takeSnapshot(repository);
	const shown = await preview();
	expect(await takeSnapshot(repository)).toEqual(before);
	expect(shown).toMatchObject({
		base: 'main',
		branch: `hive/${traceId}`,
		headSha: head,
		empty: false,
		truncated: false,
		conflicts: [],
		missingWorktree: false,
		unsaved: [],
	});
	expect(shown.files.map(({path, status}) => `${status} ${path}`)).toEqual([
		'changed a.txt',
		'changed b.txt',
		'added c.txt',
	]);
	expect(shown.tree).toBe(shown.worktreeTree);
	expect(await preview()).toEqual(shown);
});

test('the patch of a preview is the work of the trace, and its tree is the merged base', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	await repository.write('later.txt', 'later\n');
	await repository.commit('later');
	const {files, tree} = await preview();
	expect(files.map(({path}) => path)).toEqual(['b.txt']);
	expect(await repository.git(['ls-tree', '--name-only', tree])).toContain('later.txt');
});

test('a conflicting preview names the paths and has no tree', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n'});
	await worktree.write('a.txt', 'theirs\n');
	await repository.write('a.txt', 'ours\n');
	await repository.commit('ours');
	expect(await preview()).toMatchObject({conflicts: ['a.txt'], tree: '', empty: false});
});

test('an unresolved merge that the agent left in the worktree is a conflict', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n'});
	await worktree.write('a.txt', 'theirs\n');
	await worktree.commit('theirs');
	await repository.write('a.txt', 'ours\n');
	await repository.commit('ours');
	await worktree.git(['merge', 'main']).catch(() => undefined);
	expect(await preview()).toMatchObject({conflicts: ['a.txt'], tree: ''});
});

test('files of the root that would block the merge are named', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n', '.gitignore': '.env\n'});
	await worktree.write('.env', 'theirs\n');
	await worktree.git(['add', '--force', '.env']);
	await worktree.write('new.txt', 'theirs\n');
	await worktree.write('fine.txt', 'fine\n');
	await repository.write('.env', 'mine\n');
	await repository.write('new.txt', 'mine\n');
	await repository.write('other.txt', 'mine\n');
	expect((await preview()).unsaved).toEqual(['.env', 'new.txt']);
});

test('only unsaved files of the root that the merge changes are named', async () => {
	const lines = Array.from({length: 30}, (_, index) => `line ${index}\n`);
	const {repository, worktree, preview} = await createScene({'a.txt': lines.join(''), 'b.txt': 'b\n'});
	await worktree.write('a.txt', lines.with(15, 'theirs\n').join(''));
	await repository.write('a.txt', lines.with(0, 'mine\n').join(''));
	await repository.write('b.txt', 'mine\n');
	expect(await preview()).toMatchObject({unsaved: [], carried: ['a.txt']});
});

test('a trace without a branch has an empty preview', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	const shown = expectAccepted(await previewMerge(git, {root, traceId}));
	expect(shown).toMatchObject({missingWorktree: true, empty: true, tree: '', branch: `hive/${traceId}`});
});

test('a branch without a worktree is shown as committed', async () => {
	const {worktree, repository, preview, made} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	await worktree.commit('work');
	await repository.git(['worktree', 'remove', made.path]);
	expect(await preview()).toMatchObject({missingWorktree: false, files: [{path: 'b.txt'}]});
});

test('an unchanged worktree has an empty preview', async () => {
	const {preview} = await createScene({'a.txt': 'a\n'});
	expect(await preview()).toMatchObject({empty: true, files: [], patch: ''});
});

test('commits beside the branch are shown, and a checkout of other work is refused', async () => {
	const {worktree, preview, location} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	await worktree.commit('first');
	await worktree.git(['switch', '--quiet', '--create', 'own']);
	await worktree.write('c.txt', 'c\n');
	await worktree.commit('second');
	expect((await preview()).files.map(({path}) => path)).toEqual(['b.txt', 'c.txt']);
	await worktree.git(['switch', '--quiet', '--detach', 'main']);
	expect(await previewMerge(git, location)).toMatchObject({refusal: {code: 'wrong_status'}});
});

test('a base branch that is gone is refused by name', async () => {
	const {repository, location} = await createScene({'a.txt': 'a\n'});
	await repository.git(['switch', '--quiet', '--create', 'other']);
	await repository.git(['branch', '--quiet', '--delete', '--force', 'main']);
	expect(await previewMerge(git, location)).toMatchObject({
		refusal: {code: 'merge_refused', message: expect.stringContaining('"main" is gone')},
	});
});

test('the check for unfinished operations does not change the index, however new the files are', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const index = join(repository.root, '.git/index');
	const before = await readFile(index);
	await utimes(join(repository.root, 'a.txt'), 1, 1);
	expect(await findUnderWay(git, repository.root, 'refs/heads/main')).toEqual([]);
	expect((await readFile(index)).equals(before)).toBe(true);
});
