import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createSpanExporter, maxQueued} from '../../source/telemetry/exporter.ts';
import type {Span} from '../../source/telemetry/spans.ts';

type Received = {readonly headers: IncomingHttpHeaders; readonly spans: readonly {readonly name: string}[]};

/** A collector that answers each request with the next status, and then with 200. */
const startCollector = async (statuses: readonly number[] = []) => {
	const received: Received[] = [];
	const answers = [...statuses];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = JSON.parse(Buffer.concat(chunks).toString());
		received.push({headers: request.headers, spans: body.resourceSpans[0].scopeSpans[0].spans});
		response.writeHead(answers.shift() ?? 200, {'retry-after': '0.01'}).end('{}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	return {received, url: `http://127.0.0.1:${port}/v1/traces`};
};

const spanNamed = (name: string, end = '2026-01-01T00:00:01.000Z'): Span => ({
	...{traceId: '0'.repeat(31).concat('1'), spanId: name.padStart(16, '0'), name},
	...{start: '2026-01-01T00:00:00.000Z', end, status: 'ok', attributes: {}},
});

const createExporter = (url: string) => {
	const report = vi.fn<(message: string) => void>();
	const settings = {url, headers: {'x-team': 'core'}, timeoutMs: 10_000, resource: {}};
	const exporter = createSpanExporter(settings, {clock: createSystemClock(), version: '1.2.3', report});
	onTestFinished(exporter.close);
	return {exporter, report};
};

const namesOf = (received: readonly Received[]): string[] =>
	received.flatMap(({spans}) => spans.map(({name}) => name));

describe('the exporter of spans', () => {
	test('sends the spans of a moment in one request, with its headers', async () => {
		const {received, url} = await startCollector();
		const {exporter, report} = createExporter(url);
		exporter.add(spanNamed('a'));
		exporter.add(spanNamed('b'));
		await expect.poll(() => namesOf(received)).toEqual(['a', 'b']);
		expect(received).toHaveLength(1);
		expect(received[0]?.headers).toMatchObject({'content-type': 'application/json', 'x-team': 'core'});
		expect(report).not.toHaveBeenCalled();
	});

	test('sends the rest when it is closed, in requests of at most 512', async () => {
		const {received, url} = await startCollector();
		const {exporter} = createExporter(url);
		for (let n = 0; n < 600; n += 1) exporter.add(spanNamed(`n${n}`));
		await exporter.close();
		expect(received.map(({spans}) => spans.length)).toEqual([512, 88]);
	});

	test('sends a span again only with another end', async () => {
		const {received, url} = await startCollector();
		const {exporter} = createExporter(url);
		exporter.add(spanNamed('a'));
		exporter.add(spanNamed('a'));
		exporter.add(spanNamed('a', '2026-01-01T00:00:02.000Z'));
		await exporter.close();
		expect(namesOf(received)).toEqual(['a', 'a']);
	});

	test('tries again after 503, and says once that the collector is away', async () => {
		const {received, url} = await startCollector([503, 503]);
		const {exporter, report} = createExporter(url);
		exporter.add(spanNamed('a'));
		await expect.poll(() => received.length).toBe(3);
		await exporter.close();
		expect(report.mock.calls).toEqual([
			[expect.stringMatching(/^Spans cannot be sent to 127.0.0.1:\d+: it answers 503\.$/)],
		]);
	});

	test('drops what the collector refuses, and goes on with the next', async () => {
		const {received, url} = await startCollector([400]);
		const {exporter} = createExporter(url);
		exporter.add(spanNamed('a'));
		await expect.poll(() => received.length).toBe(1);
		exporter.add(spanNamed('b'));
		await expect.poll(() => namesOf(received)).toEqual(['a', 'b']);
	});

	test('keeps a bounded number while nothing answers, and closes at once', async () => {
		const {url} = await startCollector();
		const {exporter, report} = createExporter(url.replace(/:\d+/, ':9'));
		for (let n = 0; n < maxQueued + 10; n += 1) exporter.add(spanNamed(`n${n}`));
		await exporter.close();
		expect(report).toHaveBeenCalledTimes(1);
	});
});
