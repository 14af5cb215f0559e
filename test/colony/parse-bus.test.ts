import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseMachineYaml} from '../../source/colony/parse/machine.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

const file = '/home/shop/config.yaml';
const parse = (bus: string) => parseMachineYaml(file, readYaml(`colony_root: /r\nslug: s\n${bus}\n`));

describe('bus in config.yaml', () => {
	test.each([
		['bus: {url: nats://b, user: me, password: word}', {user: 'me', password: 'word'}],
		['nats: {url: nats://b, token: token}', {token: 'token'}],
		['bus: {url: nats://b, nkey_file: /seed}', {nkeyFile: '/seed'}],
		['bus: {url: nats://b, credentials_file: a.creds}', {credentialsFile: '/home/shop/a.creds'}],
		['bus: {url: nats://b, credentials_file: ~/a.creds}', {credentialsFile: join(homedir(), 'a.creds')}],
		[
			'bus: {url: nats://b, tls: {ca_file: ca, cert_file: /cert, key_file: ../key}}',
			{tls: {ca: '/home/shop/ca', cert: '/cert', key: '/home/key'}},
		],
	])('with %s is read, and its paths are absolute', (text, expected) => {
		expect(parse(text)).toMatchObject({value: {bus: {url: 'nats://b', ...expected}}, problems: []});
	});

	test('wins over nats if both are there', () => {
		expect(parse('nats: {url: nats://n, token: token}\nbus: {url: nats://b}').value?.bus).toEqual({
			url: 'nats://b',
		});
	});

	test.each([
		[
			'bus:\n  url: nats://b\n  user: me\n  password: word\n  token: hunter2',
			3,
			'more than one way to log in',
		],
		['bus:\n  url: nats://me:hunter2@b\n  token: token', 3, 'more than one way to log in'],
		[
			'bus:\n  url: nats://b\n  nkey_file: /seed\n  credentials_file: /creds',
			3,
			'more than one way to log in',
		],
		['bus:\n  url: nats://b\n  password: hunter2', 3, 'a password without a user'],
		['bus:\n  url: nats://b\n  tls:\n    cert_file: /cert', 3, 'cert_file and key_file'],
		['bus:\n  token: hunter2', 3, '"url" is missing'],
		['bus:\n  token: token\n  url: ws://me:hunter2@b', 5, 'another scheme'],
		['bus:\n  url: nats://b\n  password: 1234', 5, 'expected text'],
		['bus:\n  url: nats://b\n  nkey_file: ""', 5, 'expected a path'],
		['bus:\n  url: nats://b\n  tokn: hunter2', 5, 'unknown key "tokn"'],
		['nats:\n  url: nats://b\n  passwort: hunter2', 5, 'unknown key "passwort"'],
	])('with %s is a problem with a line, which contains no secret', (text, line, message) => {
		const {value, problems} = parse(text);
		expect(value).toBeUndefined();
		expect(problems).toMatchObject([{path: `${file}:${line}`, message: expect.stringContaining(message)}]);
		expect(JSON.stringify(problems)).not.toContain('hunter2');
	});

	test('may be empty, and so may its fields', () => {
		expect(parse('bus: {url: "", user: "", password: "", token: ""}')).toMatchObject({
			...{value: {bus: {}}, problems: []},
		});
	});
});
