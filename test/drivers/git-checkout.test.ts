import {writeFileSync} from 'node:fs';
import {link, mkdir, rename, symlink, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type CheckoutFacts, createCheckoutReader} from '../../source/drivers/git-checkout.ts';
import type {KnownSettings} from '../../source/ports/git.ts';
import {createRepository, type Repository} from '../helpers/repository.ts';

const openReader = async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const asked: string[] = [];
	const home = await createRepository();
	const open = (given?: KnownSettings) =>
		createCheckoutReader(
			(cwd, args) => {
				asked.push(args[0] ?? '');
				return repository.git(args, cwd).catch(() => undefined);
			},
			{HOME: home.root},
			given,
		);
	const {read, knownSettings} = open();
	/** Reads until no git call is needed any more. */
	const remember = async (cwd = repository.root) => {
		await read(cwd);
		asked.length = 0;
		await read(cwd);
		expect(asked).toEqual([]);
	};
	return {repository, home, read, knownSettings, open, asked, remember};
};

const settingOf = ({settings}: CheckoutFacts, wanted: string) =>
	settings.findLast(({key}) => key === wanted)?.value;

test('an unchanged checkout needs one git query', async () => {
	const {repository, read, asked, remember} = await openReader();
	await remember();
	await repository.write('b.txt', 'b\n');
	await repository.commit('second');
	expect(settingOf(await read(repository.root), 'core.bare')).toBe('false');
	expect((await read(repository.root)).folders).toEqual({
		own: join(repository.root, '.git'),
		common: join(repository.root, '.git'),
		prefix: '',
	});
	expect(asked).toEqual([]);
});

test('a process reuses worktree settings that another process read, until the settings change', async () => {
	const {repository, read, knownSettings, open, asked} = await openReader();
	const path = join(repository.root, '.hive/worktrees/trace-1');
	await repository.git(['worktree', 'add', '--quiet', path]);
	expect(knownSettings(path)).toBeUndefined();
	const facts = await read(path);
	const given = knownSettings(path);
	asked.length = 0;
	expect(await open(JSON.parse(JSON.stringify(given))).read(path)).toEqual(facts);
	expect(asked).toEqual([]);
	await repository.git(['config', 'filter.new.clean', 'cat']);
	expect(settingOf(await open(given).read(path), 'filter.new.clean')).toBe('cat');
	expect(asked).not.toEqual([]);
});

test('below the top of a checkout git is queried every time, since a nearer repository may appear', async () => {
	const {repository, read, asked} = await openReader();
	await repository.write('deep/b.txt', 'b\n');
	const deep = join(repository.root, 'deep');
	expect((await read(deep)).folders?.prefix).toBe('deep/');
	asked.length = 0;
	await read(deep);
	expect(asked).not.toEqual([]);
	await repository.git(['init', '--quiet', 'deep']);
	expect((await read(deep)).folders).toMatchObject({own: join(deep, '.git'), prefix: ''});
});

test('a folder outside a repository has settings and no git folders', async () => {
	const {home, read} = await openReader();
	await home.remove('.git');
	expect((await read(home.root)).folders).toBeUndefined();
});

test('a path with a line break is read completely', async () => {
	const {repository, read} = await openReader();
	await repository.git(['init', '--quiet', 'two\nlines']);
	const top = join(repository.root, 'two\nlines');
	expect((await read(top)).folders).toEqual({own: join(top, '.git'), common: join(top, '.git'), prefix: ''});
});

describe('the next read detects a change', () => {
	const changes: Readonly<Record<string, (repository: Repository) => Promise<void>>> = {
		'by git': async ({git}) => void (await git(['config', 'core.bare', 'true'])),
		'in place, of the same size and with the old time put back': async ({root, read}) => {
			const path = join(root, '.git/config');
			const text = (await read('.git/config')).replace('bare = false', 'bare = true ');
			writeFileSync(path, text);
			await utimes(path, 1, 1);
		},
		'by another repository in its place': async ({root, git}) => {
			await git(['init', '--quiet', '--bare', 'other']);
			await rename(join(root, '.git'), join(root, 'was'));
			await rename(join(root, 'other'), join(root, '.git'));
		},
		'by a folder of another repository': async ({git, write}) => {
			await git(['init', '--quiet', '--bare', 'other']);
			await write('.git/commondir', '../other\n');
		},
	};
	test.each(Object.keys(changes))('%s', async how => {
		const {repository, read, remember} = await openReader();
		await remember();
		await changes[how]?.(repository);
		expect(settingOf(await read(repository.root), 'core.bare')?.trim()).toBe('true');
	});

	test('in the settings of one worktree', async () => {
		const {repository, read, remember} = await openReader();
		await repository.git(['config', 'extensions.worktreeConfig', 'true']);
		await remember();
		await repository.git(['config', '--worktree', 'core.bare', 'true']);
		expect(settingOf(await read(repository.root), 'core.bare')).toBe('true');
	});

	test('in the settings of the user', async () => {
		const {home, repository, read, asked, remember} = await openReader();
		await remember();
		await home.write('.gitconfig', '[user]\n');
		await read(repository.root);
		expect(asked).not.toEqual([]);
	});

	test('that invalidates the checkout, so that git finds the surrounding repository', async () => {
		const {repository, read, remember} = await openReader();
		await repository.git(['init', '--quiet', 'inner']);
		const inner = join(repository.root, 'inner');
		await remember(inner);
		await repository.remove('inner/.git/HEAD');
		expect((await read(inner)).folders).toMatchObject({own: join(repository.root, '.git'), prefix: 'inner/'});
	});

	test('of a worktree that is redirected to another repository', async () => {
		const {repository, read, remember} = await openReader();
		const worktree = join(repository.root, 'tree');
		await repository.git(['worktree', 'add', '--quiet', worktree]);
		await repository.git(['init', '--quiet', 'other']);
		await remember(worktree);
		expect((await read(worktree)).folders?.common).toBe(join(repository.root, '.git'));
		await repository.write('tree/.git', `gitdir: ${join(repository.root, 'other/.git')}\n`);
		expect((await read(worktree)).folders?.common).toBe(join(repository.root, 'other/.git'));
	});

	test('of a link in the path to a worktree, its repository or its HEAD', async () => {
		const {repository, read, remember} = await openReader();
		const worktree = join(repository.root, 'tree');
		await repository.git(['worktree', 'add', '--quiet', worktree]);
		await remember(worktree);
		const own = join(repository.root, '.git/worktrees/tree');
		await repository.git(['init', '--quiet', 'other']);
		const other = join(repository.root, 'other/.git');
		const turned = join(repository.root, 'link');
		const turn = async (to: string) => {
			await repository.remove('link');
			await repository.link('link', to);
		};
		await turn(own);
		await repository.write('tree/.git', `gitdir: ${turned}\n`);
		expect((await read(worktree)).folders?.own).toBe(own);
		await turn(other);
		expect((await read(worktree)).folders?.own).toBe(other);
		await repository.write('tree/.git', `gitdir: ${own}\n`);
		await turn(join(repository.root, '.git'));
		await repository.write('.git/worktrees/tree/commondir', `${turned}\n`);
		expect((await read(worktree)).folders?.common).toBe(join(repository.root, '.git'));
		await turn(other);
		expect((await read(worktree)).folders?.common).toBe(other);
	});

	test("of a worktree's own folder to equal files in another repository", async () => {
		const {repository, read, remember} = await openReader();
		const worktree = join(repository.root, 'tree');
		await repository.git(['worktree', 'add', '--quiet', worktree]);
		await repository.git(['init', '--quiet', '--bare', 'other']);
		const own = join(repository.root, '.git/worktrees/tree');
		const other = join(repository.root, 'other/worktrees/tree');
		await mkdir(other, {recursive: true});
		for (const name of ['HEAD', 'commondir', 'gitdir']) await link(join(own, name), join(other, name));
		await remember(worktree);
		await rename(own, `${own}-was`);
		await symlink(other, own);
		expect(settingOf(await read(worktree), 'core.bare')).toBe('true');
	});

	test('of a HEAD link that no longer makes a valid checkout', async () => {
		const {repository, read} = await openReader();
		await repository.git(['init', '--quiet', '--initial-branch=main', 'inner']);
		const inner = join(repository.root, 'inner');
		await repository.git([...asAda, 'commit', '--quiet', '--allow-empty', '--message', 'x'], inner);
		await repository.remove('inner/.git/HEAD');
		await repository.link('inner/.git/HEAD', 'refs/heads/main');
		expect((await read(inner)).folders?.own).toBe(join(inner, '.git'));
		await repository.remove('inner/.git/HEAD');
		await repository.link('inner/.git/HEAD', './refs/heads/main');
		expect((await read(inner)).folders).toMatchObject({own: join(repository.root, '.git'), prefix: 'inner/'});
	});

	test('of a file that the settings include, since such settings are never cached', async () => {
		const {repository, read} = await openReader();
		await repository.write('more', '[core]\n\teditor = one\n');
		await repository.git(['config', 'include.path', '../more']);
		await read(repository.root);
		await repository.write('more', '[core]\n\teditor = two\n');
		expect(settingOf(await read(repository.root), 'core.editor')).toBe('two');
	});
});

const asAda = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
