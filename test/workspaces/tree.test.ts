import {utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {captureTree} from '../../source/workspaces/trees/tree.ts';
import {createRepository, takeSnapshot} from '../helpers/repository.ts';
import {git} from './scene.ts';

test('the tree has staged, unstaged and untracked files, not ignored ones, and the index stays as it is', async () => {
	const repository = await createRepository({'a.txt': 'a\n', 'gone.txt': 'x\n', '.gitignore': 'out/\n'});
	await repository.write('staged.txt', 'staged\n');
	await repository.git(['add', 'staged.txt']);
	await repository.write('a.txt', 'changed\n');
	await repository.write('deep/new.txt', 'new\n');
	await repository.write('out/ignored.txt', 'ignored\n');
	await repository.remove('gone.txt');
	const before = await takeSnapshot(repository);
	const tree = await captureTree(git, repository.root);
	expect(await takeSnapshot(repository)).toEqual(before);
	expect((await repository.git(['ls-tree', '-r', '--name-only', tree])).split('\n')).toEqual([
		'.gitignore',
		'a.txt',
		'deep/new.txt',
		'staged.txt',
	]);
	expect(await repository.git(['cat-file', 'blob', `${tree}:a.txt`])).toBe('changed');
});

test('files that a sparse checkout leaves out are not taken for deleted', async () => {
	const repository = await createRepository({'in/a.txt': 'a\n', 'out/b.txt': 'b\n'});
	await repository.git(['sparse-checkout', 'set', 'in']);
	expect(await repository.exists('out/b.txt')).toBe(false);
	const head = await repository.git(['rev-parse', 'HEAD^{tree}']);
	expect(await captureTree(git, repository.root)).toBe(head);
});

test('what is written outside of a sparse checkout is in the tree', async () => {
	const repository = await createRepository({'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/c.txt': 'c\n'});
	await repository.git(['sparse-checkout', 'set', 'in']);
	await repository.write('out/b.txt', 'changed\n');
	await repository.write('more/new.txt', 'new\n');
	const tree = await captureTree(git, repository.root);
	expect(await repository.git(['diff-tree', '-r', '--name-status', 'HEAD', tree])).toBe(
		'A\tmore/new.txt\nM\tout/b.txt',
	);
});

test('a file is in the tree whose line ends git is set not to change', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.git(['config', 'core.autocrlf', 'input']);
	await repository.git(['config', 'core.safecrlf', 'true']);
	await repository.write('b.txt', 'one\r\ntwo\n');
	const tree = await captureTree(git, repository.root);
	expect(await repository.git(['cat-file', 'blob', `${tree}:b.txt`])).toBe('one\ntwo');
});

test('an ignored file that was added on purpose is in the tree', async () => {
	const repository = await createRepository({'a.txt': 'a\n', '.gitignore': '*.log\n'});
	await repository.write('kept.log', 'kept\n');
	await repository.git(['add', '--force', 'kept.log']);
	const tree = await captureTree(git, repository.root);
	expect(await repository.git(['cat-file', 'blob', `${tree}:kept.log`])).toBe('kept');
});

test('a nested repository without a commit does not keep the other files out', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.write('nested/x.txt', 'x\n');
	await repository.git(['init', '--quiet', 'nested']);
	await repository.write('z.txt', 'z\n');
	const tree = await captureTree(git, repository.root);
	expect(await repository.git(['cat-file', 'blob', `${tree}:z.txt`])).toBe('z');
});

test('an edit of the same size in the second in which the index was written is seen', async () => {
	const repository = await createRepository();
	const second = new Date('2024-01-01T00:00:00Z');
	const touch = (path: string) => utimes(join(repository.root, path), second, second);
	await repository.git(['config', 'core.trustctime', 'false']);
	await repository.write('a.txt', 'old\n');
	await touch('a.txt');
	await repository.commit('first');
	await touch('.git/index');
	await repository.write('a.txt', 'new\n');
	await touch('a.txt');
	const tree = await captureTree(git, repository.root);
	expect(await repository.git(['cat-file', 'blob', `${tree}:a.txt`])).toBe('new');
});
