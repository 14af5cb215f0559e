import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {nkeys} from '@nats-io/transport-node';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {collect, never} from '../contract/collect.ts';
import {event, insist, isUnreachable, openBus, startServer} from './nats-bus-rig.ts';

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-access-'));
	await makeCertificates();
});
afterAll(() => rm(folder, {recursive: true, force: true}));

const file = (name: string) => join(folder, name);
const save = async (name: string, text: string) => {
	await writeFile(file(name), text);
	return file(name);
};

/** Creates `ca`, `server` and `client` certificates with keys; `ca` signs the other two. */
const makeCertificates = async () => {
	const openssl = (...input: string[]) => promisify(execFile)('openssl', input, {cwd: folder});
	const request = (name: string, ...more: string[]) =>
		openssl(
			'req',
			'-newkey',
			'ec',
			'-pkeyopt',
			'ec_paramgen_curve:P-256',
			'-nodes',
			'-subj',
			`/CN=${name}`,
			'-keyout',
			`${name}.key`,
			...more,
		);
	await request('ca', '-x509', '-days', '2', '-out', 'ca.pem');
	await save('names', 'subjectAltName=IP:127.0.0.1');
	for (const name of ['server', 'client']) {
		await request(name, '-out', `${name}.csr`);
		await openssl(
			'x509',
			'-req',
			'-days',
			'2',
			'-in',
			`${name}.csr`,
			'-CA',
			'ca.pem',
			'-CAkey',
			'ca.key',
			'-CAcreateserial',
			'-extfile',
			'names',
			'-out',
			`${name}.pem`,
		);
	}
};

type Key = ReturnType<typeof nkeys.createUser>;
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns claims of one key about another, signed as server operators do. */
const signed = (by: Key, about: Key, nats: object) => {
	const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const claims = {
		jti: 'any',
		iat: 1_700_000_000,
		iss: by.getPublicKey(),
		name: 'any',
		sub: about.getPublicKey(),
	};
	const text = `${encode({typ: 'JWT', alg: 'ed25519-nkey'})}.${encode({...claims, nats: {...nats, version: 2}})}`;
	return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
};

/** Configures a server with an operator, and writes the credentials file of a user. */
const makeOperator = async () => {
	const [operator, system, account, user] = [
		nkeys.createOperator(),
		nkeys.createAccount(),
		nkeys.createAccount(),
		nkeys.createUser(),
	];
	const limits = {
		subs: -1,
		data: -1,
		payload: -1,
		imports: -1,
		exports: -1,
		wildcards: true,
		conn: -1,
		leaf: -1,
	};
	const stores = {mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1};
	const accounts = [
		[system, limits],
		[account, {...limits, ...stores}],
	] as const;
	const preload = accounts.map(
		([key, most]) => `${key.getPublicKey()}: ${signed(operator, key, {type: 'account', limits: most})}`,
	);
	const section = (name: string, text: string) =>
		`-----BEGIN ${name}-----\n${text}\n------END ${name}------\n\n`;
	const token = signed(account, user, {type: 'user', subs: -1, data: -1, payload: -1});
	await save(
		'user.creds',
		section('NATS USER JWT', token) + section('USER NKEY SEED', textOf(user.getSeed())),
	);
	const own = signed(operator, operator, {type: 'operator', system_account: system.getPublicKey()});
	return `operator: ${own}\nsystem_account: ${system.getPublicKey()}\nresolver: MEMORY\nresolver_preload: {\n${preload.join('\n')}\n}`;
};

const tls = (more = '') =>
	`tls {cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ca.pem')}", ${more}}`;
const password = 'P4ss"wörd';
const byPassword = (secret: string) => `authorization {user: "bee", password: ${JSON.stringify(secret)}}`;

test.each([
	{by: 'a password', server: async () => byPassword(password), access: () => ({user: 'bee', password})},
	{by: 'a token', server: async () => `authorization {token: "t0ken"}`, access: () => ({token: 't0ken'})},
	{
		by: 'an nkey',
		server: async () => {
			const user = nkeys.createUser();
			await save('user.nk', `${textOf(user.getSeed())}\n`);
			return `authorization {users: [{nkey: ${user.getPublicKey()}}]}`;
		},
		access: () => ({nkeyFile: file('user.nk')}),
	},
	{
		by: 'credentials of an operator',
		server: makeOperator,
		access: () => ({credentialsFile: file('user.creds')}),
	},
	{
		by: 'the certificate of the server',
		server: async () => tls(),
		access: () => ({tls: {ca: file('ca.pem')}}),
	},
	{
		by: 'certificates of both',
		server: async () => tls('verify: true'),
		access: () => ({tls: {ca: file('ca.pem'), cert: file('client.pem'), key: file('client.key')}}),
	},
])('a colony works on a server that knows hive by $by, also after a restart', async ({server, access}) => {
	const started = await startServer(await server());
	const bus = await openBus(started.port, access());
	const following = collect(bus.follow({after: 0, signal: never}), 2);
	await bus.append(event(1), {id: '1'});
	await started.stop();
	await started.start();
	await insist(() => bus.append(event(2), {id: '2'}));
	expect((await following).map(({id}) => id)).toEqual(['1', '2']);
});

test.each([
	{
		what: 'a wrong password',
		access: {user: 'bee', password: 's3cret'},
		login: 'the login of "bee"',
		keys: 'bus.user and bus.password',
	},
	{what: 'a wrong token', access: {token: 's3cret'}, login: 'the token', keys: 'bus.token'},
	{what: 'nothing', access: {}, login: 'a connection without a login', keys: 'bus.user and bus.password'},
])(
	'a server that has another password refuses $what; the refusal names the keys, and reveals nothing',
	async ({access, login, keys}) => {
		const {port} = await startServer(byPassword(password));
		const error = await openBus(port, access).catch(refusal => refusal);
		expect(error).toSatisfy(isUnreachable);
		expect(error.message).toBe(`The bus at 127.0.0.1:${port} refused ${login}: authorization violation.`);
		expect(error.refusal.hint).toContain(`Correct ${keys}`);
		expect(JSON.stringify([error.refusal, String(error.cause)])).not.toContain('s3cret');
	},
);

test('a bus takes a changed login without a gap, and keeps its connection if the server refuses one', async () => {
	const server = await startServer(byPassword(password));
	const bus = await openBus(server.port, {user: 'bee', password});
	const access = {servers: [`nats://127.0.0.1:${server.port}`], shown: 'the bus'};
	await expect(bus.changeLogin?.({...access, user: 'bee', password: 'wrong'})).rejects.toSatisfy(
		isUnreachable,
	);
	await bus.append(event(1), {id: '1'});
	await bus.changeLogin?.({...access, user: 'bee', password});
	await insist(() => bus.append(event(2), {id: '2'}));
	expect(await bus.last()).toBe(2);
});

test('a server restarted with another password is an outage until it has the old one again', async () => {
	const server = await startServer(byPassword(password));
	const bus = await openBus(server.port, {user: 'bee', password});
	const following = collect(bus.follow({after: 0, signal: never}), 2);
	await bus.append(event(1), {id: '1'});
	await server.stop();
	await server.start(byPassword('another'));
	await openBus(server.port, {user: 'bee', password: 'another'});
	await expect(bus.append(event(2), {id: '2'})).rejects.toSatisfy(isUnreachable);
	await server.stop();
	await server.start(byPassword(password));
	await insist(() => bus.append(event(2), {id: '2'}));
	expect((await following).map(({id}) => id)).toEqual(['1', '2']);
});

test('a server with a certificate for another name is not trusted', async () => {
	const {port} = await startServer(tls());
	const access = {servers: [`nats://localhost:${port}`], tls: {ca: file('ca.pem')}};
	await expect(openBus(port, access)).rejects.toThrow(/certificate/);
});

test.each([
	{what: 'cannot be read', access: () => ({credentialsFile: file('None.creds')}), named: 'None.creds'},
	{what: 'cannot be read', access: () => ({nkeyFile: file('None.nk')}), named: 'None.nk'},
	{what: 'cannot be read', access: () => ({tls: {ca: file('None.pem')}}), named: 'None.pem'},
	{what: 'holds no credentials', access: () => ({credentialsFile: file('names')}), named: 'names'},
	{what: 'holds no nkey seed', access: () => ({nkeyFile: file('names')}), named: 'names'},
])('a credential file that $what is named: $named', async ({what, access, named}) => {
	const error = await openBus(1, access()).catch(refusal => refusal);
	expect(error).toSatisfy(isUnreachable);
	expect(error.message).toContain(file(named));
	expect(error.message).toContain(what);
});
