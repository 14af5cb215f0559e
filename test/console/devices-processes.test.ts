import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {expect, it, onTestFinished} from 'vitest';
import {proofHeader} from '../../source/console/guard.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {runHive, startHive} from '../helpers/run-hive.ts';

type Colony = Awaited<ReturnType<typeof createColony>>;
type Listed = {readonly devices: readonly {readonly device: string; readonly name: string}[]};

/** Starts a console of the built command on a port of its own. */
const serve = async ({root, env}: Colony, more: Readonly<Record<string, string>> = {}) => {
	const child = startHive(['console', '--addr', '127.0.0.1:0', '--no-reactor', '--json'], {
		...{cwd: root, env: {...env, ...more}},
	});
	const ended = once(child, 'exit');
	onTestFinished(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	child.stderr.resume();
	const [line] = await once(createInterface(child.stdout), 'line');
	return (JSON.parse(String(line)) as {url: string}).url;
};

const login = (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
	fetch(`${url}/api/login`, {
		method: 'POST',
		headers: {'content-type': 'application/json', origin: url, ...headers},
		body: JSON.stringify(body),
	});

/** Opens a link as a browser does, and returns the headers that the browser sends from then on. */
const enter = async (colony: Colony, url: string, label: string) => {
	const {link} = await colony.ask<{link: string}>(['console', 'link', '--label', label]);
	const entered = await login(url, {code: /code=([\w-]+)/.exec(link)?.[1]});
	const {proof} = (await entered.json()) as {proof: string};
	const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
	return {cookie, [proofHeader]: proof};
};

/** Reads a stream to its end, which the console may cut off. */
const readToEnd = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
	try {
		for await (const _ of body ?? []);
	} catch (error) {
		expect(String(error)).toContain('terminated');
	}
};

it('a device revoked on the command line is signed out of every console at once, and its streams end', async () => {
	const colony = await createColony();
	const [one, other] = [await serve(colony), await serve(colony)];
	const [phone, wall] = [await enter(colony, one, 'phone'), await enter(colony, one, 'wall')];
	const asks = async (url: string, headers: Record<string, string>) =>
		(await fetch(`${url}/api/colony`, {headers})).status;
	expect([await asks(one, phone), await asks(other, phone)]).toEqual([200, 200]);
	const streams = await Promise.all([one, other].map(url => fetch(`${url}/api/stream`, {headers: phone})));
	const {devices} = await colony.ask<Listed>(['console', 'devices']);
	const device = devices.find(({name}) => name === 'phone')?.device ?? '';
	expect(await colony.ask(['console', 'revoke', device])).toMatchObject({v: 1, device, name: 'phone'});
	// A console that stops also cuts off its streams.
	for (const {body} of streams) await readToEnd(body);
	expect([await asks(one, phone), await asks(other, phone), await asks(other, wall)]).toEqual([
		401, 401, 200,
	]);
});

it('an unlisted proxy is not trusted, and an invalid proxy address stops the console from starting', async () => {
	const colony = await createColony();
	const [plain, behind] = [await serve(colony), await serve(colony, {HIVE_CONSOLE_PROXY: '127.0.0.0/8'})];
	const fail = async (url: string, caller: string) =>
		(await login(url, {code: 'bad'}, {'x-forwarded-for': caller})).status;
	const statuses = async (url: string) => {
		const all = [];
		for (let attempt = 0; attempt < 21; attempt++) all.push(await fail(url, `8.8.8.${attempt}`));
		return new Set(all);
	};
	expect(await statuses(plain)).toEqual(new Set([401, 429]));
	expect(await statuses(behind)).toEqual(new Set([401]));

	const env = {...colony.env, HIVE_CONSOLE_PROXY: 'proxy.example'};
	const {exitCode, stderr} = await runHive(['console', '--addr', '127.0.0.1:0'], {cwd: colony.root, env});
	expect([exitCode, stderr]).toEqual([
		5,
		'hive: HIVE_CONSOLE_PROXY: "proxy.example" is no address or network.\n' +
			'Name the proxies by address or network, with commas between: 10.0.0.5, 172.16.0.0/12.\n',
	]);
});
