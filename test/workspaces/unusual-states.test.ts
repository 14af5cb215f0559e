import {chmod, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectAccepted, type Outcome} from '../../source/domain/errors.ts';
import type {Git} from '../../source/ports/git.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {mergeBase} from '../../source/workspaces/merge/merge-base.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {forgetTrace} from '../../source/workspaces/worktree/forget-trace.ts';
import {removeWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createScene, git, traceId} from './scene.ts';

const wordsOf = (outcome: Outcome<unknown>) =>
	outcome.ok ? undefined : `${outcome.refusal.message} ${outcome.refusal.hint}`;

/** Returns a git beside another process that releases the lock after three calls. */
const besideLock = (lock: string): Git => {
	let looks = 0;
	const letGo = async () => {
		looks += 1;
		if (looks === 3) setTimeout(() => void rm(lock, {force: true}), 60);
	};
	return {
		...git,
		attempt: (...call) => letGo().then(() => git.attempt(...call)),
		run: (...call) => letGo().then(() => git.run(...call)),
	};
};

test.each([
	'index.lock',
	'HEAD.lock',
	'refs/heads/main.lock',
	'packed-refs.lock',
	'worktrees/trace-1/index.lock',
	'refs/heads/hive/trace-1.lock',
])('a merge waits for another git that briefly holds %s', async lock => {
	const {repository, worktree, preview, location} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	await repository.write(`.git/${lock}`, '');
	const request = {...location, tree, subject: 'Add', body: ''};
	expectAccepted(await mergeTrace(besideLock(join(repository.root, '.git', lock)), request));
	expect(await repository.read('b.txt')).toBe('b\n');
});

test.each([
	['merge', ['merge', 'side']],
	['cherry-pick', ['cherry-pick', 'side']],
	['revert', ['revert', '--no-edit', 'HEAD~1']],
	['rebase', ['rebase', 'side']],
])('an unfinished %s of a run in the worktree is named with two ways to end it', async (name, args) => {
	const {repository, worktree, location} = await createScene({'a.txt': 'a\n'});
	await worktree.git(['checkout', '--quiet', '-b', 'side']);
	await worktree.write('a.txt', 'side\n');
	await worktree.commit('side');
	await worktree.git(['checkout', '--quiet', `hive/${traceId}`]);
	for (const text of ['one', 'two']) {
		await worktree.write('a.txt', `${text}\n`);
		await worktree.commit(text);
	}
	await worktree.git(args).catch(() => undefined);
	const request = {...location, tree: '', subject: 'Add', body: ''};
	const words = `A git ${name} is unfinished in ${worktree.root}; nothing was changed. Finish it with "git -C '${worktree.root}' ${name} --continue", or take it back with "git -C '${worktree.root}' ${name} --abort", then try again.`;
	expect(wordsOf(await mergeTrace(git, request))).toBe(words);
	expect(wordsOf(await mergeBase(git, request))).toBe(words);
	await worktree.git([name, '--abort']);
	expect(expectAccepted(await previewMerge(git, location))).toMatchObject({conflicts: [], unresolved: []});
	expect(await repository.git(['status', '--porcelain'])).toBe('');
});

test.each([
	['merge', ['merge', 'side']],
	['cherry-pick', ['cherry-pick', 'side']],
	['revert', ['revert', '--no-edit', 'HEAD~1']],
	['rebase', ['rebase', 'side']],
	['am', ['am', '.git/side.patch']],
])('work is shown during a %s in the root, but its merge is refused naming that', async (name, args) => {
	const {repository, worktree, preview, merge} = await createScene({'a.txt': 'a\n'});
	await repository.git(['checkout', '--quiet', '-b', 'side']);
	await repository.write('a.txt', 'side\n');
	await repository.commit('side');
	await repository.write('.git/side.patch', `${await repository.git(['format-patch', '-1', '--stdout'])}\n`);
	await repository.git(['checkout', '--quiet', 'main']);
	for (const text of ['one', 'two']) {
		await repository.write('a.txt', `${text}\n`);
		await repository.commit(text);
	}
	await worktree.write('b.txt', 'b\n');
	await repository.git(args).catch(() => undefined);
	const {files, tree} = await preview();
	expect(files.map(({path}) => path)).toEqual(['b.txt']);
	expect(wordsOf(await merge({tree}))).toContain(`A git ${name} is unfinished in ${repository.root};`);
	await repository.git([name, '--abort']);
	expectAccepted(await merge({tree: (await preview()).tree}));
	expect(await repository.read('b.txt')).toBe('b\n');
});

test('an unresolved merge in the worktree is distinguished from a conflict with the base', async () => {
	const {repository, worktree, preview} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
	await worktree.git(['checkout', '--quiet', '-b', 'side']);
	await worktree.write('a.txt', 'side\n');
	await worktree.commit('side');
	await worktree.git(['checkout', '--quiet', `hive/${traceId}`]);
	await worktree.write('a.txt', 'theirs\n');
	await worktree.write('b.txt', 'theirs\n');
	await worktree.commit('theirs');
	await repository.write('b.txt', 'ours\n');
	await repository.commit('ours');
	await worktree.git(['merge', 'side']).catch(() => undefined);
	expect(await preview()).toMatchObject({conflicts: ['b.txt', 'a.txt'], unresolved: ['a.txt']});
});

test('work without common history with its base is refused with a hint, and can be merged after a manual merge', async () => {
	const {repository, worktree, location, preview, merge} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	await repository.git(['checkout', '--quiet', '--orphan', 'anew']);
	await repository.commit('anew');
	await repository.git(['branch', '--force', 'main', 'anew']);
	await repository.git(['checkout', '--quiet', 'main']);
	const refused = {
		ok: false,
		refusal: {code: 'wrong_status', message: expect.stringContaining('no history')},
	};
	expect(await previewMerge(git, location)).toMatchObject(refused);
	expect(await merge({tree})).toMatchObject(refused);
	expect(await mergeBase(git, {...location, subject: 'Add'})).toMatchObject(refused);
	expect(wordsOf(await merge({tree}))).toContain('"git merge --allow-unrelated-histories main"');
	await worktree.commit('work');
	await worktree.git(['merge', '--quiet', '--allow-unrelated-histories', '--no-edit', 'main']);
	expectAccepted(await merge({tree: (await preview()).tree}));
	expect(await repository.read('b.txt')).toBe('b\n');
});

test('a worktree with read-only folders is removed, both normally and by force', async () => {
	for (const isForced of [false, true]) {
		const {repository, worktree, location} = await createScene({'a.txt': 'a\n', '.gitignore': 'cache/\n'});
		await worktree.write('cache/mod/deep/file', 'x');
		for (const folder of ['cache/mod/deep', 'cache/mod']) await chmod(join(worktree.root, folder), 0o555);
		// This folder can be entered, but neither listed nor changed.
		await worktree.write('cache/other/file', 'x');
		await chmod(join(worktree.root, 'cache/other'), 0o100);
		if (isForced) expectAccepted(await forgetTrace(git, location));
		else expectAccepted(await removeWorktree(git, {...location, disposable: ['cache']}));
		expect(await worktree.exists('')).toBe(false);
		expect(await repository.git(['worktree', 'list', '--porcelain'])).not.toContain('trace-1');
	}
});
