import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createDispatcher} from '../../source/dispatch/dispatcher.ts';
import {redacted} from '../../source/domain/redact.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const inWorktree = {worktree: true, publishes: publishesIsolated};

const straying = (script: string) => scripted(`echo x >x.txt; cd "$HIVE_COLONY_ROOT"; ${script}`, inWorktree);

const noted = (machineDir: string): Promise<string[]> => readdir(join(machineDir, 'outside')).catch(() => []);

test('nothing is said of a run that keeps to its worktree, and nothing stays noted', async () => {
	const rig = await createRig({bees: {maker: scripted('echo x >x.txt', inWorktree)}});
	const agentId = await rig.begin('maker');
	expect(await noted(rig.ports.machineDir)).toEqual([agentId]);
	await rig.ended(agentId);
	const {run} = await rig.collect(agentId);
	expect(run).not.toHaveProperty('outside');
	expect(run).not.toHaveProperty('warnings');
	expect(await noted(rig.ports.machineDir)).toEqual([]);
});

test('a commit on the base and an edited file are said, without a warning', async () => {
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

test('what was taken away is a warning that names what brings it back', async () => {
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

test('what a person does while the run is open is said as well, of each run that is', async () => {
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

test('another reactor that collects the run later says the same, and once', async () => {
	const rig = await createRig({bees: {maker: straying('git config alias.x "!x"')}});
	const agentId = await rig.begin('maker');
	await rig.ended(agentId);
	await createDispatcher(rig.ports).collect(...(await rig.runOf(agentId)));
	const {run} = await rig.look(agentId);
	expect(run.outside).toEqual([{what: 'setting', name: 'alias.x', change: 'added'}]);
	expect(run.warnings).toEqual([expect.stringContaining('alias.x')]);
});

test('a run without a note of what was before is collected, and nothing is said of it', async () => {
	const rig = await createRig({bees: {maker: straying('git config alias.x "!x"')}});
	const agentId = await rig.begin('maker');
	await rig.ended(agentId);
	await writeFile(join(rig.ports.machineDir, 'outside', agentId, 'state.json'), '{"torn');
	const {run} = await rig.collect(agentId);
	expect(run.status).toBe('completed');
	expect(run).not.toHaveProperty('outside');
});

test('twenty facts are said, the red ones first, and how many more there are', async () => {
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

test('a name with a secret in it has none on the log, and one that was there before is not told', async () => {
	const key = 'sesame-open-0123456789';
	const rig = await createRig({
		bees: {maker: straying('git branch "$SERVICE_PASSWORD-two"')},
		environment: {SERVICE_PASSWORD: key},
	});
	await rig.repository.git(['branch', `${key}-one`]);
	const {run} = await rig.run('maker');
	expect(run.outside).toMatchObject([{what: 'branch', name: `${redacted}-two`, change: 'added'}]);
});

test('files that a run in the root writes are its work; what it takes away is said', async () => {
	const rig = await createRig({bees: {maker: scripted('echo x >x.txt; git tag -d v1')}});
	await rig.repository.git(['tag', 'v1']);
	const {run} = await rig.run('maker');
	expect(run.outside).toMatchObject([{what: 'tag', name: 'v1', change: 'removed'}]);
});
