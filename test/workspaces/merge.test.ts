import {chmod, readFile, rm, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectAccepted, type Outcome} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import {leaveBranch} from '../../source/workspaces/merge/leave-branch.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository, takeSnapshot} from '../helpers/repository.ts';
import {createScene, git, traceId} from './scene.ts';

const refusalOf = (outcome: Outcome<unknown>) =>
	outcome.ok ? undefined : {code: outcome.refusal.code, paths: outcome.refusal.details.map(({path}) => path)};

const numbered = (count: number, changes: Readonly<Record<number, string>> = {}) =>
	Array.from({length: count}, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('');

test('the whole worktree lands on the base as one merge with the tree of the preview', async () => {
	const {repository, worktree, preview, merge} = await createScene({
		'a.txt': 'a\n',
		'gone.txt': 'x\n',
		'old.txt': numbered(20),
	});
	const base = await repository.git(['rev-parse', 'main']);
	await worktree.write('a.txt', 'committed\n');
	await worktree.commit('work');
	await worktree.write('new.sh', 'echo\n', 0o755);
	await worktree.link('link', 'a.txt');
	await worktree.remove('gone.txt');
	await worktree.git(['mv', 'old.txt', 'renamed.txt']);
	const {tree} = await preview();
	const merged = expectAccepted(await merge({tree}));
	expect(merged).toMatchObject({base: 'main', alreadyMerged: false, carried: []});
	expect(await repository.git(['rev-parse', 'main'])).toBe(merged.commit);
	expect(await repository.git(['rev-parse', `${merged.commit}^{tree}`])).toBe(tree);
	expect(await repository.git(['show', '-s', '--format=%P', merged.commit])).toBe(
		`${base} ${await repository.git(['rev-parse', `hive/${traceId}`])}`,
	);
	expect(await repository.git(['status', '--porcelain'])).toBe('');
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
	expect(await repository.git(['ls-files', '--stage', 'new.sh', 'link'])).toMatch(/^120000.*\n100755/);
	expect(await repository.exists('gone.txt')).toBe(false);
	expect(await repository.read('renamed.txt')).toBe(numbered(20));
});

test('the merge message is the subject on one line, the body and a trailer', async () => {
	const {repository, worktree, preview, merge} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	expectAccepted(await merge({tree, subject: 'A title\nin two lines', body: 'Some words.\n'}));
	expect(await repository.git(['show', '-s', '--format=%B', 'main'])).toBe(
		`A title in two lines\n\nSome words.\n\nHive-Trace: ${traceId}`,
	);
});

test('hive signs the merge only where git has no user', async () => {
	for (const [variables, author] of [
		[{}, 'hive <hive@localhost>'],
		[{GIT_AUTHOR_NAME: 'Grace', GIT_AUTHOR_EMAIL: 'grace@example.org'}, 'Grace <grace@example.org>'],
	] as const) {
		const nobody = createGit({
			PATH: process.env.PATH,
			GIT_CONFIG_GLOBAL: '/dev/null',
			GIT_CONFIG_NOSYSTEM: '1',
			...variables,
		});
		const {repository, worktree, location, preview} = await createScene({'a.txt': 'a\n'});
		await worktree.write('b.txt', 'b\n');
		await repository.git(['config', '--remove-section', 'user']);
		const {tree} = await preview();
		expectAccepted(await mergeTrace(nobody, {...location, tree, subject: 'S', body: ''}));
		expect(await repository.git(['show', '-s', '--format=%an <%ae>', 'main'])).toBe(author);
	}
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	expectAccepted(await approve());
	expect(await repository.git(['show', '-s', '--format=%an <%ae>', 'main'])).toBe('Ada <ada@example.org>');
});

test('a conflict leaves HEAD, index, files and stash list byte for byte', async () => {
	const {repository, worktree, approve, merge} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
	await repository.write('b.txt', 'stashed\n');
	await repository.git(['stash']);
	await worktree.write('a.txt', 'theirs\n');
	await repository.write('a.txt', 'ours\n');
	await repository.commit('ours');
	await repository.write('b.txt', 'staged\n');
	await repository.git(['add', 'b.txt']);
	await repository.write('b.txt', 'unstaged\n');
	await repository.write('c.txt', 'untracked\n');
	const before = await takeSnapshot(repository);
	expect(refusalOf(await approve())).toEqual({code: 'merge_conflict', paths: ['a.txt']});
	expect(refusalOf(await merge({tree: 'anything'}))).toEqual({code: 'merge_conflict', paths: ['a.txt']});
	expect(await takeSnapshot(repository)).toEqual(before);
	expect(await worktree.git(['status', '--porcelain'])).toBe('M a.txt');
});

test('an ignored file in the root is never overwritten', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', '.gitignore': '.env\n'});
	await repository.write('.env', 'MINE=1\n');
	await worktree.write('.env', 'THEIRS=1\n');
	await worktree.git(['add', '--force', '.env']);
	const before = await takeSnapshot(repository);
	expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths: ['.env']});
	expect(await takeSnapshot(repository)).toEqual(before);
});

test.each([
	['a folder where a file would be written', 'thing/inside.txt', 'thing', ['thing/inside.txt']],
	['a file where a folder would be made', 'thing', 'thing/inside.txt', ['thing']],
	['an ignored folder that a file would go into, by the file it meets', 'out/x', 'out/x/y', ['out/x']],
])('a merge with %s is refused', async (_, mine, theirs, paths) => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', '.gitignore': 'out/\n'});
	await repository.write(mine, 'mine\n');
	await worktree.write(theirs, 'theirs\n');
	await worktree.git(['add', '--force', theirs]);
	const before = await takeSnapshot(repository);
	expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths});
	expect(await takeSnapshot(repository)).toEqual(before);
});

test('an untracked link that blocks the merge is refused, and its target is not written', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await repository.link('linked', '/tmp');
	await worktree.write('linked/x.txt', 'theirs\n');
	expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths: ['linked']});
});

test('other files in an untracked folder do not block a merge', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', '.gitignore': 'out/\n'});
	await repository.write('out/mine.txt', 'mine\n');
	await repository.write('new/mine.txt', 'mine\n');
	await worktree.write('new/theirs.txt', 'theirs\n');
	expectAccepted(await approve());
	expect(await repository.read('new/mine.txt')).toBe('mine\n');
	expect(await repository.read('new/theirs.txt')).toBe('theirs\n');
});

test('unsaved files outside the merge stay staged, unstaged or untracked as they were', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n'});
	await repository.write('b.txt', 'staged\n');
	await repository.git(['add', 'b.txt']);
	await repository.write('b.txt', 'unstaged\n');
	await repository.remove('c.txt');
	await repository.write('d.txt', 'untracked\n');
	const status = await repository.git(['status', '--porcelain']);
	await worktree.write('a.txt', 'theirs\n');
	expect(expectAccepted(await approve()).carried).toEqual([]);
	expect(await repository.git(['status', '--porcelain'])).toBe(status);
	expect(await repository.git(['show', ':b.txt'])).toBe('staged');
	expect(await repository.read('b.txt')).toBe('unstaged\n');
	expect(await repository.read('a.txt')).toBe('theirs\n');
});

test('unsaved changes to the files of the merge are carried over, staged ones staged', async () => {
	const {repository, worktree, approve} = await createScene({
		'a.txt': numbered(30),
		'b.txt': 'b\n',
		'c.txt': 'c\n',
	});
	await repository.write('a.txt', numbered(30, {0: 'staged'}));
	await repository.git(['add', 'a.txt']);
	await repository.write('a.txt', numbered(30, {0: 'staged', 29: 'unstaged'}));
	await repository.write('c.txt', 'dirty\n');
	await worktree.write('a.txt', numbered(30, {15: 'theirs'}));
	await worktree.write('new.txt', 'theirs\n');
	await worktree.remove('b.txt');
	const status = await repository.git(['status', '--porcelain']);
	const merged = expectAccepted(await approve());
	expect(merged.carried).toEqual(['a.txt']);
	expect(await repository.git(['rev-parse', 'HEAD'])).toBe(merged.commit);
	expect(await repository.git(['status', '--porcelain'])).toBe(status);
	expect(`${await repository.git(['show', ':a.txt'])}\n`).toBe(numbered(30, {0: 'staged', 15: 'theirs'}));
	expect(await repository.read('a.txt')).toBe(numbered(30, {0: 'staged', 15: 'theirs', 29: 'unstaged'}));
	expect(await repository.read('c.txt')).toBe('dirty\n');
	expect(await repository.read('new.txt')).toBe('theirs\n');
	expect(await repository.exists('b.txt')).toBe(false);
	expect(await repository.git(['for-each-ref', 'refs/hive/merge'])).toBe('');
	const kept = `refs/hive/keep/${traceId}/root`;
	expect(`${await repository.git(['show', `${kept}:a.txt`])}\n`).toBe(
		numbered(30, {0: 'staged', 29: 'unstaged'}),
	);
});

test('a conflicting unsaved change is refused with its path, also when only its staged part conflicts', async () => {
	for (const unstaged of ['mine\n', 'theirs\n']) {
		const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
		await repository.write('a.txt', 'mine\n');
		await repository.git(['add', 'a.txt']);
		await repository.write('a.txt', unstaged);
		await worktree.write('a.txt', 'theirs\n');
		const before = await takeSnapshot(repository);
		expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths: ['a.txt']});
		expect(await takeSnapshot(repository)).toEqual(before);
	}
});

test.each(['assume-unchanged', 'skip-worktree'])(
	'a changed file that git overlooks (--%s) is not overwritten, and is named with a way to see the change',
	async flag => {
		const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', 'b.txt': numbered(30)});
		await repository.git(['update-index', `--${flag}`, 'a.txt']);
		await repository.write('a.txt', 'mine\n');
		await worktree.write('a.txt', 'theirs\n');
		const head = await repository.git(['rev-parse', 'HEAD']);
		for (const dirty of [false, true]) {
			if (dirty) {
				await worktree.write('b.txt', numbered(30, {29: 'theirs'}));
				await repository.write('b.txt', numbered(30, {0: 'mine'}));
			}
			expect(await approve()).toMatchObject({
				refusal: {
					code: 'merge_refused',
					details: [{path: 'a.txt', message: expect.stringContaining(`--no-${flag}`)}],
				},
			});
			expect(await repository.read('a.txt')).toBe('mine\n');
			expect(await repository.read('b.txt')).toBe(numbered(30, dirty ? {0: 'mine'} : {}));
			expect(await repository.git(['rev-parse', 'HEAD'])).toBe(head);
		}
	},
);

test('a base that is checked out nowhere moves without changing any file', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await repository.git(['switch', '--quiet', '--create', 'other']);
	await repository.write('b.txt', 'mine\n');
	await worktree.write('b.txt', 'theirs\n');
	const before = await takeSnapshot(repository);
	const merged = expectAccepted(await approve());
	expect(await repository.git(['rev-parse', 'main'])).toBe(merged.commit);
	const after = await takeSnapshot(repository);
	expect({...after, branches: ''}).toEqual({...before, branches: ''});
});

test('a base that is checked out in another worktree of the user is merged there, unsaved files included', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': numbered(30)});
	await repository.git(['switch', '--quiet', '--create', 'other']);
	await repository.git(['worktree', 'add', '--quiet', `${repository.root}/.git/side`, 'main']);
	await repository.write('.git/side/a.txt', numbered(30, {0: 'mine'}));
	await worktree.write('a.txt', numbered(30, {29: 'theirs'}));
	expect(expectAccepted(await approve()).carried).toEqual(['a.txt']);
	expect(await repository.read('.git/side/a.txt')).toBe(numbered(30, {0: 'mine', 29: 'theirs'}));
	expect(await repository.read('a.txt')).toBe(numbered(30));
});

test('a base that advanced since the preview is a stale view, and merges after a new preview', async () => {
	const {repository, worktree, preview, merge, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	await repository.write('c.txt', 'c\n');
	await repository.commit('meanwhile');
	const before = await takeSnapshot(repository);
	expect(refusalOf(await merge({tree}))?.code).toBe('stale_view');
	expect(await takeSnapshot(repository)).toEqual(before);
	expectAccepted(await approve());
	expect(await repository.git(['ls-tree', '--name-only', 'HEAD'])).toContain('c.txt');
});

test('a worktree that changed since the preview is a stale view', async () => {
	const {worktree, preview, merge} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	await worktree.write('b.txt', 'sneaked in\n');
	expect(refusalOf(await merge({tree}))?.code).toBe('stale_view');
});

test('an untouched worktree has nothing to merge', async () => {
	const {approve} = await createScene({'a.txt': 'a\n'});
	expect(refusalOf(await approve())?.code).toBe('nothing_to_merge');
});

test('work that began on a detached HEAD is refused with the branch to merge manually', async () => {
	const {root, git: plain} = await createRepository({'a.txt': 'a\n'});
	await plain(['switch', '--quiet', '--detach']);
	const {path} = expectAccepted(await ensureWorktree({git}, {root, traceId}));
	await plain(['commit', '--quiet', '--allow-empty', '--message', 'work'], path);
	expect(await mergeTrace(git, {root, traceId, tree: '', subject: '', body: ''})).toMatchObject({
		refusal: {code: 'merge_refused', hint: expect.stringContaining(`hive/${traceId}`)},
	});
});

test.each([
	['a lock', 'index.lock'],
	['a lock of HEAD', 'HEAD.lock'],
	['a lock of the base', 'refs/heads/main.lock'],
	['a merge', 'MERGE_HEAD'],
	['a rebase', 'rebase-merge/head-name'],
	['a mailbox', 'rebase-apply/next'],
])('an unfinished %s of the user is refused and left as it is', async (_, mark) => {
	const {repository, worktree, preview, merge} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const {tree} = await preview();
	await repository.write(`.git/${mark}`, `${await repository.git(['rev-parse', 'HEAD'])}\n`);
	expect(refusalOf(await merge({tree}))).toEqual({
		code: 'merge_refused',
		paths: [`${repository.root}/.git/${mark}`],
	});
	expect(await repository.exists(`.git/${mark}`)).toBe(true);
});

test.each(['worktrees/trace-1/index.lock', 'worktrees/trace-1/HEAD.lock', 'refs/heads/hive/trace-1.lock'])(
	'the lock %s prevents the merge until it is gone',
	async lock => {
		const {repository, worktree, location, preview, merge} = await createScene({'a.txt': 'a\n'});
		await worktree.write('b.txt', 'b\n');
		const {tree, worktreeTree} = await preview();
		await repository.write(`.git/${lock}`, '');
		const stateOf = async () => [
			await repository.git(['for-each-ref']),
			await worktree.git(['status', '--porcelain']),
		];
		const before = await stateOf();
		const refused = {code: 'merge_refused', paths: [`${repository.root}/.git/${lock}`]};
		expect(refusalOf(await merge({tree}))).toEqual(refused);
		expect(refusalOf(await leaveBranch(git, {...location, tree: worktreeTree, subject: 'x'}))).toEqual(
			refused,
		);
		expect(await stateOf()).toEqual(before);
		await repository.remove(`.git/${lock}`);
		expectAccepted(await merge({tree}));
	},
);

test('a merged worktree with a locked index stays at its commit, and moves to the base once unlocked', async () => {
	const {repository, worktree, location, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	expectAccepted(await approve());
	await repository.write('a.txt', 'moved\n');
	const base = await repository.commit('the base moves');
	await repository.write('.git/worktrees/trace-1/index.lock', '');
	expectAccepted(await ensureWorktree({git}, location));
	expect(await worktree.read('a.txt')).toBe('a\n');
	await repository.remove('.git/worktrees/trace-1/index.lock');
	expectAccepted(await ensureWorktree({git}, location));
	expect(await worktree.git(['rev-parse', 'HEAD'])).toBe(base);
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
});

test('a rebase of the base in another worktree blocks the merge, and can be continued', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	await repository.git(['switch', '--quiet', '--create', 'other']);
	await repository.write('a.txt', 'other\n');
	await repository.commit('other');
	const side = openRepository(`${repository.root}/.git/side`);
	await repository.git(['worktree', 'add', '--quiet', side.root, 'main']);
	await side.write('a.txt', 'main\n');
	await side.commit('mine');
	await side.git(['rebase', '--quiet', 'other']).catch(() => undefined);
	expect(refusalOf(await approve())).toEqual({
		code: 'merge_refused',
		paths: [`${repository.root}/.git/worktrees/side/rebase-merge/head-name`],
	});
	await side.write('a.txt', 'both\n');
	await side.git(['add', 'a.txt']);
	await side.git(['-c', 'core.editor=true', 'rebase', '--continue']);
	expectAccepted(await approve());
	expect(await side.read('b.txt')).toBe('b\n');
});

test('merge options configured for the base branch do not affect the merge', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await repository.git(['branch', '--quiet', '--move', 'a=b']);
	await repository.git(['symbolic-ref', `refs/hive/base/${traceId}`, 'refs/heads/a=b']);
	await repository.git(['config', 'branch.a=b.mergeOptions', '--squash --strategy=ours']);
	await worktree.write('b.txt', 'theirs\n');
	const {commit} = expectAccepted(await approve());
	expect(await repository.git(['rev-parse', 'HEAD'])).toBe(commit);
	expect(await repository.read('b.txt')).toBe('theirs\n');
	expect(await repository.git(['status', '--porcelain'])).toBe('');
});

test('a merge into a root with its git folder elsewhere works', async () => {
	const repository = await createRepository({'.hive/.gitignore': 'worktrees/\n', 'a.txt': numbered(20)});
	const elsewhere = await createRepository();
	await repository.git(['init', '--quiet', '--separate-git-dir', `${elsewhere.root}/git`]);
	const location = {root: repository.root, traceId};
	const worktree = openRepository(expectAccepted(await ensureWorktree({git}, location)).path);
	await worktree.write('a.txt', numbered(20, {0: 'theirs'}));
	await repository.write('a.txt', numbered(20, {19: 'mine'}));
	const {tree} = expectAccepted(await previewMerge(git, location));
	expectAccepted(await mergeTrace(git, {...location, tree, subject: 'x', body: ''}));
	expect(await repository.read('a.txt')).toBe(numbered(20, {0: 'theirs', 19: 'mine'}));
});

test('unresolved paths in the root are refused by name', async () => {
	const {repository, worktree, preview, merge} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n'});
	await worktree.write('b.txt', 'b\nb\n');
	const {tree} = await preview();
	await repository.write('a.txt', 'stashed\n');
	await repository.git(['stash']);
	await repository.write('a.txt', 'other\n');
	await repository.git(['add', 'a.txt']);
	await repository.git(['commit', '--quiet', '--message', 'other']);
	await repository.git(['stash', 'pop']).catch(() => undefined);
	expect(refusalOf(await merge({tree}))).toEqual({code: 'merge_refused', paths: ['a.txt']});
});

test('line endings of the checkout survive a merge, also in unsaved files', async () => {
	const {repository, worktree, approve} = await createScene({
		'.gitattributes': '*.txt text eol=crlf\n',
		'a.txt': numbered(30).replaceAll('\n', '\r\n'),
		'b.txt': 'b\r\n',
	});
	await repository.write('a.txt', numbered(30, {0: 'mine'}).replaceAll('\n', '\r\n'));
	await worktree.write('a.txt', numbered(30, {29: 'theirs'}).replaceAll('\n', '\r\n'));
	expectAccepted(await approve());
	expect(await repository.read('a.txt')).toBe(
		numbered(30, {0: 'mine', 29: 'theirs'}).replaceAll('\n', '\r\n'),
	);
	expect(await repository.read('b.txt')).toBe('b\r\n');
	expect(await repository.git(['status', '--porcelain'])).toBe('M a.txt');
});

test('a submodule keeps its commit and files, and unsaved changes beside it are carried', async () => {
	const library = await createRepository({'lib.txt': 'lib\n'});
	const {repository, worktree, approve} = await createScene({'a.txt': numbered(30)});
	await repository.git([
		'-c',
		'protocol.file.allow=always',
		'submodule',
		'--quiet',
		'add',
		library.root,
		'vendor',
	]);
	await repository.commit('vendor');
	await repository.write('vendor/lib.txt', 'edited\n');
	await repository.write('a.txt', numbered(30, {0: 'mine'}));
	await worktree.write('a.txt', numbered(30, {29: 'theirs'}));
	const link = await repository.git(['rev-parse', 'HEAD:vendor']);
	expectAccepted(await approve());
	expect(await repository.git(['rev-parse', 'HEAD:vendor'])).toBe(link);
	expect(await repository.read('vendor/lib.txt')).toBe('edited\n');
	expect(await repository.read('a.txt')).toBe(numbered(30, {0: 'mine', 29: 'theirs'}));
});

test('a second round of work in the same trace merges again', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const first = expectAccepted(await approve());
	await worktree.write('c.txt', 'c\n');
	const second = expectAccepted(await approve());
	expect(second).toMatchObject({alreadyMerged: false});
	expect(await repository.git(['rev-parse', `${second.commit}^1`])).toBe(first.commit);
});

test('work that was reverted on the base can be merged again', async () => {
	const {repository, worktree, location, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	const first = expectAccepted(await approve());
	await repository.git(['revert', '--no-edit', '--mainline', '1', first.commit]);
	await repository.git(['worktree', 'remove', worktree.root]);
	expectAccepted(await ensureWorktree({git}, location));
	await worktree.write('b.txt', 'b\n');
	const second = expectAccepted(await approve());
	expect(second.alreadyMerged).toBe(false);
	expect(second.commit).not.toBe(first.commit);
	expect(await repository.read('b.txt')).toBe('b\n');
});

test('touched files with unchanged bytes do not block a merge', async () => {
	const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n'});
	await worktree.write('a.txt', 'theirs\n');
	await worktree.remove('c.txt');
	for (const path of ['a.txt', 'b.txt', 'c.txt']) await utimes(join(repository.root, path), 1, 1);
	expect(expectAccepted(await approve()).carried).toEqual([]);
	expect(await repository.git(['status', '--porcelain'])).toBe('');
	expect(await repository.read('a.txt')).toBe('theirs\n');
});

test('files outside a sparse checkout are merged and stay out of it', async () => {
	const {repository, worktree, approve} = await createScene({
		'in/a.txt': 'a\n',
		'out/b.txt': 'b\n',
		'out/gone.txt': 'x\n',
	});
	await repository.git(['sparse-checkout', 'set', 'in', '.hive']);
	await worktree.write('in/a.txt', 'theirs\n');
	await worktree.write('in/new.txt', 'theirs\n');
	await worktree.write('out/b.txt', 'theirs\n');
	await worktree.write('out/new.txt', 'theirs\n');
	await worktree.remove('out/gone.txt');
	expectAccepted(await approve());
	expect(await repository.git(['status', '--porcelain'])).toBe('');
	expect(await repository.read('in/a.txt')).toBe('theirs\n');
	expect(await repository.read('in/new.txt')).toBe('theirs\n');
	expect(await repository.exists('out')).toBe(false);
	await repository.git(['sparse-checkout', 'disable']);
	expect(await repository.read('out/b.txt')).toBe('theirs\n');
	expect(await repository.read('out/new.txt')).toBe('theirs\n');
	expect(await repository.exists('out/gone.txt')).toBe(false);
});

test('files whose names are not UTF-8 are written, changed and deleted', async () => {
	const named = (root: string, name: string) => Buffer.from(`${root}/caf\xe9-${name}`, 'latin1');
	const {repository, worktree, location} = await createScene({'a.txt': 'a\n'});
	const {root} = repository;
	for (const name of ['gone', 'kept']) await writeFile(named(root, name), 'x\n');
	await repository.commit('names of old');
	await worktree.git(['merge', '--quiet', 'main']);
	await rm(named(worktree.root, 'gone'));
	await writeFile(named(worktree.root, 'kept'), 'theirs\n');
	await writeFile(named(worktree.root, 'new'), 'theirs\n');
	const {tree} = expectAccepted(await previewMerge(git, location));
	expectAccepted(await mergeTrace(git, {...location, tree, subject: 'x', body: ''}));
	expect(await repository.git(['status', '--porcelain'])).toBe('');
	await expect(readFile(named(root, 'gone'))).rejects.toThrow('ENOENT');
	expect(await readFile(named(root, 'kept'), 'utf8')).toBe('theirs\n');
	expect(await readFile(named(root, 'new'), 'utf8')).toBe('theirs\n');
});

test('line endings of an unsaved file with a non-UTF-8 name are not lost', async () => {
	const {repository, worktree, location} = await createScene({'.gitattributes': '* text=auto\n'});
	const named = (root: string) => Buffer.from(`${root}/caf\xe9`, 'latin1');
	await writeFile(named(repository.root), numbered(30));
	await repository.commit('a name of old');
	await worktree.git(['merge', '--quiet', 'main']);
	await writeFile(named(worktree.root), numbered(30, {0: 'theirs'}));
	const mine = numbered(30, {29: 'mine'}).replaceAll('\n', '\r\n');
	await writeFile(named(repository.root), mine);
	const {tree} = expectAccepted(await previewMerge(git, location));
	expect(await mergeTrace(git, {...location, tree, subject: 'x', body: ''})).toMatchObject({
		refusal: {code: 'merge_refused'},
	});
	expect(await readFile(named(repository.root), 'utf8')).toBe(mine);
});

test.each(['there', 'gone'])(
	'a file added with intent-to-add that is %s is refused when the merge adds the same file',
	async state => {
		const {repository, worktree, approve} = await createScene({'a.txt': 'a\n'});
		await worktree.write('new.txt', 'new\n');
		await worktree.write('a.txt', 'theirs\n');
		await repository.write('new.txt', 'new\n');
		await repository.git(['add', '--intent-to-add', 'new.txt']);
		if (state === 'gone') await repository.remove('new.txt');
		const before = await takeSnapshot(repository);
		expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths: ['new.txt']});
		expect(await takeSnapshot(repository)).toEqual(before);
		await repository.git(['reset', '--quiet']);
		await repository.remove('new.txt').catch(() => undefined);
		expectAccepted(await approve());
		expect(await repository.git(['status', '--porcelain'])).toBe('');
	},
);

test('a submodule replaces a file, and is replaced by a file only while it is empty', async () => {
	const {repository, worktree, approve} = await createScene({lib: 'a file\n', 'a.txt': 'a\n'});
	const vendor = await createRepository({'v.txt': 'v\n'});
	const submodule = ['-c', 'protocol.file.allow=always', 'submodule'];
	await worktree.git(['rm', '--quiet', 'lib']);
	await worktree.git([...submodule, 'add', '--quiet', vendor.root, 'lib']);
	expectAccepted(await approve());
	expect(await repository.git(['status', '--porcelain'])).toBe('');
	await repository.git([...submodule, 'update', '--quiet', '--init']);
	await repository.write('lib/v.txt', 'mine\n');
	await worktree.git(['rm', '--quiet', '--force', 'lib']);
	await worktree.write('lib', 'a file again\n');
	await worktree.write('a.txt', 'theirs\n');
	expect(refusalOf(await approve())).toEqual({code: 'merge_refused', paths: ['lib']});
	expect(await repository.read('lib/v.txt')).toBe('mine\n');
	expect(await repository.read('a.txt')).toBe('a\n');
	await repository.git(['submodule', 'deinit', '--quiet', '--force', 'lib']);
	expectAccepted(await approve());
	expect(await repository.read('lib')).toBe('a file again\n');
	expect(await repository.git(['status', '--porcelain'])).toBe('');
});

test.skipIf(process.getuid?.() === 0)(
	'a read-only folder of the checkout is named before any file moves',
	async () => {
		const {repository, worktree, approve} = await createScene({'a.txt': 'a\n', 'closed/b.txt': 'b\n'});
		await worktree.write('a.txt', 'theirs\n');
		await worktree.write('closed/b.txt', 'theirs\n');
		const {files, index} = await takeSnapshot(repository);
		await chmod(join(repository.root, 'closed'), 0o555);
		const refused = refusalOf(await approve());
		await chmod(join(repository.root, 'closed'), 0o755);
		expect(refused).toEqual({code: 'merge_refused', paths: ['closed']});
		expect(await takeSnapshot(repository)).toMatchObject({files, index});
		expectAccepted(await approve());
		expect(await repository.git(['status', '--porcelain'])).toBe('');
	},
);
