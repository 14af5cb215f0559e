import {describe, expect, test} from 'vitest';
import {forgeOfRemote, issueNumberAt, leadsTo} from '../../source/colony/forge.ts';
import {colonyFrom} from './sample-colony.ts';

describe('the forge of a remote', () => {
	test.each([
		['https://github.com/ada/hive.git', 'github', 'ada/hive'],
		['https://ada:secret@github.com/ada/hive', 'github', 'ada/hive'],
		['git@github.com:ada/hive.git\n', 'github', 'ada/hive'],
		['ssh://git@GitHub.com:22/ada/hive.git/', 'github', 'ada/hive'],
		['git@gitlab.com:bees/queen/hive.git', 'gitlab', 'bees/queen/hive'],
	])('%s is known', (address, provider, repository) => {
		expect(forgeOfRemote(address)).toEqual({provider, repository});
	});

	test.each([
		...['', '/srv/hive.git', '../hive', 'file:///srv/ada/hive', 'http://github.com/ada/hive'],
		...['https://github.com.there/ada/hive', 'https://there/github.com/ada/hive', 'git@there:ada/hive'],
		...['https://github.com/ada', 'https://github.com/ada/hive/tree', 'https://github.com/../hive'],
		...[
			'https://github.com/ada/hi%20ve',
			'https://gitlab.com/a\nb/c',
			'https://there@x/@github.com/ada/hive',
		],
	])('%j is not', address => {
		expect(forgeOfRemote(address)).toBeUndefined();
	});

	test.each([
		['https://github.com/Ada/hive.git', true],
		['git@work:ada/hive.git', true],
		['https://git.there/ada/hive.git', false],
		['https://github.com/ada/hives', false],
		['https://github.com/mada/hive', false],
		['/srv/ada/hive', false],
	])('leads to its repository: %s %s', (address, expected) => {
		const forge = {provider: 'github' as const, api: 'https://api.github.com', repository: 'ada/hive'};
		expect(leadsTo(address, forge)).toBe(expected);
	});

	test('leads there below the path of an own GitLab', () => {
		const forge = {provider: 'gitlab' as const, api: 'https://there:8443/git/api/v4', repository: 'ada/hive'};
		expect(leadsTo('https://there:8443/git/ada/hive.git', forge)).toBe(true);
	});
});

describe('forge in colony.yaml', () => {
	const parse = (forge: object | string) =>
		colonyFrom({'colony.yaml': `slug: shop\nid: shop-1\nforge: ${JSON.stringify(forge)}\n`});
	const least = {provider: 'github', repository: 'ada/hive'};

	test('takes issues with a label, by the cue for features unless another one is named', async () => {
		const watched = async (watch: object) => (await parse({...least, watch})).forge?.watch;
		expect(await watched({label: 'hive'})).toEqual({label: 'hive', cue: 'feature'});
		expect(await watched({label: 'a b', cue: 'fix'})).toEqual({label: 'a b', cue: 'fix'});
		await expect(parse({...least, watch: {cue: 'fix'}})).rejects.toThrow('"label" is missing');
	});

	const forge = {provider: 'github', api: 'https://api.github.com', repository: 'ada/hive'} as const;

	test.each([
		...[
			'12',
			' #12 ',
			'https://github.com/Ada/hive/issues/12',
			'https://github.com/ada/hive/issues/12#note-3',
		],
		'https://github.com/ada/hive/-/work_items/12/',
	])('names its issue 12: %j', text => {
		expect(issueNumberAt(forge, text)).toBe(12);
	});

	test.each([
		...['https://github.com/eve/hive/issues/12', 'https://github.com.there/ada/hive/issues/12'],
		...['https://there/github.com/ada/hive/issues/12', 'https://github.com/ada/hive/pull/12'],
		...['0', '#', '12a', '-1', '1e3', '9'.repeat(20), 'Fix #12'],
	])('names no issue of it: %j', text => {
		expect(issueNumberAt(forge, text)).toBeUndefined();
	});

	test('has defaults', async () => {
		expect((await parse(least)).forge).toEqual({
			...{...least, api: 'https://api.github.com', remote: 'origin', onApprove: 'merge', open: 'on_approve'},
			...{autoRework: 'none', draft: false, reviewers: [], labels: [], trusted: []},
		});
		const gitlab = await parse({provider: 'gitlab', repository: 'bees/queen/hive'});
		expect(gitlab.forge?.api).toBe('https://gitlab.com/api/v4');
	});

	test('takes an address without a slash at its end, and on loopback without https', async () => {
		for (const api of ['https://git.there/api/v3/', 'http://127.0.0.1:80/api', 'http://localhost/api'])
			expect((await parse({...least, api})).forge?.api).toBe(api.replace(/\/$/, ''));
	});

	test('names the variable of the secret of a webhook', async () => {
		for (const name of ['HIVE_WEBHOOK_SECRET', 'SECRET', 'MY_2_SECRET'])
			expect((await parse({...least, webhook_secret_env: name})).forge?.webhookSecretEnv).toBe(name);
	});

	test.each([
		...['PATH', 'GITHUB_TOKEN', 'hive_secret', 'MYSECRET', '_SECRET', 'A=SECRET', 'X_SECRET ', ''].map(
			name => ({...least, webhook_secret_env: name}),
		),
		...[{}, 'github', {provider: 'github'}, {...least, provider: 'gitea'}],
		...['bees/queen/hive', 'hive', '../hive', 'ada/..', 'ada/hi ve', ''].map(repository => ({
			...least,
			repository,
		})),
		...[
			'http://git.there',
			'https://a:b@git.there',
			'https://git.there/?x',
			'ftp://git.there',
			'git.there',
		].map(api => ({...least, api})),
		...['-o', '--upload-pack=x', 'a b', ''].map(remote => ({...least, remote})),
		...[{reviewers: ['a b']}, {labels: ['']}, {trusted: 'ada'}, {draft: 'yes'}, {token: 'x'}].map(more => ({
			...{...least, ...more},
		})),
		...[{open: 'always'}, {on_approve: 'push'}, {auto_rework: 'all'}].map(more => ({...least, ...more})),
	])('is refused with its line: %j', async forge => {
		await expect(parse(forge)).rejects.toThrow('.hive/colony.yaml:3: ');
	});
});
