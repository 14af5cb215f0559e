import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {type LandingStrategy, landingStrategies} from '../../source/domain/landing.ts';
import {createGit} from '../../source/drivers/git.ts';
import type {Git} from '../../source/ports/git.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {createLandingPlanner} from '../../source/workspaces/merge/plan-landings.ts';
import {readTraceTip} from '../../source/workspaces/worktree/trace-tip.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';

/** A git that counts the merges it makes. */
const countingGit = (git: Git) => {
	const count = {merges: 0};
	const attempt: Git['attempt'] = (args, options) => {
		if (args.includes('merge-tree')) count.merges += 1;
		return git.attempt(args, options);
	};
	return {count, git: {...git, attempt}};
};

/** Traces whose agents each left a file of their own uncommitted, in the order of approval. */
const createQueue = async (names: readonly string[], strategy: LandingStrategy = 'merge') => {
	const git = createGit();
	const repository = await createRepository({'.hive/.gitignore': 'worktrees/\nruns/\n', 'a.txt': 'a\n'});
	const {root} = repository;
	const queue = [];
	for (const [index, traceId] of names.entries()) {
		const {path} = expectAccepted(await ensureWorktree({git}, {root, traceId}));
		await openRepository(path).write(`${traceId}.txt`, 'made\n');
		const tip = expectAccepted(await readTraceTip(git, {root, traceId}));
		queue.push({traceId, work: tip?.tree ?? '', sequence: index + 1, strategy});
	}
	const land = async (traceId: string, tree: string): Promise<void> => {
		expectAccepted(await mergeTrace(git, {root, traceId, tree, subject: traceId, body: '', strategy}));
	};
	return {git, repository, queue, land};
};

const treeIn = (plan: Awaited<ReturnType<ReturnType<typeof createLandingPlanner>['plan']>>, name: string) => {
	const planned = plan.get(name);
	return planned?.state === 'ready' ? planned.tree : '';
};

test.each(landingStrategies)(
	'a %s that was planned lets the plans of those behind it stay valid',
	async strategy => {
		const {git, repository, queue, land} = await createQueue(['one', 'two', 'three'], strategy);
		const counting = countingGit(git);
		const planner = createLandingPlanner(counting.git, repository.root);
		const before = await planner.plan(queue);
		const {merges} = counting.count;
		await land('one', treeIn(before, 'one'));
		const second = await planner.plan(queue.slice(1));
		expect(counting.count.merges).toBe(merges);
		expect(treeIn(second, 'two')).toBe(treeIn(before, 'two'));
		expect(second.get('two')).toMatchObject({isFirst: true});
		await land('two', treeIn(second, 'two'));
		const third = await planner.plan(queue.slice(2));
		expect(counting.count.merges).toBe(merges);
		await land('three', treeIn(third, 'three'));
	},
);

test('a branch that moved by another commit has all merges planned again', async () => {
	const {git, repository, queue, land} = await createQueue(['one', 'two', 'three']);
	const planner = createLandingPlanner(git, repository.root);
	const before = await planner.plan(queue);
	await land('one', treeIn(before, 'one'));
	await repository.write('mine.txt', 'mine\n');
	await repository.commit('Mine');
	const after = await planner.plan(queue.slice(1));
	expect(treeIn(after, 'two')).not.toBe(treeIn(before, 'two'));
	await land('two', treeIn(after, 'two'));
	const last = await planner.plan(queue.slice(2));
	await land('three', treeIn(last, 'three'));
});
