import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {findMerge} from '../../source/workspaces/merge/landed.ts';
import {mergeBase} from '../../source/workspaces/merge/merge-base.ts';
import {ensureWorktree, removeWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createScene, git, traceId} from './scene.ts';

const lines = (changes: Readonly<Record<number, string>>): string =>
	Array.from({length: 9}, (_, line) => `${changes[line] ?? line}\n`).join('');

const createRebase = async () => {
	const scene = await createScene({'a.txt': lines({}), 'mine.txt': 'x\n'});
	const rebase = async () => scene.merge({tree: (await scene.preview()).tree, strategy: 'rebase'});
	return {...scene, rebase};
};

/** Two commits of an agent and unsaved work, while the base has moved. */
const createWork = async () => {
	const scene = await createRebase();
	const {repository, worktree} = scene;
	await worktree.write('a.txt', lines({0: 'first'}));
	await worktree.git(['add', '--all']);
	const message = 'First\n\nWhy.\n\nSigned-off-by: An agent <agent@localhost>';
	const by = ['--author=An agent <agent@localhost>', '--date=2020-01-02T03:04:05+0600'];
	await worktree.git(['commit', '--quiet', ...by, '--message', message]);
	await worktree.write('a.txt', lines({0: 'first', 4: 'second'}));
	await worktree.commit(`Second\n\nHive-Trace: another\nHive-Merge: squash ${'1'.repeat(40)}`);
	await worktree.write('b.txt', 'b\n');
	await repository.write('a.txt', lines({8: 'mine'}));
	await repository.commit('Mine');
	return scene;
};

const landed = async () => {
	const scene = await createWork();
	const base = await scene.repository.git(['rev-parse', 'main']);
	const {tree} = await scene.preview();
	const {commit} = expectAccepted(await scene.rebase());
	return {...scene, base, tree, commit};
};

test('a rebase puts the commits of the trace onto the base, one after the other', async () => {
	const {repository, base, tree, commit} = await landed();
	expect(await repository.git(['log', '--format=%s', `${base}..main`])).toBe(
		['Add the feature', 'Second', 'First'].join('\n'),
	);
	expect(await repository.git(['rev-list', '--min-parents=2', 'main'])).toBe('');
	expect(await repository.git(['rev-parse', 'main', 'main^{tree}'])).toBe(`${commit}\n${tree}`);
	expect(await repository.git(['show', 'main~2:a.txt'])).toBe(lines({0: 'first', 8: 'mine'}).trim());
	expect(await repository.read('a.txt')).toBe(lines({0: 'first', 4: 'second', 8: 'mine'}));
});

test('replayed commits keep author, date and message, and the person commits them', async () => {
	const {repository} = await landed();
	const format = '--format=%an|%aI|%cn|%(trailers:key=Signed-off-by,valueonly)';
	expect((await repository.git(['show', '-s', format, 'main~2'])).trim()).toBe(
		`An agent|2020-01-02T03:04:05+06:00|${await repository.git(['config', 'user.name'])}|An agent <agent@localhost>`,
	);
});

test('only the newest commit has the trailers of the landing, whatever an agent wrote into its own', async () => {
	const {repository, base} = await landed();
	const work = await repository.git(['rev-parse', `hive/${traceId}`]);
	const format = '--format=%(trailers:only,separator=%x2c)';
	expect((await repository.git(['log', format, `${base}..main`])).split('\n').slice(0, 2)).toEqual([
		`Hive-Trace: ${traceId},Hive-Merge: rebase ${work} onto ${base}`,
		'',
	]);
});

test('a rebase is known as the merge of exactly this work, and can be reverted by its trailer', async () => {
	const {location, repository, worktree, commit, preview} = await landed();
	expect(await findMerge(git, location)).toMatchObject({commit, base: 'main'});
	expect((await preview()).empty).toBe(true);
	await worktree.write('more.txt', 'more\n');
	expect(await findMerge(git, location)).toBeUndefined();
	const trailer = await repository.git(['show', '-s', '--format=%(trailers:key=Hive-Merge,valueonly)']);
	const [, onto = ''] = / onto (\w+)/.exec(trailer) ?? [];
	await repository.git(['revert', '--no-edit', `${onto}..${commit}`]);
	expect(await repository.git(['diff', '--stat', onto, 'main'])).toBe('');
});

test('work after a rebase is compared with what landed, and lands alone', async () => {
	const {repository, worktree, preview, rebase, commit} = await landed();
	await repository.write('a.txt', lines({0: 'changed by a person', 8: 'mine'}));
	await repository.commit('Mine again');
	await worktree.write('b.txt', 'b, again\n');
	const {files, conflicts} = await preview();
	expect([files.map(({path}) => path), conflicts]).toEqual([['b.txt'], []]);
	expectAccepted(await rebase());
	expect((await repository.git(['rev-list', `${commit}..main`])).split('\n')).toHaveLength(2);
	expect(await repository.read('a.txt')).toBe(lines({0: 'changed by a person', 8: 'mine'}));
});

test('a base that was merged into the work is not replayed', async () => {
	const {repository, worktree, location, rebase} = await createWork();
	expect(expectAccepted(await mergeBase(git, {...location, subject: 'Work'})).conflicts).toEqual([]);
	await worktree.write('b.txt', 'b, again\n');
	expectAccepted(await rebase());
	expect(await repository.git(['rev-list', '--min-parents=2', 'main'])).toBe('');
	expect(await repository.read('b.txt')).toBe('b, again\n');
});

test('a commit that conflicts is refused with its name, its files and the next step', async () => {
	const {repository, worktree, rebase} = await createRebase();
	await worktree.write('a.txt', lines({4: 'first'}));
	await worktree.commit('First');
	await worktree.write('a.txt', lines({}));
	await worktree.commit('Second');
	await worktree.write('b.txt', 'b\n');
	await repository.write('a.txt', lines({4: 'mine'}));
	await repository.commit('Mine');
	const before = await repository.git(['rev-parse', 'main', `hive/${traceId}`]);
	expect(await rebase()).toMatchObject({
		refusal: {
			code: 'merge_refused',
			message: expect.stringContaining('"First" conflicts when it is replayed on main. Nothing was changed.'),
			hint: 'Approve with "--strategy merge", or with "--strategy squash" for one commit.',
			details: [{path: 'a.txt', message: 'conflicts with main'}],
		},
	});
	expect(await repository.git(['rev-parse', 'main', `hive/${traceId}`])).toBe(before);
});

test('a merge that was resolved by hand is refused, since its replay gives other files', async () => {
	const {repository, worktree, preview, merge, rebase} = await createRebase();
	await worktree.write('b.txt', 'b\n');
	await worktree.commit('First');
	await repository.write('mine.txt', 'mine\n');
	await repository.commit('Mine');
	await worktree.git(['merge', '--quiet', '--no-commit', '--no-ff', 'main']);
	await worktree.write('c.txt', 'only in the merge\n');
	await worktree.commit('Merge main');
	expect(await rebase()).toMatchObject({
		refusal: {code: 'merge_refused', message: expect.stringContaining('give other files')},
	});
	expectAccepted(await merge({tree: (await preview()).tree}));
});

test('a new worktree after a rebase begins at the base, and the commits of the trace are kept', async () => {
	const {repository, location} = await landed();
	const work = await repository.git(['rev-parse', `hive/${traceId}`]);
	expect(expectAccepted(await removeWorktree(git, {...location, disposable: []}))).toBe(true);
	await repository.write('mine.txt', 'mine\n');
	await repository.commit('Mine again');
	expectAccepted(await ensureWorktree({git}, location));
	const head = await repository.git(['rev-parse', `hive/${traceId}`]);
	expect(head).toBe(await repository.git(['rev-parse', 'main']));
	expect(await repository.git(['for-each-ref', '--format=%(objectname)', 'refs/hive/keep'])).toContain(work);
});
