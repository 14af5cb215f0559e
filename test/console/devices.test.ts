import {readdir, readFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {createApp} from '../../source/console/app.ts';
import type {Caller} from '../../source/console/caller.ts';
import {proofHeader} from '../../source/console/guard.ts';
import {openKeyFile} from '../../source/console/key-file.ts';
import {listen} from '../../source/console/listen.ts';
import {readProxies} from '../../source/console/proxy.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {home, openRig, type Sent} from './rig.ts';

type Colony = {readonly caller: Caller};
type Rig = Awaited<ReturnType<typeof openRig>>;
type Given = {
	readonly body: object;
	readonly from?: string;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a login from an address. */
const login = async ({app}: Rig, {body, from = '10.0.0.1', headers = {}}: Given): Promise<Response> =>
	app.fetch(
		new Request(`${home}/api/login`, {
			method: 'POST',
			headers: {host: '127.0.0.1:8787', origin: home, 'content-type': 'application/json', ...headers},
			body: JSON.stringify(body),
		}),
		{incoming: {socket: {remoteAddress: from}}},
	);

/** Opens a link as a browser; returns its device id and its headers. */
const enter = async (rig: Rig, scope: 'act' | 'read' = 'act', label = 'phone', agent = 'curl/8.5.0') => {
	const code = await rig.keyFile.makeCode({scope, label});
	const entered = await login(rig, {body: {code}, headers: {'user-agent': agent}});
	const {caller, proof} = (await entered.json()) as {caller: {device: string}; proof: string};
	const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
	const headers = {cookie, [proofHeader]: proof};
	const sends = (path: string, sent: Sent = {}) =>
		rig.send(path, {...sent, headers: {...headers, origin: home, ...sent.headers}});
	const status = async (path: string, sent?: Sent) => (await sends(path, sent)).status;
	return {device: caller.device, headers, sends, status};
};

const isOver = async (stream: Response): Promise<boolean> => {
	for await (const _ of stream.body ?? []);
	return true;
};

it('a correct code or token is accepted after any number of wrong ones from the same address', async () => {
	const rig = await openRig(await createColony());
	const statuses = [];
	for (let attempt = 0; attempt < 25; attempt++)
		statuses.push(
			(await login(rig, {body: attempt % 2 === 0 ? {code: `bad${attempt}`} : {token: 'bad'}})).status,
		);
	expect([statuses.slice(0, 20), statuses.slice(20)]).toEqual([Array(20).fill(401), Array(5).fill(429)]);
	const code = await rig.keyFile.makeCode({scope: 'act', label: 'phone'});
	expect((await login(rig, {body: {code}})).status).toBe(200);
	expect((await login(rig, {body: {token: rig.tokens.read}})).status).toBe(200);
	// A used code is not accepted again.
	expect((await login(rig, {body: {code}})).status).toBe(429);
});

it('a wrong code uses up no other code', async () => {
	const rig = await openRig(await createColony());
	const code = await rig.keyFile.makeCode({scope: 'act', label: 'phone'});
	for (const bad of [code.slice(1), `${code}x`, code.toLowerCase(), `${code}.used`, '', '..'])
		expect([bad, (await login(rig, {body: {code: bad}})).status]).toEqual([bad, 401]);
	expect((await login(rig, {body: {code}})).status).toBe(200);
});

it('a login that began before the secret was renewed gives no access afterwards', async () => {
	const rig = await openRig(await createColony());
	const code = await rig.keyFile.makeCode({scope: 'act', label: 'phone'});
	const redeem = async (given: string) => {
		const caller = await rig.keyFile.redeem(given);
		expectAccepted(await rig.keyFile.renew());
		return caller;
	};
	const app = createApp({...rig.parts, keyFile: {...rig.keyFile, redeem}});
	const entered = await login({...rig, app}, {body: {code}});
	const {proof} = (await entered.json()) as {proof: string};
	const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
	expect((await rig.send('/api/devices', {headers: {cookie, [proofHeader]: proof}})).status).toBe(401);
});

it('failed logins count for the caller that a trusted proxy names, and else for the connection', async () => {
	const isProxy = expectAccepted(readProxies('10.0.0.0/8'));
	const [trusting, plain] = [
		await openRig(await createColony(), {isProxy}),
		await openRig(await createColony()),
	];
	const fail = async (rig: Rig, forwarded: string, from = '10.0.0.1') =>
		(await login(rig, {body: {code: 'bad'}, from, headers: {'x-forwarded-for': forwarded}})).status;
	for (let attempt = 0; attempt < 20; attempt++) {
		await fail(trusting, '1.1.1.1, 8.8.8.8');
		await fail(trusting, `9.9.9.${attempt}`, '192.168.0.1');
		await fail(plain, `9.9.9.${attempt}`);
	}
	expect(await fail(trusting, '2.2.2.2, 8.8.8.8')).toBe(429);
	expect(await fail(trusting, '8.8.4.4')).toBe(401);
	expect(await fail(trusting, '8.8.4.4', '192.168.0.1')).toBe(429);
	expect(await fail(plain, '8.8.4.4')).toBe(429);
});

it('the list of devices contains no secret, and a revoked device loses access and streams at once', async () => {
	const rig = await openRig(await createColony());
	const phone = await enter(rig, 'act', 'phone', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0');
	const wall = await enter(rig, 'read', 'wall', 'x\u009b31mred');
	await login(rig, {body: {token: rig.tokens.read}});
	const listed = await rig.ask('/api/devices', {as: 'read'});
	expect(listed).toMatchObject({count: 3});
	const byName = new Map(listed.items.map((one: {name: string}) => [one.name, one]));
	const times = {loggedInAt: expect.stringMatching(/^\d{4}-.*Z$/), lastUsedAt: expect.stringMatching(/Z$/)};
	expect(byName.get('phone')).toEqual({
		...{device: phone.device, name: 'phone', agent: 'Firefox on Linux', scope: 'act'},
		...times,
	});
	expect(byName.get('wall')).toEqual({
		...{device: wall.device, name: 'wall', agent: 'xred', scope: 'read'},
		...times,
	});
	expect(byName.get('token')).toMatchObject({agent: '', scope: 'read'});
	const text = JSON.stringify(listed);
	for (const secret of [
		...[rig.tokens.act, rig.tokens.read, wall.headers[proofHeader] ?? '', wall.headers.cookie],
		...wall.headers.cookie.split(/[=.]/).slice(2),
	])
		expect(text).not.toContain(secret);
	expect(((await (await phone.sends('/api/colony')).json()) as Colony).caller).toEqual({
		...{scope: 'act', label: 'phone', device: phone.device},
	});

	const [own, others] = [await wall.sends('/api/stream'), await phone.sends('/api/stream')];
	const path = `/api/devices/${wall.device}`;
	expect(await rig.ask(path, {method: 'DELETE', as: 'read'}, 403)).toMatchObject({code: 'read_only'});
	expect(await wall.status(path, {method: 'DELETE'})).toBe(403);
	const done = await phone.sends(path, {method: 'DELETE'});
	expect([done.status, await done.json()]).toEqual([
		200,
		{device: wall.device, name: 'wall', message: 'Revoked wall.'},
	]);
	expect(await isOver(own)).toBe(true);
	expect(await wall.status('/api/traces')).toBe(401);
	expect(await phone.status('/api/traces')).toBe(200);
	await others.body?.cancel();
	expect(await rig.ask(path, {method: 'DELETE'}, 404)).toMatchObject({
		code: 'device_not_found',
		hint: 'List the devices with "hive console devices".',
	});
});

it('a page of another origin can neither revoke a device nor log one out', async () => {
	const rig = await openRig(await createColony());
	const {device, headers, status} = await enter(rig);
	const forged = [
		{...headers, origin: 'https://evil.example'},
		{...headers, origin: 'null'},
		{...headers, origin: home, 'sec-fetch-site': 'same-site'},
		headers,
		{cookie: headers.cookie, origin: home},
		{origin: home},
	];
	for (const sent of forged) {
		const statuses = [
			(await rig.send(`/api/devices/${device}`, {method: 'DELETE', headers: sent})).status,
			(await rig.send('/api/logout', {json: {}, headers: sent})).status,
		];
		expect([sent, statuses.every(one => one === 401 || one === 403)]).toEqual([sent, true]);
	}
	expect(await status('/api/traces')).toBe(200);
	// A link or a form sends another method.
	for (const method of ['GET', 'POST'])
		expect(await status(`/api/devices/${device}`, {method, ...(method === 'POST' ? {json: {}} : {})})).toBe(
			405,
		);
});

it('a read-only device can log itself out, and no other device', async () => {
	const rig = await openRig(await createColony());
	const [phone, wall] = [await enter(rig), await enter(rig, 'read', 'wall')];
	const stream = await wall.sends('/api/stream');
	const left = await wall.sends('/api/logout', {json: {}});
	expect([left.status, left.headers.get('set-cookie')]).toEqual([
		200,
		'hive-test=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
	]);
	expect(await isOver(stream)).toBe(true);
	expect([await wall.status('/api/colony'), await phone.status('/api/colony')]).toEqual([401, 200]);
	expect((await rig.ask('/api/devices')).items).toMatchObject([{device: phone.device}]);
	// A program with a token has no device.
	await rig.ask('/api/logout', {json: {}, as: 'read'});
	expect((await rig.ask('/api/devices')).count).toBe(1);
});

it('a cookie of the same name from another server does not lock out a device', async () => {
	const rig = await openRig(await createColony());
	const [own, others] = [await enter(rig), await enter(rig)];
	for (const planted of [
		'hive-test=junk',
		'hive-test=',
		'hive-test',
		others.headers.cookie,
		'hive-test=a.b.c',
	]) {
		const cookie = [...Array(100).fill(planted), own.headers.cookie, planted].join('; ');
		const asked = await own.sends('/api/colony', {headers: {cookie}});
		expect([planted, asked.status]).toEqual([planted, 200]);
		expect(((await asked.json()) as Colony).caller.device).toBe(own.device);
	}
});

it('renewing the secret ends and removes every device', async () => {
	const rig = await openRig(await createColony());
	const {status} = await enter(rig);
	await rig.keyFile.renew();
	expect(await status('/api/colony')).toBe(401);
	expect(await rig.keyFile.devices.list()).toEqual([]);
	const folder = join(await rig.host.machineFolder(), 'console', 'devices');
	expect(await readdir(folder)).toEqual([]);
});

it('the file of a device contains nothing that logs in', async () => {
	const rig = await openRig(await createColony());
	const {device, headers} = await enter(rig);
	const kept = await readFile(join(await rig.host.machineFolder(), 'console', 'devices', device), 'utf8');
	const [, , signature = ''] = headers.cookie.split(/[=.]/);
	expect(signature.length).toBeGreaterThan(40);
	for (const secret of [signature, headers[proofHeader] ?? '']) expect(kept).not.toContain(secret);
});

it('a request with a slow body has no effect after its device is revoked', async () => {
	const rig = await openRig(await createColony({bees: {builder}}));
	const {device, headers} = await enter(rig);
	const {devices} = rig.keyFile;
	let tell = (): void => {};
	const letIn = new Promise<void>(resolve => {
		tell = resolve;
	});
	const admit = async (id: string) => {
		const caller = await devices.admit(id);
		tell();
		return caller;
	};
	const app = createApp({...rig.parts, keyFile: {...rig.keyFile, devices: {...devices, admit}}});
	const server = expectAccepted(await listen(app.fetch, {host: '127.0.0.1', port: 0}));
	onTestFinished(server.close);
	const host = `127.0.0.1:${server.port}`;
	const body = JSON.stringify({title: 'Too late', body: 'x', bee: 'builder'});
	const socket = connect(server.port, '127.0.0.1');
	onTestFinished(() => void socket.destroy());
	let answer = '';
	const closed = new Promise(resolve => socket.on('close', resolve));
	socket.on('data', chunk => {
		answer += chunk;
	});
	const head = [
		...['POST /api/tasks HTTP/1.1', `Host: ${host}`, `Origin: http://${host}`, 'Connection: close'],
		...[`Cookie: ${headers.cookie}`, `${proofHeader}: ${headers[proofHeader]}`],
		...['Content-Type: application/json', `Content-Length: ${body.length}`],
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
	await letIn;
	await devices.revoke(device);
	socket.write(body.slice(5));
	await closed;
	expect(answer).toMatch(/^HTTP\/1.1 401/);
	expect(rig.model.traces().size).toBe(0);
});

it('streams of one token leave room for those of others', async () => {
	const rig = await openRig(await createColony());
	const device = await enter(rig, 'read');
	const open: Response[] = [];
	onTestFinished(async () => {
		for (const {body} of open) await body?.cancel();
	});
	const statuses = async (count: number, ask: () => Promise<Response>) => {
		const answers = await Promise.all(Array.from({length: count}, ask));
		open.push(...answers.filter(({ok}) => ok));
		return answers.filter(({status}) => status === 200).length;
	};
	expect(await statuses(70, () => rig.send('/api/stream', {as: 'read'}))).toBe(16);
	expect(await statuses(70, () => device.sends('/api/stream'))).toBe(16);
	expect(await statuses(1, () => rig.send('/api/stream', {as: 'act'}))).toBe(1);
	const refused = await device.sends('/api/stream');
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
});

it('setting the clock far back does not extend the life of a link', async () => {
	const {host, context} = await openRig(await createColony());
	let later = 0;
	const clock = {...context.clock, now: () => context.clock.now() + later};
	const keyFile = expectAccepted(
		await openKeyFile({...host, open: async () => ({...context, colony: context.colony, clock})}),
	);
	const [first, second] = [
		await keyFile.makeCode({scope: 'act', label: 'phone'}),
		await keyFile.makeCode({scope: 'act', label: 'phone'}),
	];
	later = -60_000;
	expect(await keyFile.redeem(first)).toMatchObject({label: 'phone'});
	later = -24 * 60 * 60_000;
	expect(await keyFile.redeem(second)).toBeUndefined();
});
