import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {runAgent} from '../../source/acp/run-agent.ts';
import type {AcpRecord} from '../../source/agents/acp/record.ts';

test('an agent that never opens a session fails its run, and is ended', async () => {
	const records: AcpRecord[] = [];
	const killed: string[] = [];
	let end = (_: string): void => {};
	const ended = new Promise<string>(resolve => {
		end = resolve;
	});
	const [input, output] = [new PassThrough(), new PassThrough()];
	input.on('finish', () => end('it ended with exit code 0'));
	const isWell = await runAgent({
		program: {input, output, ended, errors: () => '', kill: name => killed.push(name)},
		...{cwd: '/', prompt: 'Do it.', version: '1', servesFiles: true, folder: undefined},
		...{model: undefined, mode: undefined, resume: undefined, openMs: 1},
		permissions: {allow: [], ask: [], deny: []},
		...{server: undefined, resultFile: undefined, channel: undefined},
		write: record => records.push(record),
		signal: new AbortController().signal,
	});
	expect(isWell).toBe(false);
	expect(records).toEqual([{type: 'end', error: 'The agent opened no session within 0.001 s'}]);
	expect(killed).toEqual([]);
});
