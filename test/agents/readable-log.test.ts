import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type LogLine, readableLog} from '../../source/agents/readable-log.ts';
import {type AdapterName, adapters} from '../../source/colony/colony.ts';

const stream = (adapter: 'alpha' | 'beta', name: string): Uint8Array =>
	readFileSync(new URL(`../../fixtures/agents/${adapter}/streams/${name}.ndjson`, import.meta.url));

const readLines = (adapter: AdapterName, ...parts: (Uint8Array | string)[]): LogLine[] => {
	const log = readableLog(adapter, '/repo');
	return [...parts.flatMap(part => log.push(Buffer.from(part))), ...log.end()];
};

const readAll = (adapter: AdapterName, ...parts: (Uint8Array | string)[]): string[] =>
	readLines(adapter, ...parts).map(({text}) => text);

test('alpha: the log shows each message, each tool call and the end once', () => {
	expect(readAll('alpha', stream('alpha', 'feature'))).toEqual([
		'I look at the files first.',
		'> read readme.md',
		'  # Readme',
		'> shell echo Hello > greeting.txt',
		'greeting.txt says Hello.',
		'Nothing else changed.',
		'= done after 12 s',
	]);
	expect(readAll('alpha', stream('alpha', 'refused'))).toEqual([
		'Let me try.',
		'= failed after 1 s: You have reached your usage limit.',
	]);
});

test('alpha: tool calls inside a message are shown', () => {
	const content = [
		{type: 'text', text: 'Now.'},
		{type: 'tool_use', name: 'Edit', input: {file_path: 'a.ts', old: 'x'}},
	];
	expect(readAll('alpha', JSON.stringify({type: 'assistant', message: {content}}))).toEqual([
		'Now.',
		'> Edit a.ts',
	]);
});

test('beta: the log shows whole messages and tools, not their parts', () => {
	expect(readAll('beta', stream('beta', 'feature'))).toEqual([
		'I write it now.',
		'> write greeting.txt',
		'  Wrote 6 bytes',
		'greeting.txt says Hello.',
		'= done',
	]);
	expect(readAll('beta', stream('beta', 'refused'))).toEqual(['= failed: model not found']);
});

test('the output of a script is shown as written, JSON too', () => {
	expect(readAll('script', '{"type":"result"}\nplain\n\nlast')).toEqual([
		'{"type":"result"}',
		'plain',
		'',
		'last',
	]);
});

test('lines of an unknown form are shown unchanged, also an incomplete last line', () => {
	expect(readAll('alpha', 'npm warn x\r\n{"type":"assis\n', '{"type":')).toEqual([
		'npm warn x',
		'{"type":"assis',
		'{"type":',
	]);
});

test('a record too long to hold is named and dropped, and the next one is read', () => {
	const log = readableLog('alpha', '');
	const part = Buffer.from('{'.repeat(1024 * 1024));
	for (let count = 0; count < 20; count += 1) expect(log.push(part)).toEqual([]);
	const next = '\n{"type":"result","result":"Done."}\n';
	expect(log.push(Buffer.from(next)).map(({text}) => text)).toEqual([
		`(a line of ${20 * 1024 * 1024} bytes is in the raw log)`,
		'Done.',
		'= done',
	]);
});

test('a long line of plain text is shown in pieces while it is written', () => {
	const log = readableLog('alpha', '');
	const [first] = log.push(Buffer.from('é'.repeat(50_000)));
	expect(first).toMatchObject({text: 'é'.repeat(32_768 - 8192), end: 65_536});
	const rest = log.push(Buffer.from('.\nnext\n')).map(({text}) => text);
	expect(rest).toEqual([`${'é'.repeat(50_000 - 32_768 + 8192)}.`, 'next']);
});

test("records of an unknown form are shown unchanged until one of the tool's own forms appears", () => {
	const foreign = '{"type":"thread.started","thread_id":"t"}';
	const own = '{"type":"system","subtype":"init","session_id":"s"}';
	expect(readAll('claude', `${foreign}\n${own}\n${foreign}\n`)).toEqual([foreign]);
});

test('a warning of a tool is not shown as a failed call', () => {
	const warning = '{"type":"error","severity":"warning","message":"Loop detected, stopping execution"}';
	expect(readAll('gemini', warning)).toEqual(['! Loop detected, stopping execution']);
});

test('a log line has its end offset in the output, and its time if the tool reports one', () => {
	const said = '{"type":"text","timestamp":1764000000000,"part":{"text":"One\\nTwo"}}\n';
	expect(readLines('opencode', said, 'é')).toEqual([
		{text: 'One', end: said.length, at: '2025-11-24T16:00:00.000Z'},
		{text: 'Two', end: said.length, at: '2025-11-24T16:00:00.000Z'},
		{text: 'é', end: said.length + 2},
	]);
});

test('chunk boundaries do not change the log', () => {
	for (const adapter of ['alpha', 'beta'] as const) {
		const bytes = Buffer.concat([stream(adapter, 'feature'), Buffer.from('Bäume 🌳 \xff')]);
		const whole = readAll(adapter, bytes);
		fc.assert(
			fc.property(fc.array(fc.integer({min: 0, max: bytes.length}), {maxLength: 20}), cuts => {
				const ends = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
				const parts = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
				expect(readAll(adapter, ...parts)).toEqual(whole);
			}),
			{numRuns: 30},
		);
	}
});

test('any output is read without an error', () => {
	const record = fc.record(
		{
			type: fc.constantFrom('assistant', 'tool_call', 'result', 'message_end', 'tool_execution_start', 'x'),
			message: fc.anything(),
			tool_call: fc.anything(),
			subtype: fc.anything(),
			result: fc.anything(),
			args: fc.anything(),
		},
		{requiredKeys: []},
	);
	fc.assert(
		fc.property(fc.array(fc.oneof(record, fc.string())), records => {
			const text = records
				.map(value => JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? 1 : v)))
				.join('\n');
			for (const adapter of adapters)
				for (const line of readAll(adapter, text)) expect(line).toEqual(expect.any(String));
		}),
	);
});

test('streamed text that a killed tool did not end is shown, including the bytes of its last part', () => {
	const said = (content: string) =>
		`${JSON.stringify({type: 'message', role: 'assistant', content, delta: true})}\n`;
	const parts = [said('First line.\nAnd then'), said(' I was')];
	expect(readLines('gemini', ...parts)).toEqual([
		{text: 'First line.', end: parts[0]?.length},
		{text: 'And then I was', end: parts.join('').length},
	]);
});

test('no part of a secret remains where a line is cut', () => {
	const secret = 'a-key-of-some-length';
	const redact = (text: string): string => text.replaceAll(secret, '[redacted]');
	const log = readableLog('alpha', '', redact);
	for (let before = 140; before < 165; before++) {
		const command = `${'x'.repeat(before)}${secret} and more of it ${'y'.repeat(200)}`;
		const content = [{type: 'tool_use', name: 'shell', input: {command}}];
		const [line] = log.push(Buffer.from(`${JSON.stringify({type: 'assistant', message: {content}})}\n`));
		expect(line?.text).toMatch(/^> shell x+/);
		expect(line?.text).not.toContain(secret.slice(0, 4));
	}
});
