import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

type ReceivedSpan = {
	readonly [id in 'traceId' | 'spanId' | 'name' | 'startTimeUnixNano' | 'endTimeUnixNano']: string;
} & {readonly parentSpanId?: string};

const startCollector = async () => {
	const spans: ReceivedSpan[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = JSON.parse(Buffer.concat(chunks).toString());
		spans.push(...body.resourceSpans[0].scopeSpans[0].spans);
		response.end('{}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	return {spans, url: `http://127.0.0.1:${port}`};
};

test('a trace is a tree of spans at the collector, and its agent knows the span of its run', async () => {
	const {spans, url} = await startCollector();
	const colony = await createColony({
		bees: {
			builder: {
				...{worktree: true, publishes: publishesIsolated},
				script: 'echo "$TRACEPARENT" >parent; echo "Did it"',
			},
		},
	});
	const env = {OTEL_EXPORTER_OTLP_ENDPOINT: url};
	const task = [
		'task',
		'create',
		'--trace',
		't1',
		'--task',
		'a',
		'--autorun',
		'--title',
		'Greet',
		'--body',
		'x',
	];
	await colony.ask(task);
	await colony.hive(['run', '--until-idle'], {env});
	const run = spans.find(({name}) => name === 'run builder');
	expect(run).toBeDefined();
	const {stdout} = await colony.hive(['proposal', 'diff', '--trace', 't1']);
	expect(stdout).toContain(`00-${run?.traceId}-${run?.spanId}-01`);

	await colony.ask(['proposal', 'approve', '--trace', 't1', '--task', '_review'], {env});
	await colony.hive(['run', '--until-idle'], {env});
	const byName = Object.fromEntries(spans.map(span => [span.name, span]));
	expect(Object.keys(byName)).toEqual(expect.arrayContaining(['run builder', 'task Greet', 'trace Greet']));
	expect(byName['run builder']?.parentSpanId).toBe(byName['task Greet']?.spanId);
	expect(byName['task Greet']?.parentSpanId).toBe(byName['trace Greet']?.spanId);
	for (const {startTimeUnixNano, endTimeUnixNano} of spans)
		expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
});

test('a collector that does not answer holds nothing up', async () => {
	const colony = await createColony({
		bees: {builder: {worktree: true, publishes: publishesIsolated, script: 'echo one >one; echo "Did it"'}},
	});
	await colony.ask(['task', 'create', '--trace', 't1', '--autorun', '--title', 'Greet', '--body', 'x']);
	const env = {OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9'};
	const {stderr} = await colony.hive(['run', '--until-idle'], {env});
	expect(stderr).toContain('Spans cannot be sent to 127.0.0.1:9');
	const {proposals} = await colony.ask<{proposals: object[]}>(['proposal', 'list']);
	expect(proposals).toMatchObject([{traceId: 't1', taskId: '_review'}]);
});
