import {describe, expect, test} from 'vitest';
import {isTraced, readTelemetry} from '../../source/telemetry/settings.ts';

const endpoint = 'http://collector.example:4318';

describe('the settings of spans', () => {
	test('are absent without a collector', () => {
		expect(readTelemetry({})).toBeUndefined();
		expect(isTraced({OTEL_EXPORTER_OTLP_ENDPOINT: ''})).toBe(false);
	});

	test('add the path of spans to the general address, and take the one for spans as it is', () => {
		expect(readTelemetry({OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/otlp/`})).toMatchObject({
			url: `${endpoint}/otlp/v1/traces`,
			timeoutMs: 10_000,
		});
		const both = {
			OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
			OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/spans`,
		};
		expect(readTelemetry(both)).toMatchObject({url: `${endpoint}/spans`});
	});

	test('decode headers and attributes, and leave out what cannot be read', () => {
		const environment = {
			OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
			OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-team = core ,broken,bad=%E0%A4%A',
			OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=ci,service.name=other',
			OTEL_SERVICE_NAME: 'shop',
			OTEL_EXPORTER_OTLP_TIMEOUT: '250',
		};
		expect(readTelemetry(environment)).toEqual({
			url: `${endpoint}/v1/traces`,
			headers: {'api-key': 'a b', 'x-team': 'core'},
			timeoutMs: 250,
			resource: {'deployment.environment': 'ci', 'service.name': 'shop'},
		});
	});

	test.each(['localhost:4318', 'ftp://collector.example', 'http://ada:secret@collector.example'])(
		'refuse %s without repeating it',
		address => {
			const read = readTelemetry({OTEL_EXPORTER_OTLP_ENDPOINT: address});
			expect(read).toEqual({problem: expect.stringContaining('has to be an http or https address')});
			expect(JSON.stringify(read)).not.toContain('secret');
		},
	);

	test('refuse gRPC, whose port takes no JSON', () => {
		const grpc = {OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc'};
		expect(readTelemetry(grpc)).toEqual({problem: expect.stringContaining('http/json')});
	});

	test.each([{OTEL_SDK_DISABLED: 'true'}, {OTEL_TRACES_EXPORTER: 'none'}])('are absent with %o', off => {
		expect(readTelemetry({OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...off})).toBeUndefined();
	});
});
