import {expect, test} from 'vitest';
import {createSecrets, secretsOf} from '../../source/agents/secrets.ts';

test('secrets are variables with secret-like names, the keys of adapters, and passwords in addresses of hive', () => {
	const environment = {
		ALPHA_API_KEY: 'alpha',
		MY_OWN: 'named by the adapter',
		HIVE_CONSOLE_TOKEN: 'console',
		HIVE_SOME_KEY: 'some',
		HIVE_BUS_URL: 'nats://user:p%40ss@host:4222',
		HIVE_THEME: 'dark',
		HOME: '/home/me',
		EMPTY_TOKEN: '',
	};
	expect(secretsOf(environment, {adapters: {beta: {apiKeyEnv: 'MY_OWN'}}}).sort()).toEqual(
		['alpha', 'console', 'named by the adapter', 'p%40ss', 'p@ss', 'some'].sort(),
	);
});

test('a secret of former settings stays a secret', () => {
	let settings: Parameters<typeof secretsOf>[1] = {adapters: {beta: {apiKeyEnv: 'FIRST'}}};
	const {redact, values} = createSecrets({FIRST: 'first-value', SECOND: 'second-value'}, () => settings);
	expect(redact('first-value second-value')).toBe('[redacted] second-value');
	settings = {adapters: {beta: {apiKeyEnv: 'SECOND'}}};
	expect(redact('first-value second-value')).toBe('[redacted] [redacted]');
	expect(values()).toEqual(['first-value', 'second-value']);
});

test.each([
	['nats://user:pass%2Fword@host', ['pass%2Fword', 'pass/word']],
	['nats://user:a@b@host', ['a@b']],
	['to%20ken@host', ['to%20ken', 'to ken']],
	['tls://token@one, tls://token@two', ['token']],
	['nats://user:pa/ss,word@host:port', ['pa/ss,word']],
	['host:4222', []],
])('in the bus address %s the possible password or token is secret', (address, secrets) => {
	const found = [secretsOf({HIVE_BUS_URL: address}, {}), secretsOf({}, {bus: {url: address}})];
	for (const values of found) {
		expect(values).toEqual(expect.arrayContaining(secrets));
		if (secrets.length === 0) expect(values).toEqual([]);
	}
});

test('the password and the token of a bus in config.yaml are secret, and its user is not', () => {
	expect(secretsOf({}, {bus: {url: 'nats://host', user: 'someone', password: 'password'}})).toEqual([
		'password',
	]);
	expect(secretsOf({}, {bus: {url: 'nats://host', token: 'token'}})).toEqual(['token']);
});

test('a path with an "@" in a setting of hive is not an address', () => {
	expect(secretsOf({HIVE_RUN_DIR: '/home/me@work/run'}, {})).toEqual([]);
});

test('the secrets in chat.yaml, and the variables that it names, are secret', () => {
	const chat = {values: ['1:bot-token'], variables: ['MY_BOT']};
	expect(secretsOf({MY_BOT: '2:other'}, {chat}).sort()).toEqual(['1:bot-token', '2:other']);
});
