import {createHmac} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import {describe, expect, it} from 'vitest';
import {maxDeliveryBytes} from '../../source/console/webhook.ts';
import {followDeliveries} from '../../source/host/forge-deliveries.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {home, openRig} from './rig.ts';

const path = '/api/forge/webhook';
const variable = 'HIVE_WEBHOOK_SECRET';
const secret = 'a secret of the webhook';

const sign = (body: string | Uint8Array, key = secret): string =>
	`sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

type Headers = Readonly<Record<string, string>>;

/** Opens the console of a colony with a forge. `wakes` counts how often its watchers were woken. */
const openScene = async (
	provider: 'github' | 'gitlab' = 'github',
	{env = {[variable]: secret}, forge = {webhook_secret_env: variable}}: {env?: Headers; forge?: object} = {},
) => {
	const colony = await createColony({settings: {forge: {provider, repository: 'ada/hive', ...forge}}});
	const openConsole = () => openRig({root: colony.root, env: {...colony.env, ...env}});
	const rig = await openConsole();
	let woken = 0;
	setMaxListeners(0, rig.over.signal);
	void followDeliveries(rig.context.bus, rig.over.signal, () => {
		woken += 1;
	});
	const send = async (headers: Headers, body = '{}', from = rig): Promise<number> =>
		(await from.send(path, {method: 'POST', body, headers})).status;
	return {
		...{rig, openConsole, send},
		/** Sends what GitHub would. */
		deliver: (id: string, body = '{}', from = rig) =>
			send({'x-github-delivery': id, 'x-hub-signature-256': sign(body)}, body, from),
		wakes: () => woken,
	};
};

describe('a delivery of GitHub', () => {
	it('wakes the watchers, without a token of the console, whatever its body says', async () => {
		const {deliver, wakes} = await openScene();
		const bodies = ['{}', '', 'payload=%7B%7D', '{"repository":{"full_name":"eve/other"}', '\0\xff'];
		for (const [index, body] of bodies.entries()) {
			expect([body, await deliver(`id-${index}`, body)]).toEqual([body, 200]);
			await expect.poll(wakes).toBe(index + 1);
		}
	});

	it('is refused with a wrong or missing signature, of another body, or of an older algorithm', async () => {
		const {send, wakes, deliver} = await openScene();
		const body = '{"action":"opened"}';
		const sha1 = createHmac('sha1', secret).update(body).digest('hex');
		for (const signature of [
			undefined,
			'',
			'sha256=',
			`sha256=${'0'.repeat(64)}`,
			sign(body).slice(0, -1),
			`${sign(body)}00`,
			sign(body).toUpperCase(),
			sign(body, ''),
			sign(body, 'another secret'),
			sign('{"action":"closed"}'),
			`sha1=${sha1}`,
		]) {
			const headers = {'x-github-delivery': 'one', ...(signature && {'x-hub-signature-256': signature})};
			expect([signature, await send({...headers, 'x-hub-signature': `sha1=${sha1}`}, body)]).toEqual([
				...[signature, 401],
			]);
		}
		expect(await send({'x-github-delivery': 'one', 'x-gitlab-token': secret}, body)).toBe(401);
		// No refused delivery was remembered.
		expect(await deliver('one', body)).toBe(200);
		await expect.poll(wakes).toBe(1);
	});

	it('is refused when it is repeated, by another console and after a restart too', async () => {
		const {deliver, wakes, openConsole} = await openScene();
		expect(await deliver('one')).toBe(200);
		await expect.poll(wakes).toBe(1);
		expect(await deliver('one')).toBe(409);
		expect(await deliver('one', '{"other":1}')).toBe(409);
		expect(await deliver('one', '{}', await openConsole())).toBe(409);
		const both = await Promise.all([deliver('two'), deliver('two', '{}', await openConsole())]);
		expect(both.toSorted()).toEqual([200, 409]);
		await expect.poll(wakes).toBe(2);
	});

	it('is remembered among the newest 500, in one small value', async () => {
		const {deliver, rig} = await openScene();
		for (let index = 0; index <= 500; index++) await deliver(`id-${index}`);
		expect(await deliver('id-1')).toBe(409);
		expect(await deliver('id-0')).toBe(200);
		const [entry, ...others] = await rig.context.bus.bucket('forge').entries();
		expect(others).toEqual([]);
		expect(entry?.value.length).toBeLessThan(16 * 1024);
	});

	it('is refused without an id, or with a very long one', async () => {
		const {send, deliver} = await openScene();
		expect(await send({'x-hub-signature-256': sign('{}')})).toBe(400);
		expect(await deliver('x'.repeat(201))).toBe(400);
	});

	it('may have 25 MiB, declared or not', async () => {
		const {rig} = await openScene();
		const sendBytes = async (size: number, isDeclared: boolean): Promise<number> => {
			const bytes = new Uint8Array(size);
			const headers = {
				...{host: '127.0.0.1:8787', 'x-github-delivery': `${size} ${isDeclared}`},
				'x-hub-signature-256': sign(bytes),
				...(isDeclared && {'content-length': String(size)}),
			};
			const request = new Request(`${home}${path}`, {method: 'POST', headers, body: bytes});
			return (await rig.app.fetch(request)).status;
		};
		for (const isDeclared of [true, false]) {
			expect(await sendBytes(maxDeliveryBytes, isDeclared)).toBe(200);
			expect(await sendBytes(maxDeliveryBytes + 1, isDeclared)).toBe(413);
		}
	});

	it('comes under a name of the console, and from no page', async () => {
		const {send} = await openScene();
		const signed = {'x-github-delivery': 'one', 'x-hub-signature-256': sign('{}')};
		expect(await send({...signed, host: 'evil.example'})).toBe(403);
		expect(await send({...signed, origin: 'https://evil.example'})).toBe(403);
		expect(await send({...signed, 'sec-fetch-site': 'cross-site'})).toBe(403);
		expect(await send(signed)).toBe(200);
	});

	it('opens no other route, and a token of the console opens no webhook', async () => {
		const {rig, send} = await openScene();
		const signed = {'x-github-delivery': 'one', 'x-hub-signature-256': sign('{}')};
		expect((await rig.send('/api/traces', {headers: signed})).status).toBe(401);
		expect((await rig.send(path, {headers: signed})).status).toBe(401);
		expect((await rig.send(path, {as: 'act'})).status).toBe(405);
		expect((await rig.send(path, {as: 'act', json: {}})).status).toBe(401);
		expect(await send({...signed, authorization: 'Bearer nonsense'})).toBe(200);
	});
});

describe('a delivery of GitLab', () => {
	it('has the secret itself, and its id under one of two names', async () => {
		const {send, wakes} = await openScene('gitlab');
		const one = {'x-gitlab-token': secret, 'idempotency-key': 'one', 'x-gitlab-event-uuid': 'a'};
		expect(await send(one)).toBe(200);
		await expect.poll(wakes).toBe(1);
		expect(await send({...one, 'x-gitlab-event-uuid': 'b'})).toBe(409);
		expect(await send({'x-gitlab-token': secret, 'x-gitlab-event-uuid': 'c'})).toBe(200);
		expect(await send({'x-gitlab-token': secret, 'x-gitlab-event-uuid': 'c'})).toBe(409);
		expect(await send({'x-gitlab-token': secret})).toBe(400);
		await expect.poll(wakes).toBe(2);
		for (const token of [undefined, '', secret.slice(1), `${secret}x`, secret.toUpperCase()])
			expect(
				await send({...(token !== undefined && {'x-gitlab-token': token}), 'idempotency-key': 'd'}),
			).toBe(401);
		const signed = {'x-hub-signature-256': sign('{}'), 'x-github-delivery': 'e'};
		expect(await send(signed)).toBe(401);
	});
});

describe('there is no webhook', () => {
	it.each([
		['without the variable', {env: {}}],
		['with an empty variable', {env: {[variable]: ''}}],
		['where the colony names no variable', {forge: {}}],
	] as const)('%s', async (_, scene) => {
		const {deliver, rig} = await openScene('github', scene);
		expect(await deliver('one')).toBe(404);
		expect(await rig.ask(path, {as: 'act', json: {}}, 404)).toMatchObject({code: 'unknown_route'});
		expect(await rig.context.bus.bucket('forge').entries()).toEqual([]);
	});

	it('in a colony without a forge', async () => {
		const colony = await createColony();
		const {send} = await openRig({root: colony.root, env: {...colony.env, [variable]: secret}});
		const headers = {'x-github-delivery': 'one', 'x-hub-signature-256': sign('{}')};
		expect((await send(path, {method: 'POST', body: '{}', headers})).status).toBe(404);
	});
});

it('endless bodies of strangers keep no delivery out', async () => {
	const {rig, deliver} = await openScene();
	const headers = {
		host: '127.0.0.1:8787',
		'x-github-delivery': 'x',
		'x-hub-signature-256': sign(''),
	};
	for (let count = 0; count < 100; count++) {
		const body = new ReadableStream({pull: () => new Promise(() => {})});
		void rig.app.fetch(new Request(`${home}${path}`, {method: 'POST', headers, body, duplex: 'half'}));
	}
	expect(await deliver('one')).toBe(200);
});
