import {once} from 'node:events';
import {rm, writeFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createApp} from '../../source/console/app.ts';
import {openKeyFile} from '../../source/console/key-file.ts';
import {createLimits} from '../../source/console/limits.ts';
import {isLoopback, listen, readAddress} from '../../source/console/listen.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {home, openRig, senderTo} from './rig.ts';

/** A request of a signed-in browser, with the changes that an attacker makes to it. */
type Attack = {
	readonly name: string;
	/** Where this hole was found, or the source that describes it. */
	readonly source: string;
	readonly path?: string;
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/**
	 * True to send the browser's cookie and the proof of its page; `alone` sends the cookie only. No other page
	 * can read the proof.
	 */
	readonly cookie?: boolean | 'alone';
	readonly refused: number;
};

const kill = '/api/traces/trace-1/kill';
const json = {'content-type': 'application/json'};
const ours = {...json, origin: home, 'sec-fetch-site': 'same-origin'};

const attacks: readonly Attack[] = [
	{
		name: 'no token',
		source: 'CWE-306, open agent consoles that mined coins',
		path: '/api/traces',
		refused: 401,
	},
	{
		name: 'a wrong token',
		source: 'OWASP API2:2023',
		path: '/api/traces',
		headers: {authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'},
		refused: 401,
	},
	{
		name: 'an empty token',
		source: 'CWE-287, comparing with an unset secret',
		path: '/api/traces',
		headers: {authorization: 'Bearer '},
		refused: 401,
	},
	{
		name: 'a token in the address',
		source: 'CWE-598, tokens that logs and histories keep',
		path: '/api/traces?token=TOKEN',
		refused: 401,
	},
	{
		name: 'the token as basic authentication',
		source: 'OWASP API2:2023',
		path: '/api/traces',
		headers: {authorization: `Basic ${Buffer.from('hive:TOKEN').toString('base64')}`},
		refused: 401,
	},
	{
		name: 'a cookie that somebody made',
		source: 'CWE-565',
		path: '/api/traces',
		headers: {cookie: 'hive-test=act.99999999999999.YQ.AAAA'},
		refused: 401,
	},
	{
		name: 'the cookie, from a server on another port that the browser sent it to',
		source: 'RFC 6265 §8.5, cookies do not provide isolation by port',
		path: '/api/traces',
		cookie: 'alone',
		refused: 401,
	},
	{
		name: 'the same to act, with the headers of our page',
		source: 'RFC 6265 §8.5',
		path: kill,
		headers: ours,
		body: '{}',
		cookie: 'alone',
		refused: 401,
	},
	{
		name: 'the same for the stream',
		source: 'RFC 6265 §8.5',
		path: '/api/stream',
		cookie: 'alone',
		refused: 401,
	},
	{
		name: 'the description of the API to nobody',
		source: 'OWASP API9:2023',
		path: '/api/openapi.json',
		refused: 401,
	},
	{name: 'the stream to nobody', source: 'CVE-2025-49596', path: '/api/stream', refused: 401},
	{
		name: 'a method that no route has',
		source: 'CWE-650',
		path: '/api/traces',
		method: 'DELETE',
		cookie: true,
		headers: {origin: home},
		refused: 405,
	},
	{
		name: 'the page in a frame of a neighbour on this host',
		source: 'W3C Fetch Metadata, a same-site POST by navigation',
		path: kill,
		headers: {...json, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate'},
		body: '{}',
		cookie: true,
		refused: 403,
	},
	{
		name: 'DNS rebinding',
		source: 'CVE-2024-28224 (Ollama), Singularity of Origin',
		path: '/api/traces',
		headers: {host: 'evil.example:8787'},
		cookie: true,
		refused: 403,
	},
	{
		name: 'DNS rebinding that fetches the page',
		source: 'Singularity of Origin',
		path: '/',
		headers: {host: 'rebound.evil.example:8787'},
		refused: 403,
	},
	{
		name: 'a host that begins as ours',
		source: 'PortSwigger, HTTP Host header attacks',
		path: '/api/traces',
		headers: {host: '127.0.0.1.evil.example'},
		cookie: true,
		refused: 403,
	},
	{
		name: 'a host with a user before it',
		source: 'PortSwigger, HTTP Host header attacks',
		path: '/api/traces',
		headers: {host: '127.0.0.1:8787@evil.example'},
		cookie: true,
		refused: 403,
	},
	{
		name: 'a foreign origin with the cookie',
		source: 'OWASP CSRF cheat sheet',
		path: kill,
		headers: {...json, origin: 'https://evil.example'},
		body: '{}',
		cookie: true,
		refused: 403,
	},
	{
		name: 'another port of this machine',
		source: 'drive-by of local ports, as in the MCP Inspector (CVE-2025-49596)',
		path: kill,
		headers: {...json, origin: 'http://127.0.0.1:3000'},
		body: '{}',
		cookie: true,
		refused: 403,
	},
	{
		name: 'the null origin of a sandboxed frame',
		source: 'PortSwigger, CORS',
		path: kill,
		headers: {...json, origin: 'null'},
		body: '{}',
		cookie: true,
		refused: 403,
	},
	{
		name: 'a cookie without an origin',
		source: 'OWASP CSRF cheat sheet',
		path: kill,
		headers: json,
		body: '{}',
		cookie: true,
		refused: 403,
	},
	{
		name: 'a page of the same site that hides its origin',
		source: 'W3C Fetch Metadata',
		path: '/api/traces',
		headers: {'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors'},
		cookie: true,
		refused: 403,
	},
	{
		name: 'a form',
		source: 'OWASP CSRF cheat sheet',
		path: kill,
		headers: {...ours, 'content-type': 'application/x-www-form-urlencoded'},
		body: 'reason=x',
		cookie: true,
		refused: 400,
	},
	{
		name: 'a form of parts',
		source: 'OWASP CSRF cheat sheet',
		path: kill,
		headers: {...ours, 'content-type': 'multipart/form-data; boundary=x'},
		body: '--x--',
		cookie: true,
		refused: 400,
	},
	{
		name: 'JSON as plain text, which needs no preflight',
		source: 'Fetch standard, CORS-safelisted types',
		path: kill,
		headers: {...ours, 'content-type': 'text/plain'},
		body: '{}',
		cookie: true,
		refused: 400,
	},
	{
		name: 'a type that only contains JSON',
		source: 'Fetch standard, CORS-safelisted types',
		path: kill,
		headers: {...ours, 'content-type': 'text/plain; application/json'},
		body: '{}',
		cookie: true,
		refused: 400,
	},
	{
		name: 'a preflight',
		source: 'Fetch standard',
		path: kill,
		method: 'OPTIONS',
		headers: {origin: 'https://evil.example', 'access-control-request-method': 'POST'},
		refused: 403,
	},
	{
		name: 'a change by GET',
		source: 'CWE-650',
		path: kill,
		cookie: true,
		refused: 405,
	},
	{
		name: 'a method in a header',
		source: 'CWE-650, method override',
		path: kill,
		headers: {...ours, 'x-http-method-override': 'POST'},
		cookie: true,
		refused: 405,
	},
	{
		name: 'an oversized body',
		source: 'CWE-770',
		path: kill,
		headers: ours,
		body: JSON.stringify({reason: 'x'.repeat(300_000)}),
		cookie: true,
		refused: 413,
	},
	{
		name: 'half of a body',
		source: 'CWE-20',
		path: kill,
		headers: ours,
		body: '{"reason": "',
		cookie: true,
		refused: 400,
	},
	{name: 'no object', source: 'CWE-20', path: kill, headers: ours, body: '[1]', cookie: true, refused: 400},
	{
		name: 'a prototype',
		source: 'CWE-1321',
		path: kill,
		headers: ours,
		body: '{"__proto__": {"reason": "x"}}',
		cookie: true,
		refused: 400,
	},
	{
		name: 'a path out of the runs',
		source: 'CWE-22',
		path: '/api/runs/..%2f..%2f..%2f..%2fetc/passwd/log',
		cookie: true,
		refused: 404,
	},
	{
		name: 'a path out of the page',
		source: 'CVE-2024-32652 and its like in static file servers',
		path: '/..%2f..%2f..%2fetc%2fpasswd',
		cookie: true,
		refused: 404,
	},
	{
		name: 'a trace that is a path',
		source: 'CWE-22',
		path: '/api/traces/..%2f..%2fconsole%2ftoken',
		cookie: true,
		refused: 404,
	},
	{
		name: 'a folder to restore into',
		source: 'CWE-73',
		path: '/api/restore',
		headers: ours,
		body: '{"which": "x", "to": "/etc"}',
		cookie: true,
		refused: 400,
	},
	{
		name: 'a code that was made up',
		source: 'CWE-330',
		path: '/api/login',
		headers: ours,
		body: '{"code": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}',
		refused: 401,
	},
	{
		name: 'a code that is a path',
		source: 'CWE-22',
		path: '/api/login',
		headers: ours,
		body: '{"code": "../token"}',
		refused: 401,
	},
	{
		name: 'a way in from another page',
		source: 'login CSRF, OWASP',
		path: '/api/login',
		headers: {...json, origin: 'https://evil.example'},
		body: '{"code": "x"}',
		refused: 403,
	},
	{
		name: 'the terminal of a session, taken over',
		source: 'CWE-1385, cross-site WebSocket hijacking',
		path: '/api/sessions/1/pty',
		headers: {upgrade: 'websocket', connection: 'Upgrade', origin: 'https://evil.example'},
		cookie: true,
		refused: 403,
	},
	{
		name: 'the stream from another page',
		source: 'CVE-2025-49596',
		path: '/api/stream',
		headers: {origin: 'https://evil.example'},
		cookie: true,
		refused: 403,
	},
];

describe('an attack over HTTP', () => {
	it('is refused for every listed request', async () => {
		const {send, tokens, browserOf} = await openRig(await createColony());
		const browser = await browserOf({scope: 'act', label: 'x'});
		for (const attack of attacks) {
			const {path = '/', method = attack.body === undefined ? 'GET' : 'POST', body, headers = {}} = attack;
			const answer = await send(path.replace('TOKEN', tokens.act), {
				method,
				...(body === undefined ? {} : {body}),
				headers: {
					...(attack.cookie === true ? browser : {}),
					...(attack.cookie === 'alone' ? {cookie: browser.cookie} : {}),
					...headers,
				},
			});
			const text = await answer.text();
			expect([attack.name, attack.source, answer.status], text).toEqual([
				attack.name,
				attack.source,
				attack.refused,
			]);
			expect(text).not.toMatch(/root:|export/);
			expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
			expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
			expect(answer.headers.get('x-frame-options')).toBe('DENY');
		}
		// The same request succeeds from the page itself.
		const own = await send(kill, {method: 'POST', body: '{}', headers: {...ours, ...browser}});
		expect(own.status).toBe(404);
		expect(await own.json()).toMatchObject({code: 'trace_not_found'});
	});

	it('fails with a used link, and after the token was renewed', async () => {
		const {send, keyFile} = await openRig(await createColony());
		const code = await keyFile.makeCode({scope: 'read', label: 'phone'});
		const open = () => send('/api/login', {json: {code}, headers: {origin: home}});
		const [first, second] = await Promise.all([open(), open()]);
		expect([first.status, second.status].sort()).toEqual([200, 401]);
		const entered = first.ok ? first : second;
		const {proof} = (await entered.json()) as {proof: string};
		const set = entered.headers.get('set-cookie') ?? '';
		expect(set).toMatch(/^hive-test=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
		const [cookie = ''] = set.split(';');
		const browser = {cookie, 'x-hive-page': proof};
		const looks = () => send('/api/traces', {headers: browser});
		expect((await looks()).status).toBe(200);
		expect((await send(kill, {json: {}, headers: {...browser, origin: home}})).status).toBe(403);
		await keyFile.renew();
		expect((await looks()).status).toBe(401);
		for (let attempt = 0; attempt < 25; attempt++) await open();
		expect((await open()).status).toBe(429);
	});

	it('without credentials does not lock out other callers', async () => {
		const {app, send, keyFile} = await openRig(await createColony());
		// Endless bodies, and wrong codes from one address.
		const endless = () => new ReadableStream({pull: () => new Promise(() => {})});
		const login = (from: string, body: string | ReadableStream) => {
			const headers = {host: '127.0.0.1:8787', origin: home, ...json};
			const init = {method: 'POST', headers, body, duplex: 'half' as const};
			return app.fetch(new Request(`${home}/api/login`, init), {incoming: {socket: {remoteAddress: from}}});
		};
		for (let count = 0; count < 100; count++) void login('10.0.0.1', endless());
		expect((await send('/api/traces', {as: 'act'})).status).toBe(200);
		for (let attempt = 0; attempt < 25; attempt++) await login('10.0.0.1', '{"code": "x"}');
		expect((await login('10.0.0.1', '{"code": "x"}')).status).toBe(429);
		const code = await keyFile.makeCode({scope: 'read', label: 'phone'});
		expect((await login('10.0.0.2', JSON.stringify({code}))).status).toBe(200);
		// HEAD requests hold no stream open.
		for (let count = 0; count < 70; count++)
			expect((await send('/api/stream', {as: 'read', method: 'HEAD'})).status).toBe(200);
		const stream = await send('/api/stream', {as: 'read'});
		expect(stream.status).toBe(200);
		await stream.body?.cancel();
	});

	it('with too many requests is refused with 429', async () => {
		const limits = createLimits({requests: 0, streams: 0});
		const {send} = await openRig(await createColony(), {limits});
		expect((await send('/api/traces', {as: 'act'})).status).toBe(429);
	});
});

/** Sends bytes to a console on a socket, and returns its answer until the connection closes. */
const talk = (port: number, bytes: string): Promise<string> =>
	new Promise(resolve => {
		const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
		let answer = '';
		socket.on('data', chunk => {
			answer += chunk;
		});
		socket.on('error', () => {});
		socket.on('close', () => resolve(answer));
	});

describe('an attack over a socket', () => {
	it('is refused as over HTTP, and a malformed, oversized or slow request ends its connection', async () => {
		const colony = await createColony();
		const rig = await openRig(colony);
		const {send: _, ...parts} = rig;
		const server = expectAccepted(await listen(parts.app.fetch, {host: '127.0.0.1', port: 0}));
		onTestFinished(server.close);
		const {port} = server;
		const get = (path: string, headers = '') =>
			talk(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${headers}\r\n`);
		const bearer = `Authorization: Bearer ${parts.tokens.act}\r\n`;
		expect(await get('/api/traces')).toMatch(/^HTTP\/1.1 401/);
		expect(await get('/api/traces', bearer)).toMatch(/^HTTP\/1.1 200/);
		expect(await get('/')).toMatch(/^HTTP\/1.1 200/);
		expect(await get('/', 'Host: evil.example\r\n')).toMatch(/^HTTP\/1.1 403/);
		expect(await get('/api/sessions/1/pty', `${bearer}Upgrade: websocket\r\n`)).toMatch(/^HTTP\/1.1 404/);
		expect(await get('/../../../../etc/passwd')).toMatch(/^HTTP\/1.1 4/);
		expect(await get('/', `X-Long: ${'x'.repeat(20_000)}\r\n`)).toMatch(/^HTTP\/1.1 431/);
		expect(await talk(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
		expect(await talk(port, '\x16\x03\x01 nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
		const both = `POST ${kill} HTTP/1.1\r\nHost: 127.0.0.1\r\n${bearer}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n`;
		expect(await talk(port, both)).toMatch(/^HTTP\/1.1 400/);
		const endless = `POST ${kill} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
		expect(await talk(port, `${endless}50000\r\n${'x'.repeat(0x50000)}\r\n`)).toMatch(/^HTTP\/1.1 413/);
		// A declared length is refused before its body arrives.
		const declared = `POST ${kill} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${bearer}Content-Type: application/json\r\n`;
		expect(await talk(port, `${declared}Content-Length: ${256 * 1024 + 1}\r\n\r\n`)).toMatch(
			/^HTTP\/1.1 413/,
		);
		// Unfinished headers time out after ten seconds.
		expect(await talk(port, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')).toMatch(/^(HTTP\/1.1 408|$)/);
	});

	it('with silent connections locks out neither new nor connected clients', async () => {
		const {app, tokens, ask} = await openRig(await createColony());
		const server = expectAccepted(await listen(app.fetch, {host: '127.0.0.1', port: 0}));
		onTestFinished(server.close);
		const {port} = server;
		const bearer = {authorization: `Bearer ${tokens.act}`};
		const looks = () => fetch(`http://127.0.0.1:${port}/api/traces`, {headers: bearer});
		const stream = await fetch(`http://127.0.0.1:${port}/api/stream`, {headers: bearer});
		let closed = 0;
		for (let count = 0; count < 600; count++) {
			const socket = connect(port, '127.0.0.1');
			onTestFinished(() => void socket.destroy());
			socket.on('error', () => {});
			socket.on('close', () => {
				closed += 1;
			});
			await once(socket, 'connect');
		}
		await expect.poll(() => closed).toBeGreaterThan(300);
		expect((await looks()).status).toBe(200);
		await ask('/api/tasks', {json: {title: 'Heard by who was there', bee: 'builder'}}, 201);
		let heard = '';
		for await (const piece of stream.body ?? []) {
			heard += Buffer.from(piece).toString();
			if (heard.includes('Heard by who was there')) break;
		}
		expect(heard).toContain('Heard by who was there');
	});
});

describe('connections to the console', () => {
	it('of one caller, however many, do not lock out other callers', async () => {
		const {app, tokens} = await openRig(await createColony());
		const server = expectAccepted(await listen(app.fetch, {host: '127.0.0.1', port: 0}));
		onTestFinished(server.close);
		const {port} = server;
		const ask = (token: string) =>
			`GET /api/runtime HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
		let isOpen = true;
		const own = connect(port, '127.0.0.1', () => own.write(ask(tokens.act)));
		onTestFinished(() => void own.destroy());
		own.on('close', () => {
			isOpen = false;
		});
		await once(own, 'data');
		for (let count = 0; count < 300; count++) {
			const socket = connect(port, '127.0.0.1');
			onTestFinished(() => void socket.destroy());
			socket.on('error', () => {});
			socket.write(ask(tokens.read));
			await once(socket, 'data');
			// The server closes what is silent for five seconds.
			if (isOpen && count % 10 === 0) own.write(ask(tokens.act));
		}
		// The open connection survives, and a new one succeeds.
		expect(isOpen).toBe(true);
		const headers = {authorization: `Bearer ${tokens.act}`, connection: 'close'};
		const answers = await Promise.all(
			Array.from({length: 5}, () => fetch(`http://127.0.0.1:${port}/api/runtime`, {headers})),
		);
		expect(answers.map(({status}) => status)).toEqual(Array(5).fill(200));
	});
});

describe('no combination of flags, environment and files', () => {
	it('gives control to a caller without a token', async () => {
		const rig = await openRig(await createColony());
		const file = join(await rig.host.machineFolder(), 'console', 'token');
		const good = 'a'.repeat(43);
		const answers = new Map<string, number>();
		for (const variable of [undefined, '', 'short', good])
			for (const text of [undefined, '', '\n', 'short\n', `${good}\n`])
				for (const origins of [[], ['https://hive.example']])
					for (const addr of ['127.0.0.1:0', '0.0.0.0:0', '[::]:0']) {
						await rm(file, {force: true});
						if (text !== undefined) await writeFile(file, text, {mode: 0o600});
						const env = {...rig.host.env, HIVE_CONSOLE_TOKEN: variable};
						const keyFile = expectAccepted(await openKeyFile({...rig.host, env}));
						const keys = await keyFile.keys();
						const isShort = variable ? variable === 'short' : text === 'short\n';
						expect([variable, text, keys.ok]).toEqual([variable, text, !isShort]);
						const names = {isLoopback: isLoopback(expectAccepted(readAddress(addr)).host), origins};
						const app = createApp({...rig.parts, keyFile, names});
						const send = senderTo(app, keys.ok ? keys.value.tokens : rig.tokens);
						for (const authorization of [
							undefined,
							'',
							'Bearer',
							'Bearer undefined',
							'Bearer short',
							'Bearer null',
						])
							for (const cookie of [
								undefined,
								'',
								'hive-test=',
								'hive-test=act.9e15..',
								'hive-test=undefined',
							]) {
								const given = {
									...(authorization === undefined ? {} : {authorization}),
									...(cookie && {cookie}),
								};
								const {status} = await send(kill, {json: {}, headers: {...given, origin: home}});
								answers.set(`without a token ${status}`, status);
							}
						const own = await send(kill, {json: {}, as: 'act'});
						answers.set(keys.ok ? 'with the token' : 'with a token too short', own.status);
					}
		expect(Object.fromEntries(answers)).toEqual({
			// With a token that is too short, no request is accepted.
			...{'without a token 401': 401, 'without a token 400': 400},
			...{'with the token': 404, 'with a token too short': 400},
		});
	});

	it('starts a console inside a run', async () => {
		const {host} = await openRig(await createColony());
		const context = {...(await host.open()), insideRun: {traceId: 'trace-1', agentId: 'run1'}};
		const inside = await openKeyFile({...host, open: async () => context});
		expect(inside).toMatchObject({ok: false, refusal: {code: 'not_for_agents'}});
	});
});

describe('the address of the console', () => {
	it('is on this machine only, unless another is configured', () => {
		expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].map(isLoopback)).toEqual([true, true, true, true]);
		expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.evil.example', ''].map(isLoopback)).not.toContain(true);
		for (const wrong of ['', '8787', ':8787', '127.0.0.1', '127.0.0.1:99999', 'a b:1', 'http://x:1'])
			expect([wrong, readAddress(wrong).ok]).toEqual([wrong, false]);
		expect(readAddress('[::1]:0')).toMatchObject({value: {host: '::1', port: 0}});
	});
});
