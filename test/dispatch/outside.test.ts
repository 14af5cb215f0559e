import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createDispatcher} from '../../source/dispatch/dispatcher.ts';
import {redacted} from '../../source/domain/redact.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const inWorktree = {worktree: true, publishes: publishesIsolated};

const straying = (script: string) => scripted(`echo x >x.txt; cd "$HIVE_COLONY_ROOT"; ${script}`, inWorktree);

const noted = (machineDir: string): Promise<string[]> => readdir(join(machineDir, 'outside')).catch(() => []);

test('a run that changes only its worktree emits no outside changes and leaves no stored baseline', async () => {
	const rig = await createRig({bees: {maker: scripted('echo x >x.txt', inWorktree)}});
	const agentId = await rig.begin('maker');
	expect(await noted(rig.ports.machineDir)).toEqual([agentId]);
	await rig.ended(agentId);
	const {run} = await rig.collect(agentId);
	expect(run).not.toHaveProperty('outside');
	expect(run).not.toHaveProperty('warnings');
	expect(await noted(rig.ports.machineDir)).toEqual([]);
});

test('a commit on the base and an edited file are reported without a warning', async () => {
	const rig = await createRig({
		bees: {maker: straying('echo two >>readme.md; git commit -qam "by hand"; echo three >>readme.md')},
	});
	const {run} = await rig.run('maker');
	expect(run).not.toHaveProperty('warnings');
	expect(run.outside).toEqual([
		{
			...{what: 'branch', name: 'main', change: 'forward'},
			before: expect.stringMatching(/^[0-9a-f]{40}$/),
			after: await rig.repository.git(['rev-parse', 'main']),
			commits: [expect.stringMatching(/^[0-9a-f]{7} by hand$/)],
		},
		{what: 'file', name: 'readme.md', change: 'changed'},
	]);
	const [finished] = await rig.events('run.finished');
	expect(finished?.payload.outside).toEqual(run.outside);
});

test('a removed stash entry is a warning that names the command to restore it', async () => {
	const rig = await createRig({bees: {maker: straying('git stash drop -q')}});
	await rig.repository.write('readme.md', 'not saved\n');
	await rig.repository.git(['stash', '--quiet']);
	const lost = await rig.repository.git(['rev-parse', 'refs/stash']);
	const {run} = await rig.run('maker');
	const kept = `refs/hive/outside/${lost.slice(0, 12)}`;
	expect(run.outside).toMatchObject([{what: 'stash', change: 'removed', before: lost, kept}]);
	expect(run.warnings).toEqual([
		`while the run was open, the stash entry ${lost.slice(0, 7)} is gone; "git stash apply ${kept}" brings it back`,
	]);
	expect(await rig.repository.git(['rev-parse', kept])).toBe(lost);
});

test('a branch switch by a person is reported for each open run', async () => {
	const rig = await createRig({
		bees: {maker: scripted('echo x >x.txt', inWorktree), reader: scripted('true', {worktree: true})},
	});
	const both = [await rig.begin('maker'), await rig.begin('reader', 'two')];
	await rig.repository.git(['switch', '--quiet', '--create', 'topic']);
	for (const agentId of both) {
		await rig.ended(agentId);
		const {run} = await rig.collect(agentId);
		expect(run.warnings).toEqual(['while the run was open, the checkout was switched from main to topic']);
	}
});

test('a change outside is reported once when another reactor collects the run again', async () => {
	const rig = await createRig({bees: {maker: straying('git config alias.x "!x"')}});
	const agentId = await rig.begin('maker');
	await rig.ended(agentId);
	await createDispatcher(rig.ports).collect(...(await rig.runOf(agentId)));
	const {run} = await rig.look(agentId);
	expect(run.outside).toEqual([{what: 'setting', name: 'alias.x', change: 'added'}]);
	expect(run.warnings).toEqual([expect.stringContaining('alias.x')]);
});

test('a run without a baseline is collected without a report of outside changes', async () => {
	const rig = await createRig({bees: {maker: straying('git config alias.x "!x"')}});
	const agentId = await rig.begin('maker');
	await rig.ended(agentId);
	await writeFile(join(rig.ports.machineDir, 'outside', agentId, 'state.json'), '{"torn');
	const {run} = await rig.collect(agentId);
	expect(run.status).toBe('completed');
	expect(run).not.toHaveProperty('outside');
});

test('at most twenty outside changes are reported, warnings first, with the number of the rest', async () => {
	const rig = await createRig({
		bees: {
			maker: straying(
				'for n in $(seq 30); do echo x >"n$n.txt"; done; printf "#!/bin/sh" >.git/hooks/pre-push',
			),
		},
	});
	const {run} = await rig.run('maker');
	expect(run.outside).toHaveLength(20);
	expect(run.outside?.[0]).toEqual({what: 'hook', name: 'hooks/pre-push', change: 'added'});
	expect(run.outsideMore).toBe(11);
});

test('a secret in a new branch name is redacted on the log, and an existing branch is not reported', async () => {
	const key = 'sesame-open-0123456789';
	const rig = await createRig({
		bees: {maker: straying('git branch "$SERVICE_PASSWORD-two"')},
		environment: {SERVICE_PASSWORD: key},
	});
	await rig.repository.git(['branch', `${key}-one`]);
	const {run} = await rig.run('maker');
	expect(run.outside).toMatchObject([{what: 'branch', name: `${redacted}-two`, change: 'added'}]);
});

test('files that a run writes in the root are its work; a tag that it deletes is reported', async () => {
	const rig = await createRig({bees: {maker: scripted('echo x >x.txt; git tag -d v1')}});
	await rig.repository.git(['tag', 'v1']);
	const {run} = await rig.run('maker');
	expect(run.outside).toMatchObject([{what: 'tag', name: 'v1', change: 'removed'}]);
});
