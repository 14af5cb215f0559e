import {expect, test} from 'vitest';
import {createSecrets, secretsOf} from '../../source/agents/secrets.ts';

test('secrets are what sounds like one, what the adapters name, and passwords in addresses of hive', () => {
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
	expect(secretsOf(environment, {beta: {apiKeyEnv: 'MY_OWN'}}).sort()).toEqual(
		['alpha', 'console', 'named by the adapter', 'p%40ss', 'p@ss', 'some'].sort(),
	);
});

test('a secret of settings that have changed since stays one', () => {
	let settings: Parameters<typeof secretsOf>[1] = {beta: {apiKeyEnv: 'FIRST'}};
	const {redact, values} = createSecrets({FIRST: 'first-value', SECOND: 'second-value'}, () => settings);
	expect(redact('first-value second-value')).toBe('[redacted] second-value');
	settings = {beta: {apiKeyEnv: 'SECOND'}};
	expect(redact('first-value second-value')).toBe('[redacted] [redacted]');
	expect(values()).toEqual(['first-value', 'second-value']);
});
