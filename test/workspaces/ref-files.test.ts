import {expect, test} from 'vitest';
import {resolve} from '../../source/workspaces/trees/objects.ts';
import {readRef} from '../../source/workspaces/trees/ref-files.ts';
import {createScene, git} from './scene.ts';

const names = [
	'HEAD',
	'refs/heads/main',
	'refs/hive/base/trace-1',
	'refs/heads/hive/trace-1',
	'refs/heads/no',
];

test('a ref read from files equals that of git: loose, packed, symbolic and in a worktree', async () => {
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

test('a symbolic ref names its target, and a missing ref has no commit', async () => {
	const {repository} = await createScene({'a.txt': 'a\n'});
	expect(await readRef(git, repository.root, 'refs/hive/base/trace-1')).toMatchObject({
		name: 'refs/heads/main',
	});
	expect(await readRef(git, repository.root, 'refs/heads/no')).toEqual({name: 'refs/heads/no'});
	await repository.git(['symbolic-ref', 'HEAD', 'refs/heads/unborn']);
	expect(await readRef(git, repository.root, 'HEAD')).toEqual({name: 'refs/heads/unborn'});
});

test('a ref that only git can resolve is not read from files', async () => {
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
