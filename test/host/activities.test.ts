import {appendFile, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import type {RunRecord} from '../../source/domain/run.ts';
import {emptyTrace, rosterOfRuns, type Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {followActivities, readActivities} from '../../source/host/live/activities.ts';
import type {FollowOptions} from '../../source/host/live/follow-colony.ts';
import type {RunActivities} from '../../source/host/views/activity.ts';
import {openRunsOf} from '../../source/host/views/run.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {buildRun} from '../dashboard/build-trace.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {hostWith} from './host-with.ts';

/** A log that the test writes, over real run directories. */
const follow = async (...runs: RunRecord[]) => {
	const root = await mkdtemp(join(tmpdir(), 'hive-doing-'));
	const over = new AbortController();
	onTestFinished(async () => {
		over.abort();
		await rm(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
	});
	let trace: Trace = {...emptyTrace('t'), runs: rosterOfRuns(runs)};
	let tell = (): void => {};
	let shown: RunActivities = new Map();
	const pathOf = (agentId: string, name: string) => join(runDirectory(root, 't', agentId), name);
	const write = async (agentId: string, name: string, text: string): Promise<void> => {
		const path = pathOf(agentId, name);
		await mkdir(dirname(path), {recursive: true});
		await appendFile(path, text);
	};
	// The tested code uses only these fields.
	const context = {
		...{checkout: 'here', colony: {root}, files: createFiles(), clock: createSystemClock()},
	} as unknown as FollowOptions['context'];
	return {
		start: () =>
			followActivities({
				context,
				host: hostWith({secrets: async () => ['sesame-42']}),
				ledger: {traces: () => new Map([['t', trace]])},
				moved: (_signal, call) => {
					tell = call;
				},
				signal: over.signal,
				call: doings => {
					shown = doings;
				},
			}),
		say: (...now: RunRecord[]) => {
			trace = {...trace, runs: rosterOfRuns(now)};
			tell();
		},
		read: () => readActivities(context, openRunsOf(trace, 'here')),
		write,
		remove: (agentId: string, name: string) => rm(pathOf(agentId, name)),
		writeMeta: (agentId: string, adapter: string) =>
			writeFile(pathOf(agentId, 'meta.json'), JSON.stringify({adapter, workspace: '/repo'})),
		shows: (doings: Record<string, unknown>) =>
			vi.waitFor(() => expect(Object.fromEntries(shown)).toMatchObject(doings), {timeout: timeoutMs}),
		shown: () => shown,
	};
};

const record = (value: unknown): string => `${JSON.stringify(value)}\n`;
const called = (id: string, outputTokens: number, ...content: unknown[]): string =>
	record({type: 'assistant', message: {id, content, usage: {output_tokens: outputTokens}}});
const tool = (name: string, input: unknown) => ({type: 'tool_use', id: `call-${name}`, name, input});

it('the activity of a run is its tool and argument, then its text, with the usage so far', async () => {
	const colony = await follow(buildRun('a'));
	await colony.write('a', 'stdout.log', called('m1', 100, tool('Edit', {file_path: '/repo/src/a.ts'})));
	await colony.writeMeta('a', 'claude');
	colony.start();
	await colony.shows({a: {tool: 'Edit', about: 'src/a.ts', used: {outputTokens: 100}}});
	await colony.write('a', 'stdout.log', called('m2', 20, {type: 'text', text: 'First.\nThe tests pass.'}));
	await colony.shows({a: {about: 'The tests pass.', used: {outputTokens: 120}}});
	expect(colony.shown().get('a')?.tool).toBeUndefined();
	expect(colony.shown().get('a')?.spokeAt).toBeTypeOf('number');
});

it('activity is reported only for live runs of this checkout, from claim to end', async () => {
	const colony = await follow();
	colony.start();
	colony.say(buildRun('a'), buildRun('elsewhere', {place: 'another'}));
	for (const id of ['a', 'elsewhere']) await colony.write(id, 'stdout.log', 'compiling\n');
	await colony.shows({a: {about: 'compiling'}});
	expect([...colony.shown().keys()]).toEqual(['a']);
	colony.say(buildRun('a', {status: 'completed'}));
	await vi.waitFor(() => expect(colony.shown().size).toBe(0), {timeout: timeoutMs});
});

it('activity text is redacted before it is cut', async () => {
	const colony = await follow(buildRun('a'));
	await colony.write('a', 'stdout.log', `${'x'.repeat(155)}sesame-42 opens\n`);
	colony.start();
	await colony.shows({a: {about: expect.stringContaining('[reda')}});
	expect(colony.shown().get('a')?.about).not.toContain('sesa');
});

it('the activity of a long output is read from its last complete lines, and its usage is unknown', async () => {
	const colony = await follow(buildRun('a'));
	const line = called('m1', 1, tool('Read', {file_path: `/repo/${'long/'.repeat(100)}a.ts`}));
	await colony.write('a', 'stdout.log', line.repeat(Math.ceil((3 * 1024 * 1024) / line.length)));
	await colony.writeMeta('a', 'claude');
	colony.start();
	await colony.shows({a: {tool: 'Read'}});
	expect(colony.shown().get('a')?.used).toBeUndefined();
	await colony.write('a', 'stdout.log', called('m9', 5, tool('Bash', {command: 'npm test'})));
	await colony.shows({a: {tool: 'Bash', about: 'npm test'}});
});

it('a frozen run is marked as frozen, whether or not it has output', async () => {
	const colony = await follow(buildRun('a'), buildRun('b'));
	await colony.write('b', 'stdout.log', 'compiling\n');
	colony.start();
	await colony.shows({b: {about: 'compiling'}});
	for (const id of ['a', 'b']) await colony.write(id, 'frozen', '');
	await colony.shows({a: {about: '', isFrozen: true}, b: {about: 'compiling', isFrozen: true}});
	expect((await colony.read()).get('b')).toMatchObject({about: 'compiling', isFrozen: true});
	await colony.remove('b', 'frozen');
	await vi.waitFor(() => expect(colony.shown().get('b')).not.toHaveProperty('isFrozen'), {
		timeout: timeoutMs,
	});
	expect(colony.shown().get('a')).toHaveProperty('isFrozen');
});

it('the activity of each live run can be read once, without following it', async () => {
	const colony = await follow(buildRun('a'), buildRun('quiet'), buildRun('elsewhere', {place: 'another'}));
	await colony.write('a', 'stdout.log', called('m1', 100, tool('Edit', {file_path: '/repo/src/a.ts'})));
	await colony.writeMeta('a', 'claude');
	const doings = await colony.read();
	expect([...doings.keys()]).toEqual(['a']);
	expect(doings.get('a')).toMatchObject({tool: 'Edit', about: 'src/a.ts', used: {outputTokens: 100}});
	expect(doings.get('a')?.spokeAt).toBeTypeOf('number');
});
