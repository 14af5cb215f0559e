import {appendFile, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import type {UnfoldedCall} from '../../source/host/live/live.ts';
import {followToolCall} from '../../source/host/logs/tool-call.ts';
import {runDirectory, runPath} from '../../source/runs/layout.ts';
import {buildRun, buildTrace} from '../dashboard/build-trace.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';

const before = `${JSON.stringify({type: 'message_end', message: {role: 'assistant', content: 'Grün.'}})}\n`;
const record = (type: string, more: object): string =>
	`${JSON.stringify({type, toolCallId: 'c', toolName: 'bash', ...more})}\n`;
const textOf = (text: string) => ({content: [{type: 'text', text}]});

test('a tool call is followed from its place until its result, without secrets', async () => {
	const root = await mkdtemp(join(tmpdir(), 'hive-call-'));
	onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const folder = runDirectory(root, 't', 'r');
	const stdout = runPath(folder, 'stdout');
	await mkdir(folder, {recursive: true});
	await writeFile(runPath(folder, 'meta'), JSON.stringify({adapter: 'beta'}));
	await writeFile(stdout, before + record('tool_execution_start', {args: {command: 'echo hunter22'}}));
	const trace = buildTrace('t', {runs: [buildRun('r', {status: 'running'})]});
	// The tested code uses only these fields.
	const following = {
		context: {files: createFiles(), colony: {root}, clock: createSystemClock()},
		host: {secrets: async () => ['hunter22']},
		ledger: {snapshot: () => trace},
	} as unknown as Parameters<typeof followToolCall>[0];
	const shown: UnfoldedCall[] = [];
	const stop = new AbortController();
	onTestFinished(() => stop.abort());
	const call = {from: Buffer.byteLength(before), nth: 0};
	const done = followToolCall(following, {traceId: 't', agentId: 'r', call}, stop.signal, one =>
		shown.push(one),
	);
	const last = (): string => shown.at(-1)?.lines.join('\n') ?? '';
	await vi.waitFor(() => expect(last()).toContain('No output yet.'), {timeout: timeoutMs});
	await appendFile(stdout, record('tool_execution_update', {partialResult: textOf('ok 1')}));
	await vi.waitFor(() => expect(last()).toContain('Output so far:\n  ok 1'), {timeout: timeoutMs});
	await appendFile(stdout, record('tool_execution_end', {result: textOf('ok 1\nhunter22'), isError: true}));
	await done;
	expect(shown.at(-1)?.isRunning).toBe(false);
	expect(last()).toMatch(/It failed:\n {2}ok 1\n {2}\[redacted/);
	expect(JSON.stringify(shown)).not.toContain('hunter22');
});
