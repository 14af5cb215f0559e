import {expect, test} from 'vitest';
import {createForgeColony, type ForgeColony} from '../helpers/forge-colony.ts';

type Finding = {
	readonly rule: string;
	readonly level: string;
	readonly message: string;
	readonly fix: string;
};

/** What doctor says about the forge, as `level rule: message`. */
const examine = async (
	{colony}: ForgeColony,
	env: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
	const {stdout} = await colony.hive(['doctor', '--json'], {env: {GH_CONFIG_DIR: '/nonexistent', ...env}});
	const {findings} = JSON.parse(stdout) as {findings: readonly Finding[]};
	const found = findings.filter(({rule}) => rule.startsWith('forge-'));
	for (const {fix} of found) expect(fix).not.toBe('');
	return found.map(({rule, level, message}) => `${level} ${rule}: ${message}`);
};

test.each(['github', 'gitlab'] as const)('doctor examines a token at %s', async provider => {
	const scene = await createForgeColony({}, {provider});
	const {server, colony, env} = scene;
	const name = provider === 'github' ? 'GitHub' : 'GitLab';
	expect(await examine(scene, env)).toEqual([]);
	expect(server.calls.filter(({method}) => method !== 'GET')).toEqual([]);

	const calls = server.calls.length;
	expect(await examine(scene, {})).toEqual(['error forge-token: hive has no token for the forge']);
	expect(server.calls).toHaveLength(calls);
	const wrong = Object.fromEntries(Object.keys(env).map(variable => [variable, 'another-token']));
	expect(await examine(scene, wrong)).toEqual([
		expect.stringContaining(`error forge-token: ${name} does not accept the token (401)`),
	]);

	server.allow(server.login, 'read');
	expect(await examine(scene, env)).toEqual([
		`error forge-rights: ${server.login}, whom the token belongs to, may not push to ada/hive`,
	]);
	server.allow(server.login, 'write');

	const resetAt = Date.now() + 3_600_000;
	Object.assign(server.rate, {remaining: 100, resetAt});
	expect(await examine(scene, env)).toEqual([
		expect.stringMatching(/^warning forge-limit: \d+ of 5000 requests are left until 20/),
	]);
	server.exhaust(resetAt);
	expect(await examine(scene, env)).toEqual([
		expect.stringContaining(`warning forge-limit: ${name} accepts no more requests for now`),
	]);
	server.rate.remaining = 5000;

	await colony.git(['remote', 'set-url', 'origin', `${server.url}/ada/another.git`]);
	expect(await examine(scene, env)).toEqual([
		'error forge-remote: the remote origin does not lead to ada/hive, where hive opens pull requests',
	]);
	await colony.git(['remote', 'remove', 'origin']);
	expect(await examine(scene, env)).toEqual([
		'error forge-remote: the remote origin of "forge" does not exist',
	]);
});

test('doctor says that the secret of the webhook is not in its variable', async () => {
	const scene = await createForgeColony({webhook_secret_env: 'HIVE_WEBHOOK_SECRET'});
	const {env} = scene;
	expect(await examine(scene, env)).toEqual([
		'advisory forge-webhook: HIVE_WEBHOOK_SECRET is not set, so a console here takes no deliveries of the webhook',
	]);
	expect(await examine(scene, {...env, HIVE_WEBHOOK_SECRET: 'x'})).toEqual([]);
});

test('doctor sends no token to a forge that the person has not accepted', async () => {
	const scene = await createForgeColony();
	const {server, colony, env} = scene;
	await colony.write(
		'.hive/colony.yaml',
		(await colony.read('.hive/colony.yaml')).replace('"ada/hive"', '"ada/other"'),
	);
	const calls = server.calls.length;
	expect(await examine(scene, env)).toEqual([
		`error forge-accepted: you have not accepted yet that hive sends your token to ${server.place('github').api}`,
		'error forge-remote: the remote origin does not lead to ada/other, where hive opens pull requests',
	]);
	expect(server.calls).toHaveLength(calls);
});

test('doctor says what a repository is named now, what a token lacks, and that the forge does not answer', async () => {
	const scene = await createForgeColony();
	const {server, env} = scene;
	server.fail({
		match: /GET .*\/user$/,
		answer: {status: 200, body: {login: 'ada'}, headers: {'x-oauth-scopes': 'gist, read:org'}},
	});
	server.fail({
		match: /GET .*\/repos\/ada\/hive$/,
		answer: {
			status: 200,
			body: {full_name: 'ada/hive', default_branch: 'main', permissions: {push: true}},
			headers: {'x-oauth-scopes': 'gist, read:org'},
		},
	});
	expect(await examine(scene, env)).toEqual([
		'error forge-rights: the token has the scopes gist, read:org, and lacks repo',
	]);
	server.rename('ada/bees');
	expect(await examine(scene, env)).toEqual([
		'warning forge-renamed: the repository ada/hive is named ada/bees now',
	]);
	server.stop();
	expect(await examine(scene, env)).toEqual([
		expect.stringContaining('warning forge-reached: GitHub cannot be reached'),
	]);
});
