import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {home, openRig} from './rig.ts';

/** The headers of every answer to a browser. */
const safe = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'permissions-policy': 'camera=(), microphone=(), geolocation=()',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
};

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
const problem = 'application/problem+json';

it('every answer has the security headers, and only the headers of its route besides', async () => {
	const {send} = await openRig(await createColony());
	const headersOf = async (path: string, sent = {}) => {
		const {status, headers} = await send(path, sent);
		return {status, ...Object.fromEntries(headers)};
	};
	const etag = expect.stringMatching(/^"[\w-]{22}"$/);
	const fresh = {...safe, 'cache-control': 'no-store'};
	expect(await headersOf('/')).toEqual({
		...{status: 200, ...safe, 'content-type': html},
		...{'cache-control': 'no-cache', vary: 'Accept-Encoding', etag},
	});
	expect(await headersOf('/api/cues', {as: 'read'})).toEqual({
		...{status: 200, ...safe, 'content-type': json},
		...{'cache-control': 'private, no-cache', vary: 'Accept-Encoding', etag},
	});
	expect(await headersOf('/api/openapi.json', {as: 'read'})).toEqual({
		...{status: 200, ...fresh, 'content-type': json},
	});
	expect(await headersOf('/api/stream', {as: 'read', method: 'HEAD'})).toEqual({
		...{status: 200, ...fresh, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no'},
	});
	expect(await headersOf('/none')).toEqual({status: 404, ...fresh, 'content-type': problem});
	expect(await headersOf('/', {headers: {host: 'evil.example'}})).toEqual({
		...{status: 403, ...fresh, 'content-type': problem},
	});
	expect(await headersOf('/api/cues')).toEqual({
		...{status: 401, ...fresh, 'content-type': problem},
		'www-authenticate': 'Bearer realm="hive"',
	});
});

it('an answer that the client has is not sent again, whatever the form of its tag', async () => {
	const {send} = await openRig(await createColony());
	for (const path of ['/', '/api/cues']) {
		const first = await send(path, {as: 'read'});
		const etag = first.headers.get('etag') ?? '';
		const kept = {...safe, etag, 'cache-control': first.headers.get('cache-control')};
		for (const method of ['GET', 'HEAD'])
			for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
				const again = await send(path, {as: 'read', method, headers: {'if-none-match': tag}});
				const {'content-type': _, ...headers} = Object.fromEntries(again.headers);
				expect([path, tag, again.status, headers]).toEqual([path, tag, 304, kept]);
				expect(await again.text()).toBe('');
			}
		const other = await send(path, {as: 'read', headers: {'if-none-match': '"other"'}});
		expect([path, other.status]).toEqual([path, 200]);
	}
});

it('a body may be as long as the limit of its route, and not a byte longer', async () => {
	const {app, tokens} = await openRig(await createColony());
	const codeOf = async (path: string, bytes: number, isDeclared: boolean): Promise<string> => {
		const headers = {
			...{host: '127.0.0.1:8787', origin: home, 'content-type': 'application/json'},
			authorization: `Bearer ${tokens.act}`,
			...(isDeclared ? {'content-length': String(bytes)} : {}),
		};
		const body = '{}'.padEnd(bytes);
		const answer = await app.fetch(new Request(`${home}${path}`, {method: 'POST', headers, body}));
		return ((await answer.json()) as {code: string}).code;
	};
	for (const isDeclared of [true, false]) {
		const kill = '/api/traces/trace-1/kill';
		expect(await codeOf(kill, 256 * 1024, isDeclared)).toBe('trace_not_found');
		expect(await codeOf(kill, 256 * 1024 + 1, isDeclared)).toBe('request_too_large');
		expect(await codeOf('/api/login', 4096, isDeclared)).toBe('unauthorized');
		expect(await codeOf('/api/login', 4097, isDeclared)).toBe('request_too_large');
	}
});
