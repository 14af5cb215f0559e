import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {findMerge} from '../../source/workspaces/merge/landed.ts';
import {mergeBase} from '../../source/workspaces/merge/merge-base.ts';
import {ensureWorktree, removeWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createScene, git, traceId} from './scene.ts';

const createSquash = async () => {
	const scene = await createScene({'a.txt': 'a\n', 'mine.txt': 'x\n'});
	const squash = async () => scene.merge({tree: (await scene.preview()).tree, strategy: 'squash'});
	return {...scene, squash};
};

const firstLanding = async () => {
	const scene = await createSquash();
	await scene.worktree.write('a.txt', 'committed\n');
	await scene.worktree.commit('A commit of an agent');
	await scene.worktree.write('b.txt', 'b\n');
	const {tree} = await scene.preview();
	const base = await scene.repository.git(['rev-parse', 'main']);
	const {commit} = expectAccepted(await scene.squash());
	return {...scene, tree, base, commit};
};

test('a squash is one commit on the base, with the tree that was seen and the work in a trailer', async () => {
	const {repository, base, commit, tree} = await firstLanding();
	const work = await repository.git(['rev-parse', `hive/${traceId}`]);
	expect(await repository.git(['show', '-s', '--format=%T %P', 'main'])).toBe(`${tree} ${base}`);
	expect(await repository.git(['show', '-s', '--format=%B', commit])).toBe(
		`Add the feature\n\nWhy it was added.\n\nHive-Trace: ${traceId}\nHive-Merge: squash ${work}`,
	);
	expect(await repository.git(['log', '--format=%s', 'main'])).not.toContain('A commit of an agent');
});

test('a squash is known as the merge of exactly this work', async () => {
	const {location, worktree, commit, preview} = await firstLanding();
	expect(await findMerge(git, location)).toMatchObject({commit, base: 'main'});
	expect((await preview()).empty).toBe(true);
	await worktree.write('more.txt', 'more\n');
	expect(await findMerge(git, location)).toBeUndefined();
});

test('a text of a person that looks like the trailer does not replace it', async () => {
	const {location, worktree, preview, merge} = await createSquash();
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	const body = `Hive-Merge: squash ${'1'.repeat(40)}`;
	const {commit} = expectAccepted(await merge({tree, strategy: 'squash', body}));
	expect(await findMerge(git, location)).toMatchObject({commit});
});

test('work after a squash is compared with what landed, also where the base has changed the same lines', async () => {
	const {repository, worktree, preview, squash} = await firstLanding();
	await repository.write('a.txt', 'changed by a person\n');
	await repository.commit('Mine');
	await worktree.write('b.txt', 'b, again\n');
	const {files, conflicts} = await preview();
	expect(files.map(({path}) => path)).toEqual(['b.txt']);
	expect(conflicts).toEqual([]);
	expectAccepted(await squash());
	expect(await repository.read('a.txt')).toBe('changed by a person\n');
	expect(await repository.read('b.txt')).toBe('b, again\n');
});

test('a base with a squash is merged into the work without a conflict, and then compared as usual', async () => {
	const {repository, worktree, location, preview, squash} = await firstLanding();
	await repository.write('a.txt', 'changed by a person\n');
	await repository.commit('Mine');
	await worktree.write('b.txt', 'b, again\n');
	expect(expectAccepted(await mergeBase(git, {...location, subject: 'Work'})).conflicts).toEqual([]);
	expect(await worktree.read('a.txt')).toBe('changed by a person\n');
	expect((await preview()).files.map(({path}) => path)).toEqual(['b.txt']);
	expectAccepted(await squash());
	expect((await preview()).empty).toBe(true);
});

test('a new worktree after a squash begins at the base, and the commits of the trace are kept', async () => {
	const {repository, location} = await firstLanding();
	const work = await repository.git(['rev-parse', `hive/${traceId}`]);
	expect(expectAccepted(await removeWorktree(git, {...location, disposable: []}))).toBe(true);
	await repository.write('mine.txt', 'mine\n');
	await repository.commit('Mine');
	expectAccepted(await ensureWorktree({git}, location));
	const head = await repository.git(['rev-parse', `hive/${traceId}`]);
	expect(head).toBe(await repository.git(['rev-parse', 'main']));
	expect(await repository.git(['for-each-ref', '--format=%(objectname)', 'refs/hive/keep'])).toContain(work);
});
