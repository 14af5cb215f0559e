import {expect, test} from 'vitest';
import {resolve} from '../../source/workspaces/objects.ts';
import {makeRef, readRef} from '../../source/workspaces/ref-files.ts';
import {createScene, git} from './scene.ts';

const names = [
	'HEAD',
	'refs/heads/main',
	'refs/hive/base/trace-1',
	'refs/heads/hive/trace-1',
	'refs/heads/no',
];

test('a ref has the commit that git says, loose, packed, symbolic and from a worktree', async () => {
	const {repository, made, worktree} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	await worktree.commit('more');
	const say = (cwd: string) =>
		Promise.all(
			names.map(name => repository.git(['rev-parse', '-q', '--verify', name], cwd).catch(() => '')),
		);
	const read = (cwd: string) =>
		Promise.all(names.map(async name => (await readRef(git, cwd, name))?.id ?? ''));
	for (const args of [['status'], ['pack-refs', '--all'], ['switch', '--quiet', '--detach']]) {
		await repository.git(args);
		expect(await read(repository.root)).toEqual(await say(repository.root));
		expect(await read(made.path)).toEqual(await say(made.path));
	}
	await repository.git(['update-ref', 'refs/heads/main', 'refs/heads/hive/trace-1']);
	expect(await read(repository.root)).toEqual(await say(repository.root));
});

test('a symbolic ref names where it leads, and one that is not there has no commit', async () => {
	const {repository} = await createScene({'a.txt': 'a\n'});
	expect(await readRef(git, repository.root, 'refs/hive/base/trace-1')).toMatchObject({
		name: 'refs/heads/main',
	});
	expect(await readRef(git, repository.root, 'refs/heads/no')).toEqual({name: 'refs/heads/no'});
	await repository.git(['symbolic-ref', 'HEAD', 'refs/heads/unborn']);
	expect(await readRef(git, repository.root, 'HEAD')).toEqual({name: 'refs/heads/unborn'});
});

test('where only git can tell it is git that is asked', async () => {
	const {repository} = await createScene({'a.txt': 'a\n'});
	const {root} = repository;
	const head = await repository.git(['rev-parse', 'HEAD']);
	for (const revision of [
		'HEAD~0',
		`${head}^{tree}`,
		'refs/heads/main^{commit}',
		'main',
		'refs/heads/../HEAD',
	])
		expect(await readRef(git, root, revision)).toBeUndefined();
	await repository.remove('.git/refs/heads/main');
	await repository.write('.git/elsewhere', `${head}\n`);
	await repository.link('.git/refs/heads/main', '../../elsewhere');
	expect(await readRef(git, root, 'refs/heads/main')).toBeUndefined();
	expect(await resolve(git, root, 'refs/heads/main')).toBe(head);
	await repository.write('.git/reftable/tables.list', '');
	expect(await readRef(git, root, 'refs/heads/no')).toBeUndefined();
});

test('a ref is made as git makes it, plain or symbolic', async () => {
	const {repository} = await createScene({'a.txt': 'a\n'});
	const {root} = repository;
	const head = await repository.git(['rev-parse', 'HEAD']);
	expect(await makeRef(git, root, 'refs/heads/hive/trace-2', head)).toBe(true);
	expect(await makeRef(git, root, 'refs/hive/base/trace-2', 'refs/heads/main')).toBe(true);
	expect(await repository.git(['rev-parse', 'hive/trace-2'])).toBe(head);
	expect(await repository.git(['symbolic-ref', 'refs/hive/base/trace-2'])).toBe('refs/heads/main');
	await repository.git(['fsck', '--strict']);
});

test('nothing is written where a ref is there, loose or packed, is locked, or would be another part of one', async () => {
	const {repository} = await createScene({'a.txt': 'a\n'});
	const {root} = repository;
	const head = await repository.git(['rev-parse', 'HEAD']);
	const all = () => repository.git(['for-each-ref']);
	await repository.git(['branch', 'hive/packed']);
	await repository.git(['branch', 'hive/packed-folder/below']);
	await repository.git(['pack-refs', '--all']);
	await repository.git(['branch', 'hive/loose']);
	await repository.git(['branch', 'hive/folder/below']);
	await repository.write('.git/refs/heads/hive/locked.lock', '');
	const before = await all();
	for (const name of [
		'packed',
		'packed/below',
		'packed-folder',
		'loose',
		'folder',
		'loose/below',
		'locked',
		'../main',
	])
		expect(await makeRef(git, root, `refs/heads/hive/${name}`, head)).toBe(false);
	expect(await makeRef(git, root, 'refs/heads/hive/odd', 'main')).toBe(false);
	expect(await makeRef(git, root, 'refs/heads/main2', head)).toBe(false);
	expect(await all()).toBe(before);
	expect(await repository.read('.git/refs/heads/hive/locked.lock')).toBe('');
});

test('a ref whose making was cut short is made, and nothing is written through a link', async () => {
	const {repository} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const head = await repository.git(['rev-parse', 'HEAD']);
	await repository.write('.git/hive/refs-heads-hive-torn', head.slice(0, 7));
	await repository.link('.git/hive/refs-heads-hive-linked', '../../b.txt');
	for (const name of ['torn', 'linked']) {
		expect(await makeRef(git, repository.root, `refs/heads/hive/${name}`, head)).toBe(true);
		expect(await repository.git(['rev-parse', `hive/${name}`])).toBe(head);
	}
	expect(await repository.read('b.txt')).toBe('b\n');
});
