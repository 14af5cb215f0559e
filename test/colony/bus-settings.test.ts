import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {busSettings, secretsOfBus} from '../../source/colony/bus-settings.ts';
import type {BusFile} from '../../source/colony/parse/bus.ts';
import {expectAccepted} from '../../source/domain/errors.ts';

const settings = (address: string | undefined, bus?: BusFile) =>
	expectAccepted(busSettings({HIVE_BUS_URL: address}, bus && {bus}));

test('a login beside last_url is used for its server only, and names no bus', () => {
	const bus = {lastUrl: 'nats://host:1', token: 'word'};
	expect(settings('nats://host:1', bus)).toMatchObject({token: 'word'});
	expect(settings('nats://host:2', bus)).toEqual({servers: ['nats://host:2'], shown: 'host:2'});
	expect(settings(undefined, bus)).toBeUndefined();
});

describe('a bus address', () => {
	test.each([
		['nats://host:4223', ['nats://host:4223'], 'host:4223'],
		['host', ['nats://host:4222'], 'host:4222'],
		['HOST.example:4222/', ['nats://host.example:4222'], 'host.example:4222'],
		['TLS://host', ['tls://host:4222'], 'host:4222'],
		['nats://[::1]:4223', ['nats://[::1]:4223'], '[::1]:4223'],
		[
			'10.0.0.1, b:1,a',
			['nats://10.0.0.1:4222', 'nats://b:1', 'nats://a:4222'],
			'10.0.0.1:4222, b:1, a:4222',
		],
		['nats://a,a:4222', ['nats://a:4222'], 'a:4222'],
	])('%s has these servers and no login', (address, servers, shown) => {
		expect(settings(address)).toEqual({servers, shown});
	});

	test('needs TLS for all of its servers if it does for one', () => {
		expect(settings('a,tls://b')?.servers).toEqual(['tls://a:4222', 'tls://b:4222']);
	});

	test.each([
		['nats://me:word@host', {user: 'me', password: 'word'}],
		['nats://me%40home:w%2Fo:rd@host', {user: 'me@home', password: 'w/o:rd'}],
		['nats://me:w@rd@host', {user: 'me', password: 'w@rd'}],
		['nats://me:@host', {user: 'me'}],
		['secret%20token@host', {token: 'secret token'}],
		['nats://t@one,tls://t@two', {token: 't'}],
	])('%s keeps its login out of the servers and the shown text', (address, login) => {
		const {servers = [], shown, ...found} = settings(address) ?? {};
		expect(found).toEqual(login);
		expect([...servers, shown].join()).not.toContain('@');
	});

	test.each([
		...[
			'ws://host',
			'http://host',
			'nats:host:1',
			'nats://',
			'',
			' ',
			'host:0',
			'host:65536',
			'host:port',
			'a,,b',
		],
		...['::1', '[::g]', '[fe80::1%25eth0]', '-host', 'a..b', 'host/path', 'host?x', 'ho st', 'nats://@host'],
		...[':word@host', '%zz@host', 'me:%ff@host', 'me:wo/rd@host', 'one@a,two@b', 'me:word@a,b', 'tok,en@b'],
	])('"%s" is refused, and the refusal shows the format', address => {
		// An empty address in the environment counts as none, but blanks are refused.
		if (address === '') return expect(settings(address)).toBeUndefined();
		expect(busSettings({HIVE_BUS_URL: address}, undefined)).toMatchObject({
			ok: false,
			refusal: {
				code: 'invalid_config',
				message: expect.stringMatching(/^HIVE_BUS_URL: .*\.$/),
				hint: expect.stringContaining('nats://host:port'),
			},
		});
	});

	test('that is invalid in config.yaml is refused by its key', () => {
		expect(busSettings({}, {bus: {url: 'ws://host'}})).toMatchObject({
			refusal: {message: 'bus.url of config.yaml: server 1 has another scheme than nats:// and tls://.'},
		});
	});

	test('never shows a password or a token, whether it is accepted or refused', () => {
		const secret = fc
			.tuple(fc.string(), fc.constantFrom('', ...'@:/,?#%[] '.split('')), fc.string())
			.map(parts => `hunter${parts.join('two')}`);
		const login = fc.oneof(
			secret.map(written => ({written, secret: undefined})),
			secret.map(text => ({written: encodeURIComponent(text), secret: text})),
		);
		const scheme = fc.constantFrom('', 'nats://', 'tls://', 'ws://');
		const rest = fc.constantFrom('host', 'host:1', 'host:x', '[::1]', '', 'a,b', 'a,nats://b', 'a/b');
		let accepted = 0;
		fc.assert(
			fc.property(
				scheme,
				fc.constantFrom('', 'me:'),
				login,
				rest,
				(before, user, {written, secret}, after) => {
					for (const bus of [undefined, {url: `${before}${user}${written}@${after}`}]) {
						const address = bus === undefined ? `${before}${user}${written}@${after}` : undefined;
						const outcome = busSettings({HIVE_BUS_URL: address}, bus && {bus});
						const said = outcome.ok
							? [outcome.value?.shown, ...(outcome.value?.servers ?? [])].join('\n')
							: JSON.stringify(outcome.refusal);
						expect(said).not.toContain('hunter');
						if (!outcome.ok || outcome.value === undefined || secret === undefined) continue;
						accepted += 1;
						expect(secretsOfBus(outcome.value)).toEqual([secret]);
					}
				},
			),
			{numRuns: 1000},
		);
		expect(accepted).toBeGreaterThan(0);
	});
});

describe('the bus settings beside the url of config.yaml', () => {
	const tls = {ca: '/ca.pem', cert: '/cert.pem', key: '/key.pem'};
	const url = 'tls://a,tls://b';

	test('apply if the environment names no server, or some of these servers', () => {
		for (const login of [
			{user: 'me', password: 'word'},
			{token: 'token'},
			{nkeyFile: '/seed'},
			{credentialsFile: '/a.creds'},
		]) {
			expect(settings('', {url, ...login, tls})).toMatchObject({...login, tls});
			expect(settings('tls://b:4222', {url, ...login, tls})).toEqual({
				...{servers: ['tls://b:4222'], shown: 'b:4222', ...login, tls},
			});
		}
		expect(settings('tls://b', {url: 'tls://me:word@b'})).toMatchObject({user: 'me', password: 'word'});
	});

	test.each([
		['another server', 'tls://c'],
		['another server among its own', 'tls://a,tls://c'],
		['another port', 'tls://a:4223'],
	])('do not apply to %s, except for the trusted certificates', (_, address) => {
		const own = {user: 'me', password: 'word', token: 'token', nkeyFile: '/seed', credentialsFile: '/creds'};
		const found = settings(address, {url, ...own, tls});
		expect(found).toEqual({servers: found?.servers, shown: found?.shown, tls: {ca: '/ca.pem'}});
		expect(settings(address, {url: 'tls://me:word@a', tls})).toEqual(found);
	});

	test('do not apply to their own server without TLS', () => {
		expect(settings('nats://a', {url, token: 'token', tls})).toEqual({
			...{servers: ['nats://a:4222'], shown: 'a:4222'},
		});
	});

	test('do not apply to a server in the environment if config.yaml has no url', () => {
		expect(settings('tls://a', {token: 'token', tls: {ca: '/ca.pem'}})).toEqual({
			...{servers: ['tls://a:4222'], shown: 'a:4222', tls: {ca: '/ca.pem'}},
		});
	});

	test("yield to the login in the environment's address", () => {
		expect(settings('tls://you:other@a', {url, user: 'me', password: 'word', tls})).toEqual({
			...{servers: ['tls://a:4222'], shown: 'a:4222', user: 'you', password: 'other', tls},
		});
		expect(settings('tls://token@a', {url, nkeyFile: '/seed'})).not.toHaveProperty('nkeyFile');
	});
});

test('a colony without an address has no bus', () => {
	for (const machine of [undefined, {}, {bus: {}}, {bus: {url: ''}}, {bus: {tls: {ca: '/ca.pem'}}}])
		expect(busSettings({HIVE_BUS_URL: ''}, machine)).toEqual({ok: true, value: undefined});
});

test('the secrets of a bus are its password and its token', () => {
	expect(secretsOfBus({password: 'word'})).toEqual(['word']);
	expect(secretsOfBus({token: 'token'})).toEqual(['token']);
	expect(secretsOfBus({})).toEqual([]);
});
