import {execFile} from 'node:child_process';
import {utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {formatOutsideFact, isSevere, type OutsideFact} from '../../source/domain/outside.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {compareOutside} from '../../source/workspaces/outside/compare-outside.ts';
import {describeOutsideChanges} from '../../source/workspaces/outside/describe-outside-changes.ts';
import {type OutsideState, readOutside} from '../../source/workspaces/outside/outside-state.ts';
import {
	compareRootFiles,
	createRootFilesReader,
	readPathStates,
} from '../../source/workspaces/outside/root-files.ts';
import {createRepository, type Repository} from '../helpers/repository.ts';
import {createScene, git} from './scene.ts';

const files = createFiles();

/** Returns the outside changes that are reported for `act` in the checkout. */
const factsOf = async (
	{root}: Pick<Repository, 'root'>,
	act: () => Promise<unknown>,
): Promise<readonly OutsideFact[]> => {
	const look = createRootFilesReader(git, () => root, Date.now);
	const before = await readOutside(git, files, root, Date.now());
	const unsaved = await look.readFiles();
	await act();
	const [after, now] = await Promise.all([readOutside(git, files, root, Date.now()), look.readFiles()]);
	const differences = compareOutside(before, after);
	const moved = {
		head: before.refs[before.head] !== after.refs[after.head],
		stash: after.stash.length > before.stash.length,
	};
	return [
		...(await describeOutsideChanges(git, root, differences, after)),
		...compareRootFiles(unsaved, now, {moved, since: before.at, readState: readPathStates(root)}),
	];
};

const shown = (facts: readonly OutsideFact[]) =>
	facts.map(
		fact => `${isSevere(fact) ? 'red' : 'dim'}: ${formatOutsideFact(fact).replace(/[0-9a-f]{7,}/g, '…')}`,
	);

/** A checkout with two commits, another branch, a tag, two stash entries and an unsaved file. */
const createCheckout = async () => {
	const repository = await createRepository({
		'a.txt': 'one\n',
		'b.txt': 'one\n',
		'.hive/colony.yaml': 'slug: shop\n',
	});
	const run = (script: string) =>
		promisify(execFile)('sh', ['-ec', script], {
			cwd: repository.root,
			env: {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'},
		});
	await run(`
		git branch old; echo two >a.txt; git commit -qam second; git tag v1; git tag -a v2 -m v2
		echo stashed >b.txt; git stash -q; echo again >b.txt; git stash -q; echo unsaved >a.txt; echo note >note.txt`);
	return {...repository, run};
};

test.each([
	['nothing', ':', []],
	[
		'reads of everything',
		'git status; git log; git diff; git stash list; git gc -q; git pack-refs --all',
		[],
	],
	['a commit', 'git commit -qam third', ['dim: the branch main moved forward from … to …: … third']],
	[
		'a commit on another branch',
		'git update-ref refs/heads/old main',
		['dim: the branch old moved forward from … to …: … second'],
	],
	[
		'commits that hive fetched for a shared base',
		'git commit -qam third; git update-ref refs/hive/upstream/main main',
		[],
	],
	[
		'a commit on top of those',
		'git commit -qam third; git update-ref refs/hive/upstream/main main; git commit -q --allow-empty -m fourth',
		['dim: the branch main moved forward from … to …: … fourth'],
	],
	[
		'a branch that is set back',
		'git branch -f v main; git branch -f main HEAD 2>/dev/null || git update-ref refs/heads/main HEAD~1',
		['red: the branch main was rewound from … to …', 'dim: the branch v was made at …'],
	],
	[
		'a branch that is gone',
		'git commit -qm other --allow-empty; git branch -q lone; git reset -q --soft HEAD~1; git branch -qD old lone',
		['red: the branch old, which was at …, is gone'],
	],
	[
		'a tag that is gone and one that moved',
		'git tag -d v1; git tag -f v2 HEAD~1',
		[
			'red: the tag v1, which was at …, is gone; refs/hive/outside/… keeps what was there',
			'red: the tag v2 changed from … to …; refs/hive/outside/… keeps what was there',
		],
	],
	[
		'the older stash entry',
		'git stash drop -q stash@{1}',
		['red: the stash entry … is gone; "git stash apply refs/hive/outside/…" brings it back'],
	],
	[
		'all stash entries',
		'git stash clear',
		[
			'red: the stash entry … is gone; "git stash apply refs/hive/outside/…" brings it back',
			'red: the stash entry … is gone; "git stash apply refs/hive/outside/…" brings it back',
		],
	],
	['a new stash entry', 'git stash -q', ['dim: a stash entry was added: …']],
	[
		'the branch of the checkout',
		'git switch -qc side',
		['red: the checkout was switched from main to side', 'dim: the branch side was made at …'],
	],
	['a HEAD without a branch', 'git switch -q --detach', ['red: the checkout was switched from main to …']],
	[
		'settings',
		"git config alias.x '!x'; git config user.name Eve; git config branch.main.remote origin",
		[
			'red: the setting alias.x is new',
			'dim: the setting branch.main.remote is new',
			'red: the setting user.name was changed',
		],
	],
	['a hook', "printf '#!/bin/sh' >.git/hooks/pre-push", ['red: the hook hooks/pre-push is new']],
	[
		'configuration',
		'echo "verify: disabled" >>.hive/colony.yaml; mkdir .hive/bees; echo x >.hive/bees/b.yaml',
		['red: .hive/bees/b.yaml is new', 'red: .hive/colony.yaml was changed'],
	],
	[
		'configuration of the same size and time',
		'touch -r .hive/colony.yaml kept; echo "slug: shoq" >.hive/colony.yaml; touch -r kept .hive/colony.yaml; rm kept',
		['red: .hive/colony.yaml was changed'],
	],
	[
		'what hive writes below .hive',
		'mkdir -p .hive/runs/t .hive/cache; echo x >.hive/runs/t/x; echo x >.hive/cache/x',
		[],
	],
	['an unsaved file', 'echo more >>a.txt', ['dim: a.txt was changed']],
	[
		'a saved file',
		'echo more >>b.txt; mkdir new; echo x >new/x',
		['dim: b.txt was changed', 'dim: new/ is new'],
	],
	['unsaved changes that are thrown away', 'git checkout -q a.txt', ['red: a.txt lost its unsaved changes']],
	['files that are gone', 'rm b.txt note.txt', ['dim: b.txt is gone', 'dim: note.txt is gone']],
	['what is staged', 'git add a.txt', ['dim: other changes are staged in the checkout']],
	[
		'another worktree',
		'git worktree add -q ../$(basename $PWD)-other old; rm -rf ../$(basename $PWD)-other',
		['dim: the other worktree … is new'],
	],
	['branches and refs of hive', 'git branch hive/t; git update-ref refs/hive/work/t HEAD', []],
] as const)('the reported outside changes for %s', async (_, script, expected) => {
	const checkout = await createCheckout();
	const facts = await factsOf(checkout, () => checkout.run(script));
	const name = `${checkout.root.split('/').at(-1)}-other`;
	expect(shown(facts).map(words => words.replace(name, '…'))).toEqual(expected);
});

test('a commit that a rewind leaves without a ref is kept under a reported ref', async () => {
	const checkout = await createCheckout();
	const lost = await checkout.git(['rev-parse', 'HEAD']);
	await checkout.run('git tag -d v1 v2');
	const [rewound] = await factsOf(checkout, () => checkout.run('git reset -q --soft HEAD~1'));
	expect(rewound).toMatchObject({what: 'branch', change: 'rewound', before: lost});
	expect(await checkout.git(['rev-parse', rewound?.kept ?? ''])).toBe(lost);
});

test('a popped stash entry is kept under a reported ref and can be applied again', async () => {
	const checkout = await createCheckout();
	await checkout.run('git checkout -q a.txt');
	const facts = await factsOf(checkout, () => checkout.run('git stash pop -q; git checkout -q b.txt'));
	await checkout.run(`git stash apply -q ${facts.find(({what}) => what === 'stash')?.kept}`);
	expect(await checkout.read('b.txt')).toBe('again\n');
});

test("a person's worktree that is switched or removed is reported", async () => {
	const checkout = await createCheckout();
	await checkout.run('git worktree add -q -b theirs .git/theirs; git worktree add -q -b gone .git/gone');
	const facts = await factsOf(checkout, () =>
		checkout.run('git -C .git/theirs switch -q old; git worktree remove --force .git/gone'),
	);
	expect(shown(facts)).toEqual([
		'red: the other worktree gone is gone',
		'red: the other worktree theirs was switched from theirs to old',
	]);
});

test('a merge by hive, with its files and configuration, is not reported; a commit beside it is', async () => {
	const {repository, worktree, approve} = await createScene({
		'a.txt': 'one\n',
		'.hive/colony.yaml': 'slug: shop\n',
	});
	await worktree.write('a.txt', 'two\n');
	await worktree.write('.hive/colony.yaml', 'slug: shop\nid: shop\n');
	const own = await factsOf(repository, async () => expectAccepted(await approve()));
	expect(own).toEqual([]);
	await worktree.git(['status']).catch(() => {});
	const facts = await factsOf(repository, async () => {
		await repository.write('b.txt', 'mine\n');
		await repository.commit('by hand');
	});
	expect(shown(facts)).toEqual(['dim: the branch main moved forward from … to …: … by hand']);
});

test('a repository with refs in reftables is read through git', async context => {
	const root = (await createRepository()).root;
	const made = await git.attempt(['init', '--quiet', '--ref-format=reftable', join(root, 'tables')], {
		cwd: root,
	});
	if (made.exitCode !== 0) context.skip('this git has no reftable');
	const repository = {root: join(root, 'tables')};
	const run = (script: string) => promisify(execFile)('sh', ['-ec', script], {cwd: repository.root});
	await run(
		'git config user.name A; git config user.email a@b; echo 1 >a; git add a; git commit -qm first; git branch old; echo 2 >a; git stash -q',
	);
	const facts = await factsOf(repository, () => run('git branch -D old; git stash drop -q'));
	expect(facts.map(({what, change}) => [what, change])).toEqual([
		['branch', 'removed'],
		['stash', 'removed'],
	]);
});

test('a file edited before the run is not reported; a later change with an old modification time is', async () => {
	const checkout = await createCheckout();
	const look = createRootFilesReader(git, () => checkout.root, Date.now);
	const before = await look.readFiles();
	await checkout.run('echo mine >>b.txt');
	const since = Date.now() + 50;
	await expect.poll(() => Date.now()).toBeGreaterThan(since);
	const told = async () =>
		compareRootFiles(before, await look.readFiles(), {
			moved: {head: false, stash: false},
			since,
			readState: readPathStates(checkout.root),
		});
	expect(await told()).toEqual([]);
	await utimes(join(checkout.root, 'b.txt'), 1, 1);
	expect(await told()).toEqual([{what: 'file', name: 'b.txt', change: 'changed'}]);
});

test('concurrent callers share one scan of the checkout that starts after their calls', async () => {
	const {root} = await createCheckout();
	let looks = 0;
	const counting: typeof git = {
		...git,
		run: (args, options) => {
			looks++;
			return git.run(args, options);
		},
	};
	const look = createRootFilesReader(counting, () => root, Date.now);
	const first = look.readFiles();
	await Promise.resolve();
	await Promise.all([first, look.readFiles(), look.readFiles(), look.readFiles()]);
	expect(looks).toBe(2);
});

const names = fc.dictionary(
	fc.constantFrom('refs/heads/a', 'refs/heads/b', 'refs/tags/a', 'k'),
	fc.constantFrom('1', '2', '3'),
);
const state: fc.Arbitrary<OutsideState> = fc.record({
	at: fc.nat(),
	head: fc.constantFrom('refs/heads/a', 'refs/heads/b', '1'),
	refs: names,
	stash: fc.array(fc.constantFrom('1', '2', '3'), {maxLength: 4}),
	settings: names,
	gitFiles: names,
	configuration: names,
	worktrees: fc.dictionary(
		fc.constantFrom('x', 'y'),
		fc.record({head: fc.constantFrom('1', '2'), index: fc.constantFrom('1', '2')}),
	),
});

test('an unchanged state has no outside changes, whatever its time', () => {
	fc.assert(
		fc.property(state, fc.nat(), (one, at) => {
			expect(compareOutside(one, {...one, at})).toEqual([]);
		}),
	);
});

test('a change and its reversal give the same number of outside changes, with before and after swapped', () => {
	fc.assert(
		fc.property(state, state, (one, other) => {
			const [there, back] = [compareOutside(one, other), compareOutside(other, one)];
			const turned = {added: 'removed', removed: 'added'} as const;
			const mirrored = back.map(({before, after, change, ...fact}) => ({
				...fact,
				change: change === 'added' || change === 'removed' ? turned[change] : change,
				...(after !== undefined && {before: after}),
				...(before !== undefined && {after: before}),
			}));
			const sorted = (facts: readonly OutsideFact[]) =>
				facts.map(fact => JSON.stringify(fact, Object.keys(fact).sort())).sort();
			expect(sorted(mirrored)).toEqual(sorted(there));
		}),
	);
});
