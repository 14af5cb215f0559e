import {rename} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {pushFile, type Remote, shareBase} from '../helpers/shared-base.ts';

const land = {push: 'required'};

const createShared = async (
	settings: object = {},
	files: Readonly<Record<string, string>> = {},
): Promise<{colony: ColonyOnDisk; remote: Remote}> => {
	const colony = await createColony({settings: {land, ...settings}, files});
	return {colony, remote: await shareBase(colony)};
};

/** Adds a trace whose one task has the trace's name, and lets it be worked on. */
const work = async (colony: ColonyOnDisk, ...names: readonly string[]): Promise<void> => {
	for (const name of names) {
		const args = ['--trace', name, '--task', name, '--title', name, '--body', 'x', '--autorun'];
		await colony.ask(['task', 'create', ...args]);
	}
	await colony.hive(['run', '--until-idle']);
};

const approve = (colony: ColonyOnDisk, name: string, ...more: readonly string[]) =>
	colony.hive(['proposal', 'approve', '--trace', name, '--task', '_review', ...more]);

const head = (colony: ColonyOnDisk): Promise<string> => colony.git(['rev-parse', 'main']);

const inboxOf = async (colony: ColonyOnDisk): Promise<readonly {title: string; sentence: string}[]> => {
	const {inbox} = await colony.ask<{inbox: {title: string; sentence: string}[]}>(['status']);
	return inbox;
};

const taskOf = async (colony: ColonyOnDisk, traceId: string, taskId: string) => {
	const {task} = await colony.ask<{task: {status: string; summary: string}}>([
		...['task', 'show', '--trace', traceId, '--task', taskId],
	]);
	return task;
};

describe('a base that is shared through its upstream', () => {
	test('has a merge pushed before its review completes', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		const {stdout, exitCode} = await approve(colony, 'one');
		expect(stdout).toMatch(/^Merged into main, and pushed to its upstream: [0-9a-f]{40}/m);
		expect(exitCode).toBe(0);
		expect(await remote.tip()).toBe(await head(colony));
		expect(await colony.exists('one.txt')).toBe(true);
		expect(await taskOf(colony, 'one', '_review')).toMatchObject({status: 'completed'});
	});

	test('is brought up to its upstream before a trace starts, with unsaved files on top', async () => {
		const {colony, remote} = await createShared();
		await pushFile(await remote.clone(), 'colleague.txt', 'theirs\n');
		await colony.write('readme.md', 'A scratch colony.\nMine, unsaved.\n');
		await work(colony, 'one');
		expect(await head(colony)).toBe(await remote.tip());
		expect(await colony.read('readme.md')).toContain('Mine, unsaved.');
		expect(await colony.exists('colleague.txt')).toBe(true);
		expect(await colony.exists('.hive/worktrees/one/colleague.txt')).toBe(true);
	});

	test('takes a merge that was approved before a colleague pushed, on top of theirs', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one', 'two');
		await pushFile(await remote.clone(), 'colleague.txt', 'theirs\n');
		expect((await approve(colony, 'one')).exitCode).toBe(0);
		await pushFile(await remote.clone(), 'later.txt', 'theirs\n');
		expect((await approve(colony, 'two', '--without-checks', '--reason', 'small')).exitCode).toBe(0);
		expect(await remote.tip()).toBe(await head(colony));
		const files = await colony.git(['ls-tree', '--name-only', 'main']);
		expect(files.split('\n')).toEqual(
			expect.arrayContaining(['colleague.txt', 'later.txt', 'one.txt', 'two.txt']),
		);
	});

	test('makes a merge again whose push lost a race', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		const clone = await remote.clone();
		await clone.write('colleague.txt', 'theirs\n');
		const rival = await clone.commit('first');
		await clone.git(['push', '--quiet', 'origin', 'HEAD:refs/heads/rival']);
		// The colleague's push arrives while this one is being checked.
		await remote.hook('update', `[ -e lost ] || { : >lost; git update-ref refs/heads/main ${rival}; }`);
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(await remote.tip()).toBe(await head(colony));
		const subjects = await colony.git(['log', '--first-parent', '--format=%s', 'main']);
		expect(subjects.split('\n').slice(0, 2)).toEqual(['one', 'first']);
	});

	test('has nothing merged that its upstream refuses, and says why where the review waits', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		const before = await head(colony);
		await remote.hook('update', 'echo "main is protected" >&2; exit 1');
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('origin/main did not accept the merge: ');
		expect(stderr).toContain('main is protected');
		expect(exitCode).toBe(4);
		expect(await head(colony)).toBe(before);
		expect(await remote.tip()).toBe(before);
		expect(await inboxOf(colony)).toEqual([
			expect.objectContaining({sentence: expect.stringContaining('main is protected')}),
		]);
		await remote.hook('update', undefined);
		expect((await approve(colony, 'one')).exitCode).toBe(0);
		expect(await remote.tip()).toBe(await head(colony));
	});

	test('begins nothing and merges nothing while its upstream cannot be reached', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		await rename(remote.path, `${remote.path}-away`);
		await work(colony, 'two');
		expect(await taskOf(colony, 'two', 'two')).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('origin/main could not be fetched: '),
		});
		const {findings} = await colony.ask<{findings: {rule: string}[]}>(['doctor'], {exit: 5});
		expect(findings.map(({rule}) => rule)).toContain('base-shared');
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('origin/main could not be fetched: ');
		expect(exitCode).toBe(4);
		const sentences = (await inboxOf(colony)).map(({sentence}) => sentence);
		expect(sentences).toEqual(sentences.map(() => expect.stringContaining('could not be fetched')));
		expect(sentences).toHaveLength(2);
		await rename(`${remote.path}-away`, remote.path);
		expect((await approve(colony, 'one')).exitCode).toBe(0);
	});

	test('is not pushed with commits that were never approved', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		const before = await remote.tip();
		await colony.write('mine.txt', 'mine\n');
		await colony.git(['add', 'mine.txt']);
		await colony.git(['commit', '--quiet', '--message', 'mine']);
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('main has 1 commit that origin/main lacks; nothing was changed.');
		expect(stderr).toContain('Push it with "git push", then try again.');
		expect(exitCode).toBe(4);
		expect(await remote.tip()).toBe(before);
		await colony.git(['push', '--quiet']);
		expect((await approve(colony, 'one')).exitCode).toBe(0);
	});

	test('is reached only where a person accepted its address', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		await colony.git(['clone', '--quiet', '--bare', remote.path, `${colony.home}/elsewhere.git`]);
		await colony.git(['remote', 'set-url', 'origin', `${colony.home}/elsewhere.git`]);
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('You have not accepted yet where main is fetched from and pushed to');
		expect(stderr).toContain('remote.origin.url');
		expect(exitCode).toBe(4);
		const shown = await colony.hive(['init']);
		expect(shown.stderr).toContain('elsewhere.git');
		await colony.ask(['init', '--accept']);
		expect((await approve(colony, 'one')).exitCode).toBe(0);
	});

	test('needs an upstream', async () => {
		const {colony} = await createShared();
		await work(colony, 'one');
		await colony.git(['branch', '--unset-upstream', 'main']);
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('main has no upstream, and "land.push" is required');
		expect(exitCode).toBe(4);
	});

	test('stays as it is where unsaved files would be lost', async () => {
		const {colony, remote} = await createShared();
		await work(colony, 'one');
		await pushFile(await remote.clone(), 'readme.md', 'Theirs.\n');
		await colony.write('readme.md', 'Mine.\n');
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain(
			'main is behind origin/main, and cannot follow it: unsaved files are in the way.',
		);
		expect(stderr).toContain('readme.md');
		expect(exitCode).toBe(4);
		expect(await colony.read('readme.md')).toBe('Mine.\n');
	});

	test('has what lands checked on top of what a colleague pushed', async () => {
		const verify = {commands: [['sh', '-c', 'test ! -e broken']], required: true};
		const {colony, remote} = await createShared({verify});
		await work(colony, 'one');
		await pushFile(await remote.clone(), 'broken', 'x\n');
		const {exitCode, stderr} = await approve(colony, 'one');
		expect(stderr).toContain('The checks failed on the merge with main');
		expect(exitCode).toBe(8);
		expect(await colony.git(['log', '--merges', '--format=%s', 'main'])).toBe('');
	});

	test('has the merge checked again after it followed its upstream', async () => {
		const verify = {commands: [['true']], required: true};
		const {colony, remote} = await createShared({verify});
		await work(colony, 'one');
		await pushFile(await remote.clone(), 'colleague.txt', 'theirs\n');
		expect((await approve(colony, 'one')).exitCode).toBe(0);
		const kinds = (await colony.replay('one')).map(({payload}) => payload.kind);
		expect(kinds.filter(kind => /^(?:landing|merge)/.test(kind))).toEqual([
			...['landing.requested', 'landing.checked', 'merge.started', 'merge.abandoned'],
			...['landing.checked', 'merge.started'],
		]);
		expect(await remote.tip()).toBe(await head(colony));
	});

	test.each(['merge.claimed', 'merge.recorded', 'shared.pushed', 'merge.baseMoved', 'merge.made'])(
		'has one merge after hive was killed at %s',
		async point => {
			const {colony, remote} = await createShared();
			await work(colony, 'one');
			const killed = await colony.hive(['proposal', 'approve', '--trace', 'one', '--task', '_review'], {
				env: {HIVE_CRASH_AT: point},
			});
			expect(killed.exitCode).not.toBe(0);
			await pushFile(await remote.clone(), 'later.txt', 'theirs\n');
			await colony.hive(['run', '--until-idle']);
			const again = await approve(colony, 'one');
			expect([0, 4]).toContain(again.exitCode);
			expect(await taskOf(colony, 'one', '_review')).toMatchObject({status: 'completed'});
			const merges = await colony.git(['log', '--merges', '--format=%s', await remote.tip()]);
			expect(merges).toBe('one');
			expect(await colony.git(['diff', '--stat', 'HEAD'])).toBe('');
		},
	);
});
