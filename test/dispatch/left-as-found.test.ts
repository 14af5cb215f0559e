import {execFileSync} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {canAdopt, isRunning} from '../drivers/processes-rig.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const inWorktree = {worktree: true};
const treesOf = async (script: string, more: object = {}, settings: object = {}, files = {}) => {
	const rig = await createRig({bees: {bee: scripted(script, {...inWorktree, ...more})}, settings, files});
	const {run} = await rig.run('bee');
	expect(run.status).toBe('completed');
	return run.trees;
};

test.runIf(canAdopt).each([
	['that proposes', {publishes: publishesIsolated}],
	['that proposes nothing', {}],
])('the log records equal trees for a worktree run that changed nothing, of a bee %s', async (_, more) => {
	const trees = await treesOf('true', more);
	expect(trees?.after).toMatch(/^[0-9a-f]{40}$/);
	expect(trees?.after).toBe(trees?.before);
});

test('the log records both trees of a run that changed the worktree, though its bee proposes nothing', async () => {
	const trees = await treesOf('echo x >x.txt');
	expect(trees?.after).not.toBe(trees?.before);
});

test.each<[string, Parameters<typeof treesOf>]>([
	['works in the root', ['true', {worktree: false}]],
	[
		'committed and left its branch for where it was',
		['echo x >x; git add x; git commit -qm x; git switch -q --detach HEAD~1'],
	],
	[
		'committed on its branch and took it back',
		['echo x >x; git add x; git commit -qm x; git revert --no-edit HEAD'],
	],
	['set a program for git to run', ['git config core.sshCommand ./planted']],
	['left something running', ['(sleep 600; echo x >x) & true']],
	['is followed by a command of its bee', ['true', {post_exec: ['true']}]],
	['may leave programs running', ['true', {}, {defaults: {leave_running: ['server']}}]],
	['had the worktree set up for it', ['true', {}, {workspaces: {setup: ['true']}}]],
])('the log records no trees of a run that changed no file and %s', async (_, given) => {
	expect(await treesOf(...given)).toBeUndefined();
});

describe.runIf(canAdopt)('the log records no trees when a leftover process wrote after the run ended', () => {
	/** Returns an ended run with a leftover process, which writes on request. */
	const left = async (then: string) => {
		const script = `{ read -r _ <"$HOME/word"; echo x >late; echo late >"$HOME/written"; ${then}; } & true`;
		const rig = await createRig({bees: {bee: scripted(script, inWorktree)}});
		for (const name of ['word', 'written']) execFileSync('mkfifo', [join(rig.root, name)]);
		const agentId = await rig.begin('bee');
		await rig.ended(agentId);
		const write = async () => {
			await writeFile(join(rig.root, 'word'), 'go\n');
			await readFile(join(rig.root, 'written'));
		};
		return {...rig, agentId, write, supervisor: JSON.parse(await rig.text(agentId, 'started')).pid as number};
	};

	test('and exited before the run was collected', async () => {
		const {agentId, write, collect, supervisor} = await left('exit');
		await write();
		await expect.poll(() => isRunning(supervisor)).toBe(false);
		const {run} = await collect(agentId);
		expect([run.status, run.trees]).toEqual(['completed', undefined]);
	});

	test('and was stopped by an interrupted collection', async () => {
		const {agentId, write, collect, processes, directoryOf} = await left('sleep 600');
		await write();
		expect(await processes.sweep(directoryOf(agentId), agentId)).toBeGreaterThan(0);
		const {run} = await collect(agentId);
		expect([run.status, run.trees]).toEqual(['completed', undefined]);
	});
});

test('the log records no trees of a stopped run, though none of its processes is left', async () => {
	const {begin, appears, runOf, dispatcher, collect} = await createRig({
		bees: {bee: scripted('read -r _ <"$HOME/word"', inWorktree)},
	});
	const agentId = await begin('bee');
	await appears(agentId, 'agent');
	await dispatcher.stop(...(await runOf(agentId)), 'cancelled');
	expect((await collect(agentId)).run.trees).toBeUndefined();
});
