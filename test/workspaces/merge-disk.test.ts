import {chmod, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {mergeBase} from '../../source/workspaces/merge/merge-base.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {hashFiles, takeSnapshot} from '../helpers/repository.ts';
import {createScene, git} from './scene.ts';

const numbered = (changes: Readonly<Record<number, string>> = {}) =>
	Array.from({length: 30}, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('');

const createFolder = async () => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-merge-disk-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	return folder;
};

/** Returns a git that cannot write a file of a megabyte or more. */
const createLimitedGit = async () => {
	const folder = await createFolder();
	const script = `#!/bin/sh\nPATH='${process.env.PATH}'\nulimit -c 0\nulimit -f 2000\nexec git "$@"\n`;
	await writeFile(join(folder, 'git'), script);
	await chmod(join(folder, 'git'), 0o755);
	return createGit({...process.env, PATH: `${folder}:${process.env.PATH}`});
};

const big = 'big\n'.repeat(1_500_000);

test.each([
	['with nothing in the way', numbered(), numbered({29: 'theirs'})],
	['with unsaved files to carry over', numbered({0: 'mine'}), numbered({0: 'mine', 29: 'theirs'})],
])(
	'a merge %s without enough disk space is refused with nothing touched, and succeeds once there is space',
	async (_, mine, both) => {
		const scene = await createScene({'a.txt': numbered(), 'gone/x.txt': 'x\n', 'z.sh': 'z\n'});
		const {repository, worktree, location, preview, merge} = scene;
		if (mine !== numbered()) await repository.write('a.txt', mine);
		await worktree.write('a.txt', numbered({29: 'theirs'}));
		await worktree.write('b/big.txt', big);
		await worktree.write('z.sh', 'theirs\n', 0o755);
		await worktree.link('link', 'b/big.txt');
		await worktree.remove('gone');
		const {tree} = await preview();
		const before = await takeSnapshot(repository);
		const refused = await mergeTrace(await createLimitedGit(), {...location, tree, subject: 'x', body: ''});
		expect(refused).toMatchObject({
			refusal: {code: 'merge_refused', message: expect.stringContaining('could not all be written')},
		});
		expect({...(await takeSnapshot(repository)), branches: ''}).toEqual({...before, branches: ''});
		expect(await repository.exists('.git/index.lock')).toBe(false);
		expect(await readdir(join(repository.root, '.git/hive'))).toEqual([]);
		expectAccepted(await merge({tree}));
		expect(await repository.read('a.txt')).toBe(both);
		expect(await repository.read('b/big.txt')).toBe(big);
		expect(await repository.read('link')).toBe(big);
		expect(await repository.exists('gone')).toBe(false);
		expect(await repository.git(['diff', '--name-only'])).toBe(mine === numbered() ? '' : 'a.txt');
		expect(await readdir(join(repository.root, '.git/hive'))).toEqual([]);
	},
);

test('a base update without enough disk space writes no file, and succeeds once there is space', async () => {
	const {repository, worktree, location} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'theirs\n');
	await repository.write('a.txt', 'base\n');
	await repository.write('big.txt', big);
	await repository.commit('the base goes on');
	const before = await hashFiles(worktree.root);
	const refused = await mergeBase(await createLimitedGit(), {...location, subject: 'x'});
	expect(refused).toMatchObject({
		refusal: {code: 'merge_refused', message: expect.stringContaining('could not all be written')},
	});
	expect(await hashFiles(worktree.root)).toEqual(before);
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
	expectAccepted(await mergeBase(git, {...location, subject: 'x'}));
	expect(await worktree.read('big.txt')).toBe(big);
	expect(await worktree.read('a.txt')).toBe('base\n');
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
});

test('a merged worktree is not moved to a base for which there is no disk space', async () => {
	const {repository, worktree, location, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'theirs\n');
	expectAccepted(await approve());
	await repository.write('a.txt', 'base\n');
	await repository.write('big.txt', big);
	const base = await repository.commit('the base goes on');
	const before = await hashFiles(worktree.root);
	expectAccepted(await ensureWorktree({git: await createLimitedGit()}, location));
	expect(await hashFiles(worktree.root)).toEqual(before);
	expectAccepted(await ensureWorktree({git}, location));
	expect(await worktree.git(['rev-parse', 'HEAD'])).toBe(base);
	expect(await worktree.read('big.txt')).toBe(big);
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
});

test('a merge is refused when a filter hides an unsaved line from git, and carried without such a line', async () => {
	const settings = join(await createFolder(), 'config');
	await writeFile(settings, '[filter "strip"]\n\tclean = sed /OUTPUT/d\n');
	const filtering = createGit({...process.env, GIT_CONFIG_GLOBAL: settings});
	const {repository, worktree, location} = await createScene({
		'.gitattributes': 'a.txt filter=strip\n',
		'a.txt': numbered(),
	});
	const approve = async () => {
		const {tree} = expectAccepted(await previewMerge(filtering, location));
		return mergeTrace(filtering, {...location, tree, subject: 'x', body: ''});
	};
	await worktree.write('a.txt', numbered({29: 'theirs'}));
	await repository.write('a.txt', numbered({0: 'mine', 10: 'OUTPUT 1\nline 10'}));
	expect(expectAccepted(await previewMerge(filtering, location)).unsaved).toEqual(['a.txt']);
	const before = await takeSnapshot(repository);
	expect(await approve()).toMatchObject({
		refusal: {code: 'merge_refused', details: [{path: 'a.txt', message: expect.stringContaining('filter')}]},
	});
	expect((await takeSnapshot(repository)).files).toEqual(before.files);
	await repository.write('a.txt', numbered({0: 'mine'}));
	expect(expectAccepted(await approve()).carried).toEqual(['a.txt']);
	expect(await repository.read('a.txt')).toBe(numbered({0: 'mine', 29: 'theirs'}));
});

test('a merge is refused when a file renamed by the user has a line hidden from git by a filter', async () => {
	const settings = join(await createFolder(), 'config');
	await writeFile(settings, '[filter "strip"]\n\tclean = sed /OUTPUT/d\n');
	const filtering = createGit({...process.env, GIT_CONFIG_GLOBAL: settings});
	const {repository, worktree, location} = await createScene({
		'.gitattributes': '*.txt filter=strip\n',
		'a.txt': numbered(),
	});
	await worktree.write('a.txt', numbered({29: 'theirs'}));
	await repository.git(['mv', 'a.txt', 'mine.txt']);
	await repository.write('mine.txt', numbered({10: 'OUTPUT 1\nline 10'}));
	const before = await takeSnapshot(repository);
	const {tree, unsaved} = expectAccepted(await previewMerge(filtering, location));
	expect(unsaved).toEqual(['mine.txt']);
	expect(await mergeTrace(filtering, {...location, tree, subject: 'x', body: ''})).toMatchObject({
		refusal: {code: 'merge_refused', details: [{path: 'mine.txt'}]},
	});
	expect((await takeSnapshot(repository)).files).toEqual(before.files);
});
