import {expect, test} from 'vitest';
import {createWaiting, traceId} from './at-the-gate.ts';

const diff = ['proposal', 'diff', '--trace', traceId];
const seen = async (colony: Awaited<ReturnType<typeof createWaiting>>): Promise<string> =>
	(await colony.ask<{tree: string}>(diff)).tree;

test.each([
	['no digit', 0],
	['one digit', 1],
	['eleven digits', 11],
])('approving with a tree of %s is refused and merges nothing', async (_name, digits) => {
	const colony = await createWaiting();
	const tree = (await seen(colony)).slice(0, digits);
	expect(await colony.ask(colony.approve('--tree', tree), {exit: 2})).toMatchObject({
		error: {code: 'usage', hint: expect.stringContaining('at least 12 digits')},
	});
	expect(await colony.events('merge.started')).toEqual([]);
});

test('an approval needs twelve digits of the tree, or no tree at all', async () => {
	const one = await createWaiting();
	const digits = (await seen(one)).slice(0, 12);
	expect(await one.ask(one.approve('--tree', digits))).toMatchObject({base: 'main'});
	const other = await createWaiting();
	expect(await other.ask(other.approve())).toMatchObject({base: 'main'});
});

test('the suggested approve commands carry the tree, and are refused after the work changes', async () => {
	const colony = await createWaiting();
	const tree = (await seen(colony)).slice(0, 12);
	const command = `hive proposal approve --trace ${traceId} --task _review --tree ${tree}`;
	expect((await colony.hive(['run', '--until-idle'])).stdout).toContain(`Next: ${command}`);
	expect((await colony.hive(diff)).stdout).toContain(`Approve this: ${command}\n`);
	await colony.write(`.hive/worktrees/${traceId}/late.txt`, 'late\n');
	const refused = await colony.hive(command.split(' ').slice(1));
	expect([refused.exitCode, refused.stderr]).toEqual([
		4,
		expect.stringContaining('changed since you looked'),
	]);
	expect(await colony.exists('late.txt')).toBe(false);
});

test('an approval with a tree does not complete the gate if the work is gone', async () => {
	const colony = await createWaiting();
	const tree = await seen(colony);
	await colony.git(['reset', '--quiet', '--hard', 'main'], `${colony.root}/.hive/worktrees/${traceId}`);
	await colony.git(['clean', '--quiet', '--force'], `${colony.root}/.hive/worktrees/${traceId}`);
	expect(await colony.ask(colony.approve('--tree', tree), {exit: 4})).toMatchObject({
		error: {code: 'stale_view'},
	});
	expect(await colony.statuses()).toMatchObject({_review: 'waiting_review'});
});
