import {mkdir, readdir} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import type {Git} from '../../source/ports/git.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {findUnmerged} from '../../source/workspaces/worktree/forget-trace.ts';
import {
	ensureWorktree,
	findWorktree,
	listWorktrees,
	removeWorktree,
} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {createScene, git, traceId} from './scene.ts';

test('a worktree is created on its own branch from the current HEAD, and its base is recorded in git', async () => {
	const {repository, made} = await createScene({'a.txt': 'a\n'});
	expect(made).toEqual({
		path: `${repository.root}/.hive/worktrees/${traceId}`,
		branch: `hive/${traceId}`,
		base: 'main',
		created: true,
	});
	expect(await repository.git(['symbolic-ref', `refs/hive/base/${traceId}`])).toBe('refs/heads/main');
	expect(await repository.git(['symbolic-ref', 'HEAD'], made.path)).toBe(`refs/heads/hive/${traceId}`);
	expect(await repository.git(['status', '--porcelain'], made.path)).toBe('');
	expect(await repository.git(['worktree', 'list', '--porcelain'])).not.toContain('locked');
});

test('an existing worktree is reused unchanged, dirty or not, whatever the root has checked out', async () => {
	const {repository, worktree, location, made} = await createScene({'a.txt': 'a\n'});
	await worktree.write('a.txt', 'dirty\n');
	await worktree.write('new.txt', 'new\n');
	await repository.git(['switch', '--quiet', '--create', 'other']);
	const again = expectAccepted(await ensureWorktree({git}, location));
	expect(again).toEqual({...made, created: false});
	expect(await worktree.read('a.txt')).toBe('dirty\n');
	expect(await worktree.read('new.txt')).toBe('new\n');
});

test('concurrent calls make one worktree', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	const all = await Promise.all([1, 2, 3].map(() => ensureWorktree({git}, {root, traceId})));
	expect(all.every(({ok}) => ok)).toBe(true);
	expect(await listWorktrees(git, root)).toEqual([{traceId, path: `${root}/.hive/worktrees/${traceId}`}]);
});

test('a worktree that another git is creating is waited for, and not used half-made', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.git(['worktree', 'add', '--quiet', '--detach', '.git/side']);
	const commondir = '.git/worktrees/side/commondir';
	const written = await repository.read(commondir);
	await repository.write(commondir, '');
	const made = ensureWorktree({git}, {root: repository.root, traceId: 'trace-2'});
	for (let look = 0; look < 10; look++)
		await expect(repository.git(['worktree', 'list'])).rejects.toThrow('failed to read');
	await repository.write(commondir, written);
	expect(expectAccepted(await made)).toMatchObject({created: true});
});

test('a detached HEAD leads to a recorded commit and no base branch', async () => {
	const {root, git: plain} = await createRepository({'a.txt': 'a\n'});
	await plain(['switch', '--quiet', '--detach']);
	const made = expectAccepted(await ensureWorktree({git}, {root, traceId}));
	expect(made.base).toBe('');
	expect(await plain(['rev-parse', `refs/hive/base/${traceId}`])).toBe(await plain(['rev-parse', 'HEAD']));
});

test('a worktree is refused without a commit, and outside a repository', async () => {
	const {root, remove} = await createRepository();
	expect(await ensureWorktree({git}, {root, traceId})).toMatchObject({refusal: {code: 'no_commit'}});
	await remove('.git');
	expect(await ensureWorktree({git}, {root, traceId})).toMatchObject({refusal: {code: 'not_a_repository'}});
});

test('a plain folder at the path of the worktree is refused and left as it is', async () => {
	const {root, write, read} = await createRepository({'a.txt': 'a\n'});
	await write(`.hive/worktrees/${traceId}/mine.txt`, 'mine\n');
	const refused = await ensureWorktree({git}, {root, traceId});
	expect(refused).toMatchObject({
		refusal: {code: 'wrong_status', message: expect.stringContaining('already exists')},
	});
	expect(await read(`.hive/worktrees/${traceId}/mine.txt`)).toBe('mine\n');
});

test('a branch of the trace that is checked out elsewhere is refused', async () => {
	const {repository, location, made} = await createScene({'a.txt': 'a\n'});
	await repository.git(['worktree', 'remove', made.path]);
	await repository.git(['switch', '--quiet', `hive/${traceId}`]);
	expect(await ensureWorktree({git}, location)).toMatchObject({refusal: {code: 'wrong_status'}});
});

test('a branch without a worktree is checked out again with its commits', async () => {
	const {repository, worktree, location, made} = await createScene({'a.txt': 'a\n'});
	await worktree.write('a.txt', 'work\n');
	const work = await worktree.commit('work');
	await repository.remove(`.hive/worktrees/${traceId}`);
	const again = expectAccepted(await ensureWorktree({git}, location));
	expect(again.created).toBe(true);
	expect(await repository.git(['rev-parse', 'HEAD'], made.path)).toBe(work);
	expect(await worktree.read('a.txt')).toBe('work\n');
});

const mark = async (root: string, path: string, plain: (args: string[]) => Promise<string>) =>
	plain([
		'worktree',
		'add',
		'--quiet',
		'--no-checkout',
		'--lock',
		'--reason',
		'hive is making this worktree',
		'-b',
		`hive/${traceId}`,
		`${root}/${path}`,
	]);

test('a created worktree has the same record in git as one created by git', async () => {
	const {repository, made} = await createScene({'a.txt': 'a\n'});
	const ours = `${repository.root}/.hive/worktrees/other`;
	await repository.git(['worktree', 'add', '--quiet', '-b', 'other', ours]);
	const recordOf = async (name: string, path: string) => {
		const files = ['HEAD', 'commondir', 'gitdir'].map(file =>
			repository.read(`.git/worktrees/${name}/${file}`),
		);
		const [link = '', ...record] = await Promise.all([openRepository(path).read('.git'), ...files]);
		return [link, ...record].map(text => text.replaceAll(`hive/${name}`, 'NAME').replaceAll(name, 'NAME'));
	};
	expect(await recordOf(traceId, made.path)).toEqual(await recordOf('other', ours));
	expect(await repository.exists(`.git/worktrees/${traceId}/locked`)).toBe(false);
	await repository.git(['worktree', 'prune', '--expire', 'now']);
	expect(await repository.git(['worktree', 'list', '--porcelain'])).not.toContain('prunable');
	await repository.git(['fsck', '--strict']);
});

test('a worktree is created by git itself where worktree configuration is enabled', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.git(['config', 'extensions.worktreeConfig', 'true']);
	await repository.git(['config', '--worktree', 'core.editor', 'mine']);
	const {path} = expectAccepted(await ensureWorktree({git}, {root: repository.root, traceId}));
	expect(await repository.git(['config', '--worktree', 'core.editor'], path)).toBe('mine');
	expect(await openRepository(path).read('a.txt')).toBe('a\n');
});

test('a foreign worktree record of the same name is left unchanged', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.git(['worktree', 'add', '--quiet', '--detach', `.git/others/${traceId}`]);
	const {path} = expectAccepted(await ensureWorktree({git}, {root: repository.root, traceId}));
	expect(await openRepository(path).read('a.txt')).toBe('a\n');
	expect(await repository.read(`.git/worktrees/${traceId}/gitdir`)).toContain('.git/others');
});

test.each([
	[],
	['gitdir'],
	['gitdir', 'locked'],
	['gitdir', 'locked', 'commondir'],
	['gitdir', 'locked', 'commondir', 'HEAD'],
])(
	'a worktree record of which a crash left no more than "%s" "%s" "%s" "%s" is completed',
	async (...left) => {
		const {root, git: plain, write, read} = await createRepository({'a.txt': 'a\n'});
		const path = `${root}/.hive/worktrees/${traceId}`;
		await plain(['branch', `hive/${traceId}`]);
		const lines: Readonly<Record<string, string>> = {
			gitdir: `${path}/.git`,
			locked: 'hive is making this worktree',
			commondir: '../..',
			HEAD: `ref: refs/heads/hive/${traceId}`,
		};
		await write(`.git/worktrees/${traceId}/x`, '');
		await openRepository(root).remove(`.git/worktrees/${traceId}/x`);
		await mkdir(path, {recursive: true});
		for (const file of left) await write(`.git/worktrees/${traceId}/${file}`, `${lines[file]}\n`);
		expectAccepted(await ensureWorktree({git}, {root, traceId}));
		expect(await read(`.hive/worktrees/${traceId}/a.txt`)).toBe('a\n');
		await plain(['worktree', 'prune', '--expire', 'now']);
		expect(await plain(['worktree', 'list', '--porcelain'])).not.toContain('locked');
		expect(await readdir(`${root}/.git/worktrees`)).toHaveLength(1);
	},
);

test('a worktree left half-made by a crash is completed', async () => {
	const {root, git: plain} = await createRepository({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const path = `.hive/worktrees/${traceId}`;
	await mark(root, path, plain);
	const half = openRepository(`${root}/${path}`);
	await half.write('a.txt', '');
	await openRepository(root).write(`.git/worktrees/${traceId}/index.lock`, '');
	expect(await findWorktree(git, {root, traceId})).toBeUndefined();
	expectAccepted(await ensureWorktree({git}, {root, traceId}));
	expect(await half.read('a.txt')).toBe('a\n');
	expect(await half.read('b.txt')).toBe('b\n');
	expect(await plain(['status', '--porcelain'], half.root)).toBe('');
	expect(await findWorktree(git, {root, traceId})).toBeDefined();
});

test('a half-made worktree that a surviving git still fills is left to that git, then completed', async () => {
	const {root, git: plain, exists, remove} = await createRepository({'a.txt': 'a\n'});
	await mark(root, `.hive/worktrees/${traceId}`, plain);
	const record = `.git/worktrees/${traceId}`;
	await openRepository(root).write(`${record}/index.lock`, '');
	await openRepository(root).write(`${record}/same`, '');
	let tries = 0;
	const patient: Git = {
		...git,
		attempt: async (args, options) => {
			if (args.includes('-u') && tries++ === 0)
				void git.run(['version'], {cwd: root}).then(() => remove(`${record}/index.lock`));
			return git.attempt(args, options);
		},
	};
	expectAccepted(await ensureWorktree({git: patient}, {root, traceId}));
	expect(await openRepository(`${root}/.hive/worktrees/${traceId}`).read('a.txt')).toBe('a\n');
	expect(await exists(`${record}/same`)).toBe(true);
});

test('a half-made worktree is completed when its folder is empty or gone', async () => {
	for (const leave of ['empty', 'gone']) {
		const {root, git: plain, remove, read} = await createRepository({'a.txt': 'a\n'});
		const path = `.hive/worktrees/${traceId}`;
		await mark(root, path, plain);
		await remove(leave === 'empty' ? `${path}/.git` : path);
		expectAccepted(await ensureWorktree({git}, {root, traceId}));
		expect(await read(`${path}/a.txt`)).toBe('a\n');
	}
});

test('a half-made worktree with a foreign file is refused and kept', async () => {
	const {root, git: plain, write, read} = await createRepository({'a.txt': 'a\n'});
	const path = `.hive/worktrees/${traceId}`;
	await mark(root, path, plain);
	await write(`${path}/mine.txt`, 'mine\n');
	expect(await ensureWorktree({git}, {root, traceId})).toMatchObject({
		refusal: {code: 'wrong_status', details: [{path: 'mine.txt'}]},
	});
	expect(await read(`${path}/mine.txt`)).toBe('mine\n');
});

test('a worktree that lost its .git file is never mistaken for the root', async () => {
	const {repository, worktree, location} = await createScene({'a.txt': 'a\n'});
	await worktree.remove('.git');
	await worktree.write('a.txt', 'work\n');
	expect(await ensureWorktree({git}, location)).toMatchObject({refusal: {code: 'repository_damaged'}});
	expect(await removeWorktree(git, {...location, disposable: []})).toMatchObject({
		refusal: {code: 'wrong_status'},
	});
	expect(await previewMerge(git, location)).toMatchObject({refusal: {code: 'repository_damaged'}});
	expect(await worktree.read('a.txt')).toBe('work\n');
	expect(await repository.read('a.txt')).toBe('a\n');
});

test('a clean worktree is removed and its branch stays', async () => {
	const {repository, worktree, location} = await createScene({'a.txt': 'a\n'});
	const work = await worktree.commit('work');
	expect(await removeWorktree(git, {...location, disposable: []})).toEqual({ok: true, value: true});
	expect(await repository.exists(`.hive/worktrees/${traceId}`)).toBe(false);
	expect(await repository.git(['rev-parse', `refs/heads/hive/${traceId}`])).toBe(work);
	expect(await removeWorktree(git, {...location, disposable: []})).toEqual({ok: true, value: false});
});

test('a worktree with unsaved files is not removed, and they are named', async () => {
	const {worktree, location} = await createScene({'a.txt': 'a\n', '.gitignore': '.env\nnode_modules/\n'});
	await worktree.write('a.txt', 'changed\n');
	await worktree.write('new.txt', 'new\n');
	await worktree.write('.env', 'SECRET=1\n');
	await worktree.write('packages/a/node_modules/x.js', 'x\n');
	const refused = await removeWorktree(git, {...location, disposable: ['node_modules']});
	const details = refused.ok ? [] : refused.refusal.details.map(({path}) => path);
	expect(details.sort()).toEqual(['.env', 'a.txt', 'new.txt', 'packages/'].sort());
	expect(await worktree.read('.env')).toBe('SECRET=1\n');
});

test.each(['assume-unchanged', 'skip-worktree'])(
	'a worktree with changes that git overlooks (%s) is not removed, and one without is',
	async flag => {
		const {worktree, location} = await createScene({'a.txt': 'a\n'});
		await worktree.git(['update-index', `--${flag}`, 'a.txt']);
		await worktree.write('a.txt', 'only here\n');
		expect(await removeWorktree(git, {...location, disposable: []})).toMatchObject({
			refusal: {details: [{path: 'a.txt'}]},
		});
		expect(await worktree.read('a.txt')).toBe('only here\n');
		await worktree.write('a.txt', 'a\n');
		expect(await removeWorktree(git, {...location, disposable: []})).toEqual({ok: true, value: true});
	},
);

test('a worktree with a nested repository is not removed, even if its pointer is committed', async () => {
	const {worktree, location} = await createScene({'a.txt': 'a\n'});
	const inside = openRepository(`${worktree.root}/inside`);
	await worktree.git(['init', '--quiet', 'inside']);
	await inside.git(['config', 'user.name', 'Ada']);
	await inside.git(['config', 'user.email', 'ada@example.org']);
	await inside.write('only.txt', 'here\n');
	await inside.commit('inside');
	await worktree.commit('work');
	expect(await removeWorktree(git, {...location, disposable: []})).toMatchObject({
		refusal: {code: 'wrong_status', details: [{path: 'inside'}]},
	});
	expect(await findUnmerged(git, {...location, disposable: []})).toMatchObject([{path: 'inside'}]);
});

test('disposable ignored files do not prevent the removal of a worktree', async () => {
	const {repository, worktree, location} = await createScene({
		'a.txt': 'a\n',
		'.gitignore': 'node_modules/\n',
	});
	await worktree.write('node_modules/x.js', 'x\n');
	expect(await removeWorktree(git, {...location, disposable: ['node_modules/']})).toEqual({
		ok: true,
		value: true,
	});
	expect(await repository.exists(`.hive/worktrees/${traceId}`)).toBe(false);
});

test('a worktree whose HEAD has unreferenced commits is not removed', async () => {
	const {worktree, location} = await createScene({'a.txt': 'a\n'});
	await worktree.git(['switch', '--quiet', '--detach']);
	await worktree.write('a.txt', 'loose\n');
	await worktree.commit('loose');
	expect(await removeWorktree(git, {...location, disposable: []})).toMatchObject({
		refusal: {code: 'wrong_status', details: [{path: 'HEAD'}]},
	});
});

test('after a merge and a removal, the next worktree starts on a fresh branch from the base', async () => {
	const {repository, worktree, location, approve} = await createScene({'a.txt': 'a\n'});
	await worktree.write('b.txt', 'b\n');
	expectAccepted(await approve());
	expectAccepted(await removeWorktree(git, {...location, disposable: []}));
	await repository.write('c.txt', 'c\n');
	const head = await repository.commit('more');
	const next = expectAccepted(await ensureWorktree({git}, location));
	expect(next).toMatchObject({created: true});
	expect(next.kept).toBeUndefined();
	expect(await repository.git(['rev-parse', 'HEAD'], next.path)).toBe(head);
});

test('a merged branch that the base has lost is kept under a named ref', async () => {
	const {repository, worktree, location, approve} = await createScene({'a.txt': 'a\n'});
	const before = await repository.git(['rev-parse', 'main']);
	await worktree.write('b.txt', 'b\n');
	expectAccepted(await approve());
	expectAccepted(await removeWorktree(git, {...location, disposable: []}));
	const old = await repository.git(['rev-parse', `hive/${traceId}`]);
	await repository.git(['reset', '--quiet', '--hard', before]);
	const next = expectAccepted(await ensureWorktree({git}, location));
	expect(next.kept).toBe(`refs/hive/keep/${traceId}/branch-${old.slice(0, 12)}`);
	expect(await repository.git(['rev-parse', next.kept ?? ''])).toBe(old);
	expect(await repository.git(['rev-parse', 'HEAD'], next.path)).toBe(before);
});

test('an invalid trace id reaches neither a path nor git', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	for (const bad of ['../x', '-f', 'a/b', 'x.lock', '']) {
		await expect(ensureWorktree({git}, {root, traceId: bad})).rejects.toThrow('is not a trace id');
	}
});
