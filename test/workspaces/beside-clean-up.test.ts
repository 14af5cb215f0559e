import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import {runToEnd} from '../../source/drivers/run-to-end.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {mergeBase} from '../../source/workspaces/merge/merge-base.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {keepTree} from '../../source/workspaces/trees/attribution.ts';
import {captureHeld} from '../../source/workspaces/trees/held-trees.ts';
import {captureReadable, captureTree} from '../../source/workspaces/trees/tree.ts';
import {holdCleanUp} from '../helpers/held-clean-up.ts';
import {createRepository, type Repository} from '../helpers/repository.ts';
import {createScene, git} from './scene.ts';

const names = {traceId: 'trace-1', agentId: '0123456789abcdef'};
const ended = {endedAt: '2026-01-01T00:00:00.000Z', inWorktree: 'alone'} as const;

const createEdited = async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const parent = await repository.git(['rev-parse', 'HEAD']);
	await repository.write('src/new.txt', 'new\n');
	return {repository, parent, root: repository.root};
};

/** Git's own check that every object that a ref, an index or a HEAD needs is there. */
const check = ({git}: Repository) => git(['fsck', '--connectivity-only', '--no-dangling']);

/** A git that calls `act` once, before it sets the first ref. */
const beforeFirstRef = (act: () => Promise<unknown>) => {
	let isDone = false;
	return createGit(undefined, undefined, async (file, args, options) => {
		if (args.includes('update-ref') && !isDone) {
			isDone = true;
			await act();
		}
		return runToEnd(file, args, options);
	});
};

test('a kept tree survives a clean-up that looked at the refs before', async () => {
	const {repository, parent, root} = await createEdited();
	const cleanUp = await holdCleanUp(root);
	const tree = await captureTree(git, root);
	const commit = await keepTree(git, {...names, ...ended, root, tree, parent});
	await cleanUp.finish();
	expect(await repository.git(['show', `${commit}:src/new.txt`])).toBe('new');
	await check(repository);
});

test('the captured tree of a run survives a clean-up that deletes it before its ref is set', async () => {
	const {repository, root} = await createEdited();
	const cleanUp = await holdCleanUp(root);
	const unlucky = beforeFirstRef(cleanUp.finish);
	const run = {...names, workspace: root};
	const {tree} = await captureHeld(unlucky, run, 'after', () => captureReadable(unlucky, root));
	expect(await repository.git(['show', `${tree}:src/new.txt`])).toBe('new');
	await check(repository);
});

test('the captured tree of a run survives a clean-up that lies between its writing and its ref', async () => {
	const {repository, root} = await createEdited();
	const unlucky = beforeFirstRef(() => repository.git(['gc', '--quiet', '--prune=now']));
	const run = {...names, workspace: root};
	const {tree} = await captureHeld(unlucky, run, 'after', () => captureReadable(unlucky, root));
	expect(await repository.git(['show', `${tree}:src/new.txt`])).toBe('new');
	await check(repository);
});

test('a tree whose files are gone already is not kept, and the caller is told', async () => {
	const {repository, parent, root} = await createEdited();
	const tree = await captureTree(git, root);
	const cleanUp = await holdCleanUp(root);
	await repository.remove(`.git/objects/${await objectFile(repository, 'src/new.txt')}`);
	await expect(keepTree(git, {...names, ...ended, root, tree, parent})).rejects.toThrow(
		'A clean-up of git removed objects',
	);
	await cleanUp.finish();
});

const objectFile = async (repository: Repository, path: string): Promise<string> => {
	const id = await repository.git(['hash-object', path]);
	return `${id.slice(0, 2)}/${id.slice(2)}`;
};

test('keeping a tree starts no more processes if there is no clean-up', async () => {
	const {parent, root} = await createEdited();
	const tree = await captureTree(git, root);
	const commands: string[] = [];
	const counting = createGit(undefined, undefined, (file, args, options) => {
		commands.push(
			args.find(arg => /^(?:commit-tree|update-ref|rev-list|pack-objects|cat-file)$/.test(arg)) ?? '',
		);
		return runToEnd(file, args, options);
	});
	await keepTree(counting, {...names, ...ended, root, tree, parent});
	expect(commands.filter(Boolean)).toEqual(['commit-tree', 'update-ref']);
});

test.each(['merge', 'squash'] as const)(
	'a %s with unsaved files is whole after a clean-up that looked at the refs before',
	async strategy => {
		const {repository, worktree, location} = await createScene({'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n'});
		await worktree.write('a.txt', '1\n2\n3\n4\nfive\n');
		await worktree.write('src/new.txt', 'new\n');
		await repository.write('a.txt', 'one\n2\n3\n4\n5\n');
		const cleanUp = await holdCleanUp(repository.root);
		const {tree} = expectAccepted(await previewMerge(git, location));
		const request = {...location, tree, subject: 'Add the feature', body: '', strategy};
		expectAccepted(await mergeTrace(git, request));
		await cleanUp.finish();
		await check(repository);
		expect(await repository.git(['show', 'HEAD:src/new.txt'])).toBe('new');
		expect(await repository.git(['show', 'refs/hive/keep/trace-1/root:a.txt'])).toBe('one\n2\n3\n4\n5');
		expect(await repository.read('a.txt')).toBe('one\n2\n3\n4\nfive\n');
	},
);

test('a base that is merged into a worktree is whole after a clean-up that looked at the refs before', async () => {
	const {repository, worktree, location} = await createScene({'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n'});
	await worktree.write('a.txt', '1\n2\n3\n4\nfive\n');
	await repository.write('a.txt', 'one\n2\n3\n4\n5\n');
	await repository.commit('second');
	const cleanUp = await holdCleanUp(repository.root);
	expectAccepted(await mergeBase(git, {...location, subject: 'Add the feature'}));
	await cleanUp.finish();
	await check(repository);
	expect(await worktree.git(['show', 'HEAD:a.txt'])).toBe('one\n2\n3\n4\nfive');
});
