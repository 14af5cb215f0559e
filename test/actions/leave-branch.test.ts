import {expect, test} from 'vitest';
import {takeSnapshot} from '../helpers/repository.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const branch = `hive/${traceId}`;
const more = (taskId: string) => JSON.stringify({tasks: [{taskId, title: 'More work'}]});

test('approving a gate without a merge commits everything on the branch, keeps the root and names the next step', async () => {
	const colony = await createWaiting();
	await colony.write('mine.txt', 'mine\n');
	const before = await takeSnapshot(colony);
	const {stdout, exitCode} = await colony.hive(colony.approve('--no-merge'));
	expect(exitCode).toBe(0);
	const head = await colony.git(['rev-parse', branch]);
	expect(stdout).toContain(`Left on ${branch}: ${head}`);
	expect(stdout).toContain(`"git push origin ${branch}"`);
	const after = await takeSnapshot(colony);
	const main = (branches: string) => branches.split('\n').filter(line => line.startsWith('refs/heads/main'));
	expect(main(after.branches)).toEqual(main(before.branches));
	expect({...after, branches: ''}).toEqual({...before, branches: '', files: after.files});
	expect(await colony.git(['show', `${branch}:work.txt`])).toBe('made by work');
	expect(await colony.tasks()).toMatchObject([
		{taskId: 'work'},
		{
			taskId: '_review',
			status: 'completed',
			commit: head,
			summary: expect.stringContaining(`left on ${branch}`),
		},
	]);
	expect(await colony.exists(`.hive/worktrees/${traceId}`)).toBe(false);
});

test('a branch left for a pull request opens no new gate, and later work on it opens one', async () => {
	const colony = await createWaiting();
	await colony.ask(colony.approve('--no-merge'));
	const left = await colony.git(['rev-parse', branch]);
	await colony.run(0);
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: more('extra')});
	await colony.run(8);
	expect(await colony.statuses()).toMatchObject({extra: 'completed', '_review-2': 'waiting_review'});
	await colony.ask(colony.approve('--task', '_review-2', '--no-merge'));
	expect(await colony.git(['rev-parse', `${branch}^`])).toBe(left);
	expect(await colony.git(['ls-tree', '--name-only', branch, 'extra.txt', 'work.txt'])).toBe(
		'extra.txt\nwork.txt',
	);
	await colony.run(0);
});

test('leaving a branch is refused if its tree is not the one that was shown', async () => {
	const colony = await createWaiting();
	const {tree} = await colony.ask<{tree: string}>(['proposal', 'diff', '--trace', traceId]);
	await colony.write(`.hive/worktrees/${traceId}/late.txt`, 'late\n');
	expect(await colony.ask(colony.approve('--no-merge', '--tree', tree), {exit: 4})).toMatchObject({
		error: {code: 'stale_view'},
	});
	expect(await colony.events('merge.started')).toEqual([]);
});

test('work after a merge gets a second gate on a fresh branch', async () => {
	const colony = await createWaiting();
	await colony.ask(colony.approve());
	await colony.write('elsewhere.txt', 'by the user\n');
	await colony.commit('the user goes on');
	const base = await colony.git(['rev-parse', 'main']);
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: more('extra')});
	await colony.run(8);
	expect(await colony.statuses()).toEqual({
		work: 'completed',
		_review: 'completed',
		extra: 'completed',
		'_review-2': 'waiting_review',
	});
	const shown = await colony.ask<{patch: string; baseSha: string}>(['proposal', 'diff', '--trace', traceId]);
	expect(shown).toMatchObject({baseSha: base});
	expect(shown.patch).not.toContain('work.txt');
	expect(await colony.git(['rev-parse', branch])).toBe(base);
	await colony.ask(colony.approve('--task', '_review-2'));
	expect(await colony.merges()).toHaveLength(2);
	expect(await colony.read('extra.txt')).toBe('made by extra\n');
	await colony.run(0);
});

test('a worktree that an ignored file kept after its merge continues from the base', async () => {
	const colony = await createWaiting(undefined, {files: {'.gitignore': 'local.env\n'}});
	await colony.write(`.hive/worktrees/${traceId}/local.env`, 'SECRET=1\n');
	const {worktreeKept, worktreeHolds} = await colony.ask<{worktreeKept: string; worktreeHolds: string[]}>(
		colony.approve(),
	);
	expect(worktreeKept).toContain('holds files that are nowhere else');
	expect(worktreeHolds).toEqual(['local.env']);
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: more('extra')});
	await colony.run(8);
	expect(await colony.git(['rev-parse', branch])).toBe(await colony.git(['rev-parse', 'main']));
	expect(await colony.read(`.hive/worktrees/${traceId}/local.env`)).toBe('SECRET=1\n');
	await colony.ask(colony.approve('--task', '_review-2'));
	expect(await colony.merges()).toHaveLength(2);
});
