import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {readCheckoutNotes} from '../../source/workspaces/worktree/checkout-notes.ts';
import {listCheckouts} from '../../source/workspaces/worktree/checkouts.ts';
import {refuseUnusable} from '../../source/workspaces/worktree/usable-checkout.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {git, traceId} from './scene.ts';

const temporary = async (): Promise<string> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-notes-')));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	return folder;
};

const kindsOf = async (root: string) => (await readCheckoutNotes(git, root)).map(({kind}) => kind);

test('a checkout on its branch with only the sample hooks of git has no notes', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	expect(await kindsOf(root)).toEqual([]);
});

test('a detached HEAD is noted, except before the first commit', async () => {
	const repository = await createRepository();
	expect(await kindsOf(repository.root)).toEqual([]);
	await repository.commit('first');
	await repository.git(['checkout', '--quiet', '--detach']);
	expect(await kindsOf(repository.root)).toEqual(['detached-head']);
});

test('hooks that can refuse a commit or a merge are named, wherever git looks for them', async () => {
	const {root, write, git: inRoot} = await createRepository({'a.txt': 'a\n'});
	await write('.git/hooks/pre-merge-commit', '#!/bin/sh\n', 0o755);
	await write('.git/hooks/commit-msg', '#!/bin/sh\n', 0o644);
	await write('.git/hooks/post-merge', '#!/bin/sh\n', 0o755);
	const [note] = await readCheckoutNotes(git, root);
	expect(note).toMatchObject({kind: 'hooks-not-run', path: join(root, '.git/hooks')});
	expect(note?.message).toContain('so pre-merge-commit will not');
	await write('checks/reference-transaction', '#!/bin/sh\n', 0o755);
	await inRoot(['config', 'core.hooksPath', 'checks']);
	const [other] = await readCheckoutNotes(git, root);
	expect(other?.message).toContain('so reference-transaction will not');
	await inRoot(['config', 'core.hooksPath', '/dev/null']);
	expect(await kindsOf(root)).toEqual([]);
});

test('an empty submodule is named with the command that fills it', async () => {
	const library = await createRepository({'lib.txt': 'lib\n'});
	const {root, git: inRoot, commit} = await createRepository({'a.txt': 'a\n'});
	const allowed = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
	await inRoot([...allowed, 'add', library.root, 'vendor']);
	await commit('vendor');
	expect(await kindsOf(root)).toEqual([]);
	await inRoot(['submodule', '--quiet', 'deinit', 'vendor']);
	const [note] = await readCheckoutNotes(git, root);
	expect(note).toMatchObject({kind: 'submodules-empty', path: 'vendor'});
	expect(note?.fix).toContain(`git submodule update --init -- 'vendor'`);
});

test('the folder around a bare repository is refused with its worktrees, and a damaged checkout as damaged', async () => {
	const origin = await createRepository({'a.txt': 'a\n'});
	const folder = await temporary();
	const container = openRepository(folder);
	await container.git(['clone', '--quiet', '--bare', origin.root, '.bare']);
	await container.write('.git', 'gitdir: ./.bare\n');
	expect((await refuseUnusable(git, folder))?.refusal).toMatchObject({
		code: 'not_a_repository',
		hint: expect.stringContaining('worktree add'),
		details: [],
	});
	await container.git(['worktree', 'add', '--quiet', 'main', 'main']);
	expect((await refuseUnusable(git, folder))?.refusal).toMatchObject({
		message: `${folder} is a bare repository: it has no files to work on.`,
		hint: expect.stringContaining(`-C '${folder}/main'`),
		details: [{path: `${folder}/main`, message: 'is its worktree of main'}],
	});
	expect(await refuseUnusable(git, join(folder, 'main'))).toBeUndefined();
	await origin.git(['config', 'core.bare', 'true']);
	expect((await refuseUnusable(git, origin.root))?.refusal).toMatchObject({code: 'repository_damaged'});
});

test.each([
	['settings of all checkouts', false],
	['settings of each checkout', true],
])('a merge into a worktree of a bare repository with %s works', async (_, ownSettings) => {
	const origin = await createRepository({'a.txt': 'a\n', '.hive/.gitignore': 'worktrees/\n'});
	const folder = await temporary();
	const container = openRepository(folder);
	await container.git(['clone', '--quiet', '--bare', origin.root, 'bare.git']);
	const bare = join(folder, 'bare.git');
	if (ownSettings) {
		await container.git(['config', 'extensions.worktreeConfig', 'true'], bare);
		await container.git(['config', '--worktree', 'core.bare', 'true'], bare);
		await container.git(['config', '--unset', 'core.bare'], bare);
	}
	await container.git(['worktree', 'add', '--quiet', join(folder, 'main'), 'main'], bare);
	const location = {root: join(folder, 'main'), traceId};
	const made = expectAccepted(await ensureWorktree({git}, location));
	await openRepository(made.path).write('b.txt', 'b\n');
	const {tree} = expectAccepted(await previewMerge(git, location));
	expectAccepted(await mergeTrace(git, {...location, tree, subject: 'Add', body: ''}));
	expect(await openRepository(location.root).read('b.txt')).toBe('b\n');
	expect(await container.git(['status', '--porcelain'], location.root)).toBe('');
});

test('the main checkout of a submodule is found at its files, also from a linked worktree', async () => {
	const library = await createRepository({'lib.txt': 'lib\n', '.hive/.gitignore': 'worktrees/\n'});
	const around = await createRepository({'a.txt': 'a\n'});
	const allowed = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
	await around.git([...allowed, 'add', library.root, 'lib']);
	const root = join(around.root, 'lib');
	// Use the same settings as "git sparse-checkout".
	await around.git(['config', 'extensions.worktreeConfig', 'true'], root);
	await around.git(['config', '--worktree', 'core.worktree', '../../../lib'], root);
	await around.git(
		['config', '--file', join(around.root, '.git/modules/lib/config'), '--unset', 'core.worktree'],
		root,
	);
	const linked = join(await temporary(), 'linked');
	await around.git(['worktree', 'add', '--quiet', '-b', 'other', linked], root);
	for (const from of [root, linked])
		expect((await listCheckouts(git, from)).map(({path}) => path)).toEqual([root, linked]);
	const location = {root, traceId};
	const made = expectAccepted(await ensureWorktree({git}, location));
	await openRepository(made.path).write('b.txt', 'b\n');
	const preview = expectAccepted(await previewMerge(git, location));
	expect(preview.files.map(({path}) => path)).toEqual(['b.txt']);
	expectAccepted(await mergeTrace(git, {...location, tree: preview.tree, subject: 'Add', body: ''}));
	expect(await openRepository(root).read('b.txt')).toBe('b\n');
	expect(await around.git(['status', '--porcelain'], root)).toBe('');
});
