import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, test} from 'vitest';
import type {AdapterName} from '../../source/colony/colony.ts';
import {sumUp} from './summed.ts';

const streams = join(import.meta.dirname, 'streams');

/** The failed and the denied calls that each recorded stream has, counted by a person. */
const counted: Readonly<Record<string, Readonly<Record<string, readonly [failed: number, denied: number]>>>> =
	{
		// A write that the settings disable, and a command that the mode refuses.
		claude: {denied: [0, 2], 'tool-failure': [2, 0]},
		// Two of three refusals are not in the stream. The third looks like any failed command.
		codex: {denied: [1, 0], 'tool-failure': [2, 0]},
		// The stream reports a command that exits with 1 as a success, without its exit code.
		gemini: {denied: [0, 2], 'tool-failure': [1, 0]},
		opencode: {denied: [0, 2], 'tool-failure': [2, 0]},
		pi: {'tool-failure': [2, 0]},
	};

const adapterOfTool: Readonly<Record<string, AdapterName>> = {
	...{claude: 'claude', codex: 'codex', gemini: 'gemini', opencode: 'opencode', pi: 'beta'},
};

it.each(Object.keys(counted))('each failed or denied call of %s is counted once', tool => {
	const scenarios = readdirSync(join(streams, tool)).filter(name => name.endsWith('.ndjson'));
	expect(scenarios.length).toBeGreaterThan(5);
	for (const name of scenarios) {
		const scenario = name.slice(0, -'.ndjson'.length);
		const {toolTrouble} = sumUp(adapterOfTool[tool] ?? 'script', readFileSync(join(streams, tool, name)));
		const expected = counted[tool]?.[scenario];
		const found = toolTrouble && [toolTrouble.failed, toolTrouble.denied];
		expect([scenario, found]).toEqual([scenario, expected]);
	}
});

const lines = (...records: unknown[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');
const calls = (...ids: string[]) => ({
	type: 'assistant',
	message: {content: ids.map(id => ({type: 'tool_use', id, name: 'Bash', input: {command: `run ${id}`}}))},
});
const result = (id: string, content: string, is_error = true) => ({
	type: 'user',
	message: {content: [{type: 'tool_result', tool_use_id: id, content, is_error}]},
});

test('a failure names its own call among several at once', () => {
	const output = lines(calls('a', 'b'), result('b', 'fine', false), result('a', 'Exit code 1'));
	expect(sumUp('claude', output).toolTrouble).toEqual({
		failed: 1,
		denied: 0,
		last: 'Bash run a: Exit code 1',
	});
});

test('a path that claude blocks for security is denied', () => {
	const text =
		"cat in '/etc/passwd' was blocked. For security, Claude Code may only concatenate files from the allowed working directories for this session: '/home/bee/work'.";
	expect(sumUp('claude', lines(calls('a'), result('a', text))).toolTrouble).toMatchObject({
		...{failed: 0, denied: 1},
	});
});

test('a patch that codex could not apply has failed', () => {
	const item = {type: 'file_change', changes: [{path: '/w/a.ts', kind: 'update'}], status: 'failed'};
	expect(sumUp('codex', lines({type: 'item.completed', item})).toolTrouble).toEqual({
		...{failed: 1, denied: 0, last: 'update /w/a.ts: the patch was not applied'},
	});
});
