import {describe, expect, test} from 'vitest';
import {createForgeColony, type ForgeColony} from '../helpers/forge-colony.ts';

const approve = ({hive}: ForgeColony, name = 'one') =>
	hive('proposal', 'approve', '--trace', name, '--task', '_review', '--pull-request');

const pushes = /POST .*git-receive-pack$/;
const opens = /POST .*\/pulls$/;

const sentences = async ({colony}: ForgeColony): Promise<readonly string[]> => {
	const {inbox} = await colony.ask<{inbox: {sentence: string}[]}>(['status']);
	return inbox.map(({sentence}) => sentence);
};

const lefts = async ({colony}: ForgeColony): Promise<number> => {
	const events = await colony.replay('one');
	return events.filter(({payload}) => payload.kind === 'pull_request.left').length;
};

/** Approves each once, and has the agent rework the comment of a person who counts. */
const createReworked = async (...names: readonly string[]): Promise<ForgeColony> => {
	const scene = await createForgeColony();
	const {server, hive, work} = scene;
	await work(...names);
	for (const name of names) await approve(scene, name);
	for (const {number} of server.model.requests) server.comment(number, {author: 'ada', body: 'Shorter.'});
	await hive('forge', 'watch', '--once');
	for (const name of names) await hive('forge', 'send', '--trace', name);
	await hive('run', '--until-idle');
	return scene;
};

describe('a forge that does not take a request', () => {
	test('has an unknown token: the request goes back to the person, with words, once', async () => {
		const scene = await createForgeColony();
		const {server, colony} = scene;
		await scene.work('one');
		const wrong = (...args: readonly string[]) => colony.hive(args, {env: {GITHUB_TOKEN: 'another-token'}});
		const {stdout} = await wrong(
			'proposal',
			'approve',
			'--trace',
			'one',
			'--task',
			'_review',
			'--pull-request',
		);
		expect(stdout).toContain('it was not sent to the forge.');
		expect(await scene.request('one')).toMatchObject({state: 'left', number: null});
		expect(await sentences(scene)).toEqual([expect.stringMatching(/token|login|password|Authentication/i)]);
		await wrong('forge', 'watch', '--once');
		expect(await lefts(scene)).toBe(1);
		expect(server.count(opens)).toBe(0);
		expect((await approve(scene)).stdout).toContain('Pull request #1 is at the forge');
	});

	test('takes pushes but not the token of its API: said once', async () => {
		const scene = await createForgeColony();
		const {server, hive} = scene;
		await scene.work('one');
		server.fail({match: /\/api\//, times: 100, answer: {status: 401, body: {message: 'Bad credentials'}}});
		const {stdout} = await approve(scene);
		expect(stdout).toContain('GitHub does not accept the token (401)');
		expect(await scene.request('one')).toMatchObject({state: 'left'});
		const calls = server.calls.length;
		expect((await hive('forge', 'watch', '--once')).stderr).toBe('');
		expect(server.calls).toHaveLength(calls);
		expect(await lefts(scene)).toBe(1);
	});

	test('has its rate limit used up: the request waits, and is sent once after it', async () => {
		const scene = await createForgeColony();
		const {server, hive, colony} = scene;
		await scene.work('one');
		server.exhaust(Date.now() + 3_600_000);
		const {stdout} = await approve(scene);
		expect(stdout).not.toContain('is at the forge:');
		expect(await scene.request('one')).toMatchObject({state: 'requested'});
		const calls = server.count(/\/api\//);
		const {stderr} = await hive('forge', 'watch', '--once');
		expect(stderr.match(/GitHub accepts no more requests for now/g)).toHaveLength(1);
		expect(server.count(/\/api\//) - calls).toBe(1);
		server.rate.remaining = 5000;
		await hive('forge', 'watch', '--once');
		expect(await scene.request('one')).toMatchObject({state: 'open', number: 1});
		expect([server.count(opens), server.count(pushes), await lefts(scene)]).toEqual([1, 1, 0]);
		await colony.ask(['bus', 'verify']);
	});

	test('fails, and is well later: the request is sent then', async () => {
		const scene = await createForgeColony();
		const {server, hive} = scene;
		await scene.work('one');
		server.fail({match: /\.git\//, times: 1, answer: {status: 503, body: 'away'}});
		const [first, ...reports] = (await approve(scene)).stdout.trim().split('\n');
		expect(first).toContain('is not at the forge yet; a reactor or "hive forge watch" sends it.');
		expect(reports.join('\n')).toContain('The remote origin did not answer');
		expect(await scene.request('one')).toMatchObject({state: 'requested'});
		server.fail({match: /\/api\//, times: 2, answer: {status: 502, body: 'away'}});
		const {stderr, exitCode} = await hive('forge', 'watch', '--once');
		expect([stderr, exitCode]).toEqual([expect.stringContaining('GitHub fails (502)'), 0]);
		expect((await hive('forge', 'watch', '--once')).stderr).toBe('');
		expect(await scene.request('one')).toMatchObject({state: 'open', number: 1});
		expect([server.count(opens), server.count(pushes)]).toEqual([1, 1]);
	});

	test('does not take the reviewers: the person reads that with the approval', async () => {
		const scene = await createForgeColony({reviewers: ['ben']});
		const {server} = scene;
		await scene.work('one');
		server.fail({match: /requested_reviewers$/, answer: {status: 422, body: {message: 'ben may not'}}});
		const {stdout} = await approve(scene);
		expect(stdout).toContain('Pull request #1 is at the forge');
		expect(stdout).toContain('The reviewers of request 1 are not set.');
	});

	test('cuts the connection after it opened the request: there is no second one', async () => {
		const scene = await createForgeColony();
		const {server, hive} = scene;
		await scene.work('one');
		server.fail({match: opens, cut: 'after'});
		await approve(scene);
		expect(server.model.requests).toHaveLength(1);
		await hive('forge', 'watch', '--once');
		expect(await scene.request('one')).toMatchObject({state: 'open', number: 1});
		expect(server.count(opens)).toBe(1);
	});
});

describe('a request that changes at the forge while it has a rework', () => {
	test('was merged: the merge is recorded, nothing is pushed, and the rework is not lost', async () => {
		const scene = await createReworked('one');
		const {server, hive, colony} = scene;
		const mergedAs = await server.merge(1, 'merge', {deletesBranch: true});
		await approve(scene);
		await hive('forge', 'watch', '--once');
		expect(await scene.request('one')).toMatchObject({state: 'merged'});
		expect(server.count(pushes)).toBe(1);
		expect(server.model.requests).toHaveLength(1);
		expect(await colony.git(['rev-parse', 'main'])).toBe(mergedAs);
		await hive('run', '--until-idle');
		expect(await sentences(scene)).toEqual(['Its work waits to be reviewed and merged.']);
		expect(await colony.exists('.hive/worktrees/one')).toBe(true);
	});

	test('was merged as the rework was pushed: the rework is not lost', async () => {
		const scene = await createReworked('one');
		const {server, hive, bare} = scene;
		let merged: Promise<string> | undefined;
		server.fail({
			match: /GET .*\/pulls\/1$/,
			change: () => {
				merged = server.merge(1, 'merge', {deletesBranch: true});
			},
		});
		await approve(scene);
		await merged;
		await hive('forge', 'watch', '--once');
		expect(server.model.requests.map(({state}) => state)).toEqual(['merged', 'open']);
		expect(await scene.request('one')).toMatchObject({state: 'open', number: 2});
		expect(await bare.git(['rev-parse', 'hive/one'])).toBe(server.model.requests[1]?.head);
	});

	test('has no branch, was closed with it, or has commits of other people: nothing is lost or overwritten', async () => {
		const scene = await createReworked('gone', 'closed', 'moved');
		const {server, hive, bare, colony} = scene;
		for (const name of ['gone', 'closed']) await bare.git(['update-ref', '-d', `refs/heads/hive/${name}`]);
		await server.close(2);
		const tree = await bare.git(['rev-parse', 'hive/moved^{tree}']);
		const other = await colony.git(['commit-tree', '-p', 'hive/moved', '-m', 'theirs', tree]);
		await colony.git(['push', '--quiet', bare.root, `${other}:refs/heads/hive/moved`, '--force']);
		await hive('forge', 'watch', '--once');
		expect(new Set(await sentences(scene))).toEqual(
			new Set([
				'Pull request #1 lacks the newest work, which approving sends.',
				'Pull request #2 was closed at the forge without a merge.',
				'Pull request #3 has commits there that are not in the worktree.',
			]),
		);
		expect((await approve(scene, 'gone')).stdout).toContain('Pull request #1 is at the forge');
		expect(await bare.git(['rev-parse', 'hive/gone'])).toBe(await colony.git(['rev-parse', 'hive/gone']));
		expect((await approve(scene, 'closed')).stdout).toContain('Pull request #4 is at the forge');
		const pushed = server.count(pushes);
		const {stdout} = await approve(scene, 'moved');
		expect(stdout).toContain('The branch hive/moved at origin has commits that hive did not push');
		expect(await bare.git(['rev-parse', 'hive/moved'])).toBe(other);
		expect([server.count(opens), server.count(pushes)]).toEqual([4, pushed]);
		expect(await scene.request('moved')).toMatchObject({state: 'left'});
	});
});
