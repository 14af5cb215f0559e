import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {type AddressInfo, connect, createServer} from 'node:net';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {type AskedHost, readHostRule, ruleFor} from '../../source/domain/host-rule.ts';
import {readRequest} from '../../source/drivers/containment/proxy/read-request.ts';
import {createProxy} from '../../source/drivers/containment/proxy/serve-proxy.ts';
import {mayReach} from '../../source/drivers/containment/proxy/targets.ts';
import {processesHolding} from '../chaos/machine.ts';
import {createRig, scripted, traceId} from '../dispatch/rig.ts';
import {canContain} from './namespaces.ts';

const rules = (...texts: readonly string[]) => texts.flatMap(text => readHostRule(text) ?? []);

it.each<[string, object | undefined]>([
	['example.com', {host: 'example.com'}],
	['Example.COM:8443', {host: 'example.com', port: 8443}],
	['*.example.com', {host: '.example.com'}],
	['10.0.0.7:5432', {host: '10.0.0.7', port: 5432}],
	...[
		'',
		'*',
		'*.',
		'a b',
		'http://a',
		'a/b',
		'a:0',
		'a:65536',
		'-a',
		'[::1]',
		'a..b',
		'*.*.a',
		'x'.repeat(400),
	].map((text): [string, undefined] => [text, undefined]),
])('the host rule %j is read as %j', (text, rule) => {
	expect(readHostRule(text)).toEqual(rule);
});

it.each([
	['example.com', 443, true],
	['EXAMPLE.com', 80, true],
	['example.com', 22, false],
	['a.b.example.org', 443, true],
	['example.org', 443, false],
	['evilexample.org', 443, false],
	['db.example.net', 5432, true],
	['db.example.net', 443, false],
])('of the rules one lets a program reach %s at %d: %s', (host, port, may) => {
	const all = rules('example.com', '*.example.org', 'db.example.net:5432');
	expect(ruleFor(all, host, port) !== undefined).toBe(may);
});

it.each([
	['example.com', '93.184.216.34', true],
	['example.com', '127.0.0.1', false],
	['example.com', '::1', false],
	['example.com', '::ffff:127.0.0.1', false],
	['example.com', '169.254.169.254', false],
	['example.com', 'fe80::1', false],
	['example.com', '0.0.0.0', false],
	['npm.example.com', '10.1.2.3', true],
	['*.example.com', '10.1.2.3', false],
	['*.example.com', 'fd00::1', false],
	['*.example.com', '::ffff:192.168.0.1', false],
	['127.0.0.1', '127.0.0.1', true],
	['localhost', '127.0.0.1', true],
])('the rule %s reaches the address %s: %s', (text, address, may) => {
	const [rule] = rules(text);
	expect(rule && mayReach(rule, address)).toBe(may);
});

it.each<[string, object | undefined]>([
	['CONNECT example.com:443 HTTP/1.1', {host: 'example.com', port: 443}],
	['CONNECT Example.com:443 HTTP/1.0', {host: 'example.com', port: 443}],
	['GET http://example.com/ HTTP/1.1', {status: 405, words: 'Only CONNECT is supported'}],
	...[
		'CONNECT example.com HTTP/1.1',
		'CONNECT a:99999 HTTP/1.1',
		'CONNECT a b:1 HTTP/1.1',
		'CONNECT [::1]:443 HTTP/1.1',
		'\0',
		'',
	].map((line): [string, object] => [line, {status: 400, words: 'Bad Request'}]),
])('the request %j is read as %j', (line, request) => {
	expect(readRequest(`${line}\r\nHost: other\r\n`)).toEqual(request);
});

const listen = async (server: ReturnType<typeof createServer>): Promise<number> => {
	server.listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
};

const replyTo = async (port: number, text: string): Promise<string> => {
	const socket = connect(port, '127.0.0.1');
	let reply = '';
	socket.on('data', part => {
		reply += part;
	});
	socket.on('error', () => {});
	socket.write(text);
	await once(socket, 'close');
	return reply;
};

it('connects to the host that a rule names, passes what follows on, and notes each host once', async () => {
	const target = await listen(createServer(socket => socket.on('data', part => socket.end(`heard ${part}`))));
	const asked: AskedHost[] = [];
	const proxy = await listen(createProxy(rules(`localhost:${target}`), host => asked.push(host)));
	const request = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\nhello`;
	expect(await replyTo(proxy, request(`localhost:${target}`))).toBe(
		'HTTP/1.1 200 Connection established\r\n\r\nheard hello',
	);
	expect(await replyTo(proxy, request(`127.0.0.1:${target}`))).toMatch(/^HTTP\/1.1 403 /);
	expect(await replyTo(proxy, request('localhost:443'))).toMatch(/^HTTP\/1.1 403 /);
	expect(asked.map(({host, allowed}) => [host, allowed])).toEqual([
		['localhost', true],
		['127.0.0.1', false],
		['localhost', false],
	]);
});

it('closes a connection whose request is too long, and refuses other methods', async () => {
	const proxy = await listen(createProxy(rules('localhost'), () => {}));
	expect(await replyTo(proxy, 'x'.repeat(20_000))).toBe('');
	expect(await replyTo(proxy, 'GET http://localhost/ HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 405 /);
});

it.skipIf(!canContain.can)('a contained run reaches its hosts through the proxy, and no others', async () => {
	const target = await listen(createServer(socket => socket.on('data', () => socket.end('from the host'))));
	const script = `
const {connect} = require('node:net');
const ask = host => new Promise(resolve => {
	const socket = connect(new URL(process.env.HTTPS_PROXY).port, '127.0.0.1');
	let reply = '';
	socket.on('data', part => { reply += part; }).on('close', () => resolve(reply)).on('error', () => {});
	socket.write('CONNECT ' + host + ' HTTP/1.1\\r\\n\\r\\nhello');
});
const direct = () => new Promise(resolve => connect(${target}, '127.0.0.1', () => resolve('reached')).on('error', ({code}) => resolve(code)));
(async () => {
	console.log(JSON.stringify([await ask('localhost:${target}'), await ask('example.invalid:443'), await direct()]));
	process.exit(3);
})();`;
	const rig = await createRig({
		bees: {
			maker: scripted('exec node script.cjs', {
				...{worktree: true, contain: {mode: 'required', network: [`localhost:${target}`]}},
			}),
		},
		files: {'script.cjs': script},
	});
	const {agentId, run} = await rig.run('maker');
	const [allowed, refused, direct] = JSON.parse(await rig.text(agentId, 'stdout.log'));
	expect(allowed).toContain('from the host');
	expect(refused).toMatch(/^HTTP\/1.1 403 /);
	expect(direct).toBe('ECONNREFUSED');
	expect(run).toMatchObject({
		...{status: 'failed', exitCode: 3},
		warnings: [
			'it asked for hosts that it may not reach: example.invalid:443',
			`it asked for hosts of its list: localhost:${target}`,
		],
	});
});

it.skipIf(!canContain.can)('a stop ends both ends of the proxy and the program', async () => {
	const rig = await createRig({
		bees: {
			maker: scripted('echo up >started; sleep 1000', {
				...{worktree: true, contain: {mode: 'required', network: ['example.com']}},
			}),
		},
	});
	const agentId = await rig.begin('maker');
	const worktree = join(rig.root, '.hive/worktrees', traceId);
	await expect.poll(() => existsSync(join(worktree, 'started'))).toBe(true);
	expect(processesHolding(rig.root).length).toBeGreaterThan(3);
	await rig.processes.stop(rig.directoryOf(agentId), agentId);
	expect(processesHolding(rig.root)).toEqual([]);
});
