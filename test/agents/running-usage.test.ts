import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {adapterOf} from '../../source/agents/adapter.ts';
import {createRunningUsage} from '../../source/agents/running-usage.ts';
import type {AdapterName} from '../../source/colony/colony.ts';
import {tokensOf} from '../../source/domain/run.ts';
import {sumUp} from './summed.ts';

const streams = join(import.meta.dirname, 'streams');

/** The lines of each stream that a real tool printed, each with its line feed. */
const recordingsOf = (tool: string): [string, string[]][] =>
	readdirSync(join(streams, tool))
		.filter(name => name.endsWith('.ndjson'))
		.map(name => [name, readFileSync(join(streams, tool, name), 'utf8').match(/[^\n]*\n/g) ?? []]);

const usageOf = (adapter: AdapterName, lines: readonly string[]) => {
	const {read} = adapterOf(adapter);
	if (read === undefined) throw new Error(`${adapter} has no stream.`);
	const usage = createRunningUsage(read);
	return lines.map(line => usage.push(Buffer.from(line)));
};

/** Tokens of the complete model calls in a stream that was cut. */
const tokensIn = (adapter: AdapterName, lines: readonly string[]): number =>
	tokensOf(sumUp(adapter, lines.join(''), false).usage ?? {});

describe.each([
	['claude', 'claude'],
	['opencode', 'opencode'],
	['pi', 'beta'],
] as const)('the usage of %s at work', (tool, adapter) => {
	test.each(recordingsOf(tool))('in %s lacks at most the model call that is under way', (_, lines) => {
		usageOf(adapter, lines).forEach((used, at) => {
			if (used !== undefined) expect(tokensOf(used)).toBe(tokensIn(adapter, lines.slice(0, at + 1)));
		});
	});

	test('is known while it calls tools, and not at its last message', () => {
		const [, lines = []] = recordingsOf(tool).find(([name]) => name === 'success.ndjson') ?? [];
		const reported = usageOf(adapter, lines);
		expect(reported.filter(used => used !== undefined).length).toBeGreaterThan(0);
		expect(reported.at(-1)).toBeUndefined();
	});
});

test.each(['codex', 'gemini'] as const)('the usage of %s is not known before its end', tool => {
	for (const [, lines] of recordingsOf(tool))
		for (const used of usageOf(tool, lines)) expect(used).toBeUndefined();
});

test('calls of subagents that report in turns are counted once', () => {
	const message = (id: string, tokens: number) =>
		`${JSON.stringify({
			type: 'assistant',
			message: {
				id,
				content: [{type: 'tool_use', id: `call-${id}`, name: 'Read', input: {}}],
				usage: {input_tokens: tokens},
			},
		})}\n`;
	const lines = [message('a', 10), message('b', 5), message('a', 12), message('b', 5)];
	expect(usageOf('claude', lines).at(-1)).toEqual({inputTokens: 17});
});
