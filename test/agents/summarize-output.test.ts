import fc from 'fast-check';
import {expect, test} from 'vitest';
import {adapters} from '../../source/colony/colony.ts';
import {sumUp} from './summed.ts';

const alpha = (output: string) => sumUp('alpha', output);
const beta = (output: string) => sumUp('beta', output);
const script = (output: string) => sumUp('script', output);

const lines = (...records: unknown[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');
const assistant = (text: string) => ({type: 'assistant', message: {content: [{type: 'text', text}]}});

test('alpha takes the final text and the usage from the result line', () => {
	const stdout = lines({type: 'system', subtype: 'init'}, assistant('Thinking.'), {
		type: 'result',
		subtype: 'success',
		is_error: false,
		result: ' Done. \n',
		usage: {inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 3},
	});
	expect(alpha(stdout)).toEqual({
		summary: 'Done.',
		usage: {
			inputTokens: 10,
			outputTokens: 2,
			cacheReadTokens: 0,
			cacheWriteTokens: 3,
			source: 'cursor.stream-json',
		},
	});
});

test('alpha reads the other spelling of usage, and skips values that are no count', () => {
	const usage = {input_tokens: 7, output_tokens: -1, cache_read_input_tokens: 'x'};
	expect(alpha(lines({type: 'result', result: 'x', usage})).usage).toEqual({
		inputTokens: 7,
		source: 'cursor.stream-json',
	});
	expect(alpha(lines({type: 'result', result: 'x', usage: {}}))).not.toHaveProperty('usage');
});

test.each([
	['is_error', {type: 'result', is_error: true, result: 'Not logged in.'}, 'Not logged in.'],
	['a subtype', {type: 'result', subtype: 'error_max_turns'}, 'the agent reported error_max_turns'],
	['is_error alone', {type: 'result', subtype: 'success', is_error: true}, 'the agent reported an error'],
	['an error text', {type: 'result', subtype: 'error', error: 'quota'}, 'quota'],
	['an error object', {type: 'result', is_error: true, error: {message: 'quota'}}, 'quota'],
	['a list of errors', {type: 'result', subtype: 'error_max_turns', errors: ['one', 'two']}, 'one; two'],
])('a result that reports an error by %s fails the run although it exits 0', (_, record, error) => {
	expect(alpha(lines(record)).error).toBe(error);
});

test('torn, foreign and empty lines around the result are skipped', () => {
	const result = '{"type":"result","subtype":"success","result":"Done."}';
	expect(alpha(`warning: x\n{"type":"resu\n\n[1]\nnull\n${result}\r\n{"type":"assis`)).toEqual({
		summary: 'Done.',
	});
});

test("without a result line the summary is the assistant's last message", () => {
	expect(alpha(lines(assistant('One.'), assistant('Two.'), {type: 'tool_call'}))).toEqual({
		summary: 'Two.',
	});
});

test('plain-text output is its own summary', () => {
	expect(alpha('\nAll done.\n')).toEqual({summary: 'All done.'});
});

test('a JSON object over several lines is read as a whole', () => {
	expect(alpha(JSON.stringify({type: 'result', result: 'Done.'}, null, 2))).toEqual({summary: 'Done.'});
});

test.each([
	['a field', {summary: 'S', text: 'T'}, 'S'],
	['the order of the fields', {result: 'R', output: 'O'}, 'O'],
	['a nested answer', {response: {text: 'N'}}, 'N'],
	['nested data', {ok: true, data: {message: {content: 'N'}}}, 'N'],
	['a field past an empty one', {summary: ' ', output: 'O'}, 'O'],
])('beta finds %s', (_, record, summary) => {
	expect(beta(JSON.stringify(record, null, 2))).toEqual({summary});
});

const codex = [
	{type: 'thread.started', thread_id: 't'},
	{type: 'turn.started'},
	{type: 'item.started', item: {id: 'i0', type: 'command_execution', command: 'ls', status: 'in_progress'}},
	{type: 'item.completed', item: {id: 'i1', type: 'agent_message', text: 'Done.'}},
];

const opencode = [
	{type: 'step_start', sessionID: 's', part: {type: 'step-start'}},
	{
		type: 'tool_use',
		sessionID: 's',
		part: {type: 'tool', tool: 'bash', state: {status: 'completed', output: 'x'}},
	},
	{type: 'text', sessionID: 's', part: {type: 'text', text: 'Done.'}},
];

test.each([
	['codex exec --json', [...codex, {type: 'turn.completed', usage: {input_tokens: 1, output_tokens: 1}}], {}],
	['codex that fails', [...codex, {type: 'turn.failed', error: {message: 'quota'}}], {error: 'quota'}],
	[
		'opencode run --format json',
		[...opencode, {type: 'step_finish', part: {type: 'step-finish', reason: 'stop'}}],
		{},
	],
	[
		'opencode that fails',
		[...opencode, {type: 'error', error: {name: 'X', data: {message: 'quota'}}}],
		{error: 'quota'},
	],
	['gemini --output-format json', [{session_id: 's', response: 'Done.', stats: {}}], {}],
])('beta reads the output of %s', (_, records, error) => {
	expect(beta(lines(...records))).toEqual({summary: 'Done.', ...error});
});

test('beta takes the text of an error from the result that reports it', () => {
	const record = {type: 'result', subtype: 'success', is_error: true, result: 'Not logged in.'};
	expect(beta(lines(record)).error).toBe('Not logged in.');
});

test('beta takes the newest line with a text, else the whole output', () => {
	expect(beta(lines({text: 'one'}, {text: 'two'}, {type: 'end'}))).toEqual({summary: 'two'});
	expect(beta(lines({type: 'end'}))).toEqual({summary: '{"type":"end"}'});
	expect(beta(' plain \n')).toEqual({summary: 'plain'});
});

test('a script that prints nothing has no summary', () => {
	expect(script(' \n')).toEqual({summary: ''});
});

test('any output is read without an error', () => {
	const pieces = fc.oneof(
		fc.string(),
		fc.json({maxDepth: 2}).map(json => `${json}\n`),
		fc.constantFrom(
			'{"type":"result"}\n',
			'{"type":"assistant","message":{"content":[null,1]}}\n',
			'{',
			'}\n',
		),
	);
	fc.assert(
		fc.property(fc.array(pieces, {maxLength: 8}), parts => {
			for (const adapter of adapters) {
				const {summary, error} = sumUp(adapter, parts.join(''));
				expect(summary).toBe(summary.trim());
				expect(error).not.toBe('');
			}
		}),
	);
});

const published = {
	...{ok: true, traceId: 't', type: 'INSIGHT', kind: 'context.note', id: 'x', sequence: 3},
	...{eventLogPath: '/colony/.hive/runs/t/a/events.ndjson', warnings: []},
};
const deferred = {
	...{ok: true, deferred: true, traceId: 't', type: 'INSIGHT', kind: 'context.note', id: 'x'},
	...{pendingPath: '/colony/.hive/runs/t/a/pending.ndjson', warnings: []},
};
const queued = {
	...{ok: true, queued: true, traceId: 't', type: 'INSIGHT', kind: 'context.note', id: 'x'},
	...{spoolPath: '/colony/.hive/runs/t/a/sandbox/spool', warnings: []},
};
const refused = {ok: false, error: 'invalid_json', details: [{path: '', message: 'no', hint: 'yes'}]};

test("hive's answers to a script that emits are not part of its summary", () => {
	const said = lines(published, {v: 1, ...published}, deferred, queued, refused);
	expect(script(`Before\n${said}After\n`).summary).toBe('Before\nAfter');
	expect(script(said).summary).toBe('');
});

test("a line of JSON that only resembles hive's answer stays in the summary", () => {
	const {warnings: _, ...short} = published;
	for (const other of [short, {...published, more: 1}, {ok: true}, {...refused, ok: true}, [published]]) {
		const line = JSON.stringify(other);
		expect(script(`${line}\n`).summary).toBe(line);
	}
	const within = `It said ${JSON.stringify(published)}`;
	expect(script(within).summary).toBe(within);
});
