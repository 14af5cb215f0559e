import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {builder, openColony} from '../helpers/colony-on-disk.ts';
import {openRepository} from '../helpers/repository.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const worktree = `.hive/worktrees/${traceId}`;
const branch = `hive/${traceId}`;
const commit = 'git add -A; git -c user.name=Bee -c user.email=bee@example.org commit -qm made';

test.each([
	['from beside it', `${commit}; git switch -q --detach; git branch -qD ${branch}; echo more >more.txt`],
	['under itself', `git update-ref -d refs/heads/${branch}; echo more >more.txt`],
])(
	'the work of an agent that deleted its branch %s is merged after the branch is restored',
	async (_, rest) => {
		const script = `echo made >made.txt; ${rest}`;
		const colony = await createWaiting(undefined, {bees: {builder: {...builder, script}}});
		const main = await colony.git(['rev-parse', 'main']);
		for (const how of [[], ['--no-merge']]) {
			const {exitCode, stderr} = await colony.hive(colony.approve(...how));
			expect(exitCode).toBe(4);
			expect(stderr).toContain(`has lost its branch ${branch}`);
		}
		expect(await colony.statuses()).toMatchObject({_review: 'waiting_review'});
		const {stderr} = await colony.hive(['proposal', 'diff', '--trace', traceId]);
		const named = /git branch \S+ (\S+)"/.exec(stderr)?.[1] ?? '';
		await colony.git(['branch', branch, named === '<commit>' ? main : named]);
		await colony.ask(colony.approve());
		expect(await colony.read('made.txt')).toBe('made\n');
		expect(await colony.read('more.txt')).toBe('more\n');
	},
);

test('a branch that is deleted after the first merge leaves its work at a gate, and the trace stays open', async () => {
	const script = `echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"; [ "$HIVE_TASK_ID" = work ] || git update-ref -d refs/heads/${branch}`;
	const colony = await createWaiting(undefined, {bees: {builder: {...builder, script}}});
	await colony.ask(colony.approve());
	await colony.ask(['task', 'create', '--trace', traceId, '--task', 'later', '-b', 'x']);
	await colony.run(8);
	const approve = colony.approve('--task', '_review-2');
	expect(await colony.ask(approve, {exit: 4})).toMatchObject({error: {code: 'repository_damaged'}});
	await colony.git(['branch', branch, 'main']);
	await colony.ask(approve);
	expect(await colony.read('later.txt')).toBe('later\n');
});

test('a gate whose work is lost cannot be approved as if there had been no work', async () => {
	const colony = await createWaiting();
	await colony.remove(worktree);
	await colony.git(['worktree', 'prune']);
	await colony.git(['branch', '-D', branch]);
	await colony.git(['update-ref', '-d', `refs/hive/work/${traceId}`]);
	expect(await colony.ask(colony.approve(), {exit: 4})).toMatchObject({
		error: {code: 'merge_refused', message: expect.stringContaining('is not in this repository')},
	});
	expect(await colony.statuses()).toMatchObject({_review: 'waiting_review'});
	expect(await colony.ask(['restore', '--list', '--trace', traceId])).toMatchObject({kept: [{}]});
});

describe.each([
	['the folder of the worktree is', false],
	['the worktree and its branch are both', true],
])('a trace where %s gone', (_, isBoth) => {
	const lose = async (colony: Awaited<ReturnType<typeof createWaiting>>) => {
		await colony.remove(worktree);
		if (!isBoth) return;
		await colony.git(['worktree', 'prune']);
		await colony.git(['branch', '-D', branch]);
	};

	test('the diff shows and the merge takes the work of the last run, and its ref is removed', async () => {
		const colony = await createWaiting();
		await lose(colony);
		const {stdout} = await colony.hive(['proposal', 'diff', '--trace', traceId]);
		expect(stdout).toContain('+made by work');
		await colony.ask(colony.approve());
		expect(await colony.read('work.txt')).toBe('made by work\n');
		expect(await colony.git(['for-each-ref', 'refs/hive/work'])).toBe('');
	});

	test('the work of the last run can be left on its branch', async () => {
		const colony = await createWaiting();
		await lose(colony);
		await colony.ask(colony.approve('--no-merge'));
		expect(await colony.git(['show', `${branch}:work.txt`])).toBe('made by work');
	});

	test('the next task continues from the work of the last run', async () => {
		const colony = await createWaiting();
		await lose(colony);
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'later', '-b', 'x']);
		await colony.run(8);
		await colony.ask(colony.approve());
		expect(await colony.read('work.txt')).toBe('made by work\n');
		expect(await colony.read('later.txt')).toBe('made by later\n');
	});
});

test('work without a worktree is refused while its branch is checked out elsewhere, and merged afterwards', async () => {
	const colony = await createWaiting();
	await colony.remove(worktree);
	await colony.git(['worktree', 'prune']);
	await colony.git(['switch', '--quiet', branch]);
	const refused = await colony.ask(colony.approve(), {exit: 4});
	expect(refused).toMatchObject({
		error: {message: expect.stringContaining(`is checked out in ${colony.root}`)},
	});
	await colony.git(['switch', '--quiet', 'main']);
	await colony.ask(colony.approve());
	expect(await colony.read('work.txt')).toBe('made by work\n');
});

test('a retry after an agent destroyed its worktree and branch continues from the earlier work', async () => {
	const destroy = `cd "$HIVE_COLONY_ROOT"; git worktree remove --force ${worktree}; git branch -qD ${branch}; exit 1`;
	const script = `[ "$HIVE_TASK_ID" = work ] || [ -e "$HOME/again" ] || { touch "$HOME/again"; ${destroy}; }; ${builder.script}`;
	const tasks = [
		{taskId: 'work', title: 'Do the work'},
		{taskId: 'later', title: 'Go on', dependsOn: ['work']},
	];
	const colony = await createWaiting(tasks, {bees: {builder: {...builder, script}}}, 9);
	await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'later']);
	await colony.run(8);
	await colony.ask(colony.approve());
	expect(await colony.read('work.txt')).toBe('made by work\n');
	expect(await colony.read('later.txt')).toBe('made by later\n');
});

test.each([
	['deleted', (record: string) => ['update-ref', '--no-deref', '-d', record]],
	['led to another branch', (record: string) => ['symbolic-ref', record, 'refs/heads/other']],
	['led to the work itself', (record: string) => ['symbolic-ref', record, `refs/heads/${branch}`]],
	['made to be a commit', (record: string) => ['update-ref', '--no-deref', record, 'HEAD~1']],
])("a trace lands on the base of its first claim if git's record of its base is %s", async (_how, change) => {
	const colony = await createWaiting();
	const commit = await colony.git(['rev-parse', 'main']);
	const claims = await colony.events('energy.consume');
	expect(claims[0]?.payload.base).toEqual({branch: 'main', commit});
	await colony.git(['branch', 'other', 'HEAD~1']);
	await colony.git(change(`refs/hive/base/${traceId}`));
	expect(await colony.ask(['proposal', 'update', '--trace', traceId])).toMatchObject({base: 'main'});
	await colony.git(change(`refs/hive/base/${traceId}`));
	const {base, tree} = await colony.ask<{base: string; tree: string}>([
		'proposal',
		'diff',
		'--trace',
		traceId,
	]);
	expect(base).toBe('main');
	await colony.git(change(`refs/hive/base/${traceId}`));
	expect(await colony.ask(colony.approve('--tree', tree))).toMatchObject({base: 'main'});
	expect(await colony.read('work.txt')).toBe('made by work\n');
	expect(await colony.git(['rev-parse', 'other'])).toBe(await colony.git(['rev-parse', `${commit}~1`]));
});

test('a merge names the missing base of the log until git has another base on record', async () => {
	const colony = await createWaiting();
	await colony.git(['branch', '--move', 'main', 'trunk']);
	expect(await colony.ask(colony.approve(), {exit: 4})).toMatchObject({
		error: {code: 'merge_refused', message: expect.stringContaining('"main" is gone')},
	});
	await colony.git(['symbolic-ref', `refs/hive/base/${traceId}`, 'refs/heads/trunk']);
	expect(await colony.ask(colony.approve())).toMatchObject({base: 'trunk'});
});

test('purging a trace in one checkout removes nothing of a trace of the same id in another', async () => {
	const colony = await createWaiting();
	const refs = () => colony.git(['for-each-ref', 'refs/heads/hive', 'refs/hive']);
	const before = await refs();
	const linked = join(colony.home, 'linked');
	await colony.git(['worktree', 'add', '--quiet', linked]);
	const there = openColony(openRepository(linked), colony.home);
	await there.ask(['init']);
	await there.ask(['task', 'create', '--trace', traceId, '--task', 'work', '-b', 'x']);
	expect((await there.hive(['run', '--until-idle'])).exitCode).toBe(9);
	await there.ask(['kill', '--trace', traceId]);
	await there.ask(['purge', '--trace', traceId, '--confirm', traceId, '--discard-unmerged']);
	expect(await refs()).toBe(before);
	await colony.ask(colony.approve());
	expect(await colony.read('work.txt')).toBe('made by work\n');
	expect(await colony.exists(worktree)).toBe(false);
});
