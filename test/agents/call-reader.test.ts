import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {adapterOf} from '../../source/agents/adapter.ts';
import {callLines} from '../../source/agents/call-lines.ts';
import {createCallReader} from '../../source/agents/call-reader.ts';
import {createReadableLog, readableLog} from '../../source/agents/readable-log.ts';
import type {AdapterName} from '../../source/colony/colony.ts';
import type {CallRef} from '../../source/domain/call-ref.ts';

const recorded = (path: string): Buffer => readFileSync(new URL(`streams/${path}.ndjson`, import.meta.url));

const records = (...all: object[]): Buffer =>
	Buffer.from(all.map(record => `${JSON.stringify(record)}\n`).join(''));

/** Returns the calls that the log of the output names, by its lines. */
const callsIn = (adapter: AdapterName, output: Uint8Array): ReadonlyMap<string, CallRef> => {
	const lines = readableLog(adapter, '').push(output);
	return new Map(lines.flatMap(({text, call}) => (call ? [[text, call] as const] : [])));
};

const read = (adapter: AdapterName, output: Uint8Array, {from, nth}: CallRef, size = 1000) => {
	const reader = createCallReader(adapterOf(adapter).read, nth, text => text);
	for (let at = from; at < output.length; at += size) reader.push(output.subarray(at, at + size));
	return reader.now();
};

const blocks = (...content: object[]) => ({type: 'assistant', message: {id: 'm', content}});
const use = (id: string, name: string, input: object) => ({type: 'tool_use', id, name, input});
const result = (id: string, content: string, isError = false) => ({
	type: 'user',
	message: {content: [{type: 'tool_result', tool_use_id: id, content, is_error: isError}]},
});

describe('a tool call in a stream', () => {
	const output = records(
		blocks(
			{type: 'text', text: 'Grün'},
			use('a', 'Read', {file_path: 'a.ts'}),
			use('b', 'Bash', {command: 'ls'}),
		),
		result('b', 'one\ntwo', true),
		blocks({type: 'text', text: 'Hm.'}),
		result('a', 'whole\nfile'),
	);

	it('is read from its place, with its own result, however the output is split', () => {
		const calls = callsIn('claude', output);
		const [first, second] = [calls.get('> Read a.ts'), calls.get('> Bash ls')];
		expect([first, second]).toEqual([
			{from: 0, nth: 1},
			{from: 0, nth: 2},
		]);
		for (const size of [1, 7, 1000]) {
			expect(read('claude', output, first ?? {from: 0, nth: 0}, size)).toEqual({
				...{name: 'Read', input: {file_path: 'a.ts'}, output: 'whole\nfile', state: 'done'},
			});
			expect(read('claude', output, second ?? {from: 0, nth: 0}, size)).toMatchObject({
				...{output: 'one\ntwo', state: 'failed'},
			});
		}
	});

	it('belongs to the line of its result too', () => {
		const calls = callsIn('claude', output);
		expect(calls.get('  Read: whole (+1 line)')).toEqual(calls.get('> Read a.ts'));
	});

	it('has the output so far where the tool streams it', () => {
		const bytes = recorded('pi/success');
		const [ref] = [...callsIn('beta', bytes)].flatMap(([text, call]) =>
			text.includes('number') ? [call] : [],
		);
		const update = bytes.lastIndexOf('"tool_execution_end","toolCallId":"toolu_2_1"');
		const start = bytes.lastIndexOf('\n', update) + 1;
		expect(read('beta', bytes.subarray(0, start), ref ?? {from: 0, nth: 0})).toMatchObject({
			...{state: 'running', output: 'line one\nline two\nline three'},
		});
		expect(read('beta', bytes, ref ?? {from: 0, nth: 0})).toMatchObject({state: 'done'});
	});
});

const same = (text: string): string => text;

describe('the lines of a tool call', () => {
	it('are its whole input and output', () => {
		const call = {
			name: 'edit',
			input: {path: 'a', text: 'x\ny', list: [1]},
			output: 'ok\n',
			state: 'done',
		} as const;
		expect(callLines(call, same)).toEqual([
			...['Input:', '  path: a', '  text:', '    x', '    y', '  list:', '    [', '      1', '    ]'],
			...['Output:', '  ok'],
		]);
	});

	it('state what is not known', () => {
		const call = {name: 'bash', input: {}, output: '', state: 'running'} as const;
		expect(callLines(call, same)).toEqual(['No output yet.']);
		expect(callLines(call, same, true)).toEqual(['Its result is not in the output.']);
		expect(callLines({...call, state: 'denied'}, same)).toEqual(['It was denied.']);
	});

	it('have at most 256 KiB, without secrets also where a text is cut', () => {
		const output = `${'x'.repeat(98_304 - 3)}secret${'y'.repeat(1_000_000)}`;
		const redact = (text: string): string => text.replaceAll('secret', '[redacted]');
		const text = callLines(
			{name: 'bash', input: {nested: {a: 'secret'}}, output, state: 'done'},
			redact,
		).join('\n');
		expect(text.length).toBeLessThan(256 * 1024 + 200);
		expect(text).toMatch(/… \d+ characters left out/);
		expect(text).not.toMatch(/sec/);
	});
});

it('the full log has the whole input and output of each tool call', () => {
	const log = createReadableLog(adapterOf('claude').read, '', same, true);
	const output = records(blocks(use('a', 'Bash', {command: 'ls\nls -l'})), result('a', 'one\ntwo', true));
	expect(log.push(output).map(({text}) => text)).toEqual([
		...['> Bash ls ls -l', '  command:', '    ls', '    ls -l', '! failed:', '  one', '  two'],
	]);
});
