import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {encodeSpans} from '../../source/telemetry/encode.ts';
import {type Span, spansEndedBy} from '../../source/telemetry/spans.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	item,
	killOf,
	planOf,
	statusOf,
	stored,
	traceId,
} from '../helpers/events.ts';

/** The spans of a log, as the machine `checkout` sends them. */
const spansOf = (events: readonly NewEvent[], checkout = 'here'): readonly Span[] => {
	let trace = emptyTrace(traceId);
	return stored(events).flatMap(event => {
		({trace} = applyEvents(trace, [event]));
		return spansEndedBy(event, trace, checkout);
	});
};

const finished = (more: object = {}): NewEvent =>
	createEvent('SIGNAL', {
		...{
			kind: 'run.finished',
			agentId: 'r1',
			bee: 'builder',
			status: 'completed',
			exitCode: 0,
			summary: 'Done',
		},
		...more,
	});

const begun = [planOf(item('a')), statusOf('a', 'ready'), claimOf('r1', 'a')];
const usage = {inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, costUsd: 0.25};

describe('the spans of a trace', () => {
	test('are its run, its task and the trace, each below the next', () => {
		const spans = spansOf([...begun, finished({usage}), completedOf('a')]);
		expect(spans.map(({name}) => name)).toEqual(['run builder', 'task Title of a', 'trace Title of a']);
		const [run, task, trace] = spans;
		expect([run?.parentSpanId, task?.parentSpanId]).toEqual([task?.spanId, trace?.spanId]);
		expect(trace).not.toHaveProperty('parentSpanId');
		expect(new Set(spans.map(span => span.traceId)).size).toBe(1);
	});

	test('have tokens and cost: cached tokens count as input', () => {
		const [run] = spansOf([...begun, finished({usage})]);
		expect(run?.attributes).toMatchObject({
			'gen_ai.usage.input_tokens': 110,
			'gen_ai.usage.output_tokens': 5,
			'gen_ai.usage.cache_read.input_tokens': 100,
			'hive.cost_usd': 0.25,
		});
	});

	test('are errors where a run failed, with the first line of its reason', () => {
		const spans = spansOf([...begun, finished({status: 'failed', exitCode: 1, summary: 'No key\nmore'})]);
		expect(spans.map(({name, status, message}) => [name, status, message])).toEqual([
			['run builder', 'error', 'No key'],
			['task Title of a', 'error', 'No key'],
		]);
	});

	test('end with a kill, with its reason', () => {
		const spans = spansOf([...begun, killOf('too slow'), finished({status: 'cancelled'})]);
		expect(spans.at(-1)).toMatchObject({name: 'trace Title of a', status: 'error', message: 'too slow'});
	});

	test('are sent by the machine that made the run', () => {
		expect(spansOf([...begun, finished(), completedOf('a')], 'there')).toEqual([]);
	});

	test('are open while a task waits for a person', () => {
		const gate = {...item('gate', 'a'), review: 'final' as const};
		const spans = spansOf([planOf(item('a'), gate), ...begun.slice(1), finished(), completedOf('a')]);
		expect(spans.map(({name}) => name)).not.toContain('trace Title of a');
	});
});

test('a span is encoded as OTLP JSON', () => {
	const span: Span = {
		...{
			traceId: 'a'.repeat(32),
			spanId: 'b'.repeat(16),
			name: 'run builder',
			status: 'error',
			message: 'No key',
		},
		...{start: '2026-01-01T00:00:00.001Z', end: '2026-01-01T00:00:01.000Z'},
		attributes: {text: 'one', whole: 3, part: 0.5, is: true},
	};
	expect(JSON.parse(encodeSpans([span], {resource: {'service.name': 'shop'}, version: '1.2.3'}))).toEqual({
		resourceSpans: [
			{
				resource: {
					attributes: [
						{key: 'service.name', value: {stringValue: 'shop'}},
						{key: 'service.version', value: {stringValue: '1.2.3'}},
					],
				},
				scopeSpans: [
					{
						scope: {name: 'hive', version: '1.2.3'},
						spans: [
							{
								...{traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'run builder', kind: 1},
								startTimeUnixNano: '1767225600001000000',
								endTimeUnixNano: '1767225601000000000',
								attributes: [
									{key: 'text', value: {stringValue: 'one'}},
									{key: 'whole', value: {intValue: '3'}},
									{key: 'part', value: {doubleValue: 0.5}},
									{key: 'is', value: {boolValue: true}},
								],
								status: {code: 2, message: 'No key'},
							},
						],
					},
				],
			},
		],
	});
});
