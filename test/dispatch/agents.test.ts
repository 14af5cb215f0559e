import {describe, expect, test} from 'vitest';
import {redacted} from '../../source/domain/redact.ts';
import {createRig, publishesIsolated} from './rig.ts';

const bee = (adapter: 'alpha' | 'beta', model: string) => ({
	...{adapter, params: {model}, prompt_template: 'do.md'},
	...{worktree: true, publishes: publishesIsolated},
});

const bees = (adapter: 'alpha' | 'beta', ...models: string[]) =>
	Object.fromEntries(models.map(model => [model, bee(adapter, model)]));

describe('the alpha adapter', () => {
	test('a recorded stream becomes a summary, usage and a proposal', async () => {
		const rig = await createRig({bees: bees('alpha', 'feature')});
		const {run, result} = await rig.run('feature');
		expect(run).toMatchObject({
			status: 'completed',
			summary: 'greeting.txt says Hello.\nNothing else changed.',
		});
		expect(result.usage).toEqual({
			...{inputTokens: 1200, outputTokens: 85, cacheReadTokens: 900, cacheWriteTokens: 0},
			...{model: 'alpha-large', toolSession: '5d1e'},
			source: 'cursor.stream-json',
		});
		const [event] = await rig.events('code.proposal.isolated');
		expect(event?.payload.diff).toContain('+Hello');
	});

	test('an error that the agent reports fails the run although it exits with 0', async () => {
		const rig = await createRig({bees: bees('alpha', 'refused')});
		expect((await rig.run('refused')).run).toMatchObject({
			status: 'failed',
			exitCode: 0,
			summary: 'You have reached your usage limit.',
		});
	});

	test('garbage, bad UTF-8, torn lines and a missing last line feed do not hide the result', async () => {
		const rig = await createRig({bees: bees('alpha', 'torn')});
		expect((await rig.run('torn')).run).toMatchObject({
			status: 'completed',
			summary: 'Changed nothing: All trees are green.',
		});
	});

	test('a line of 8 MiB is skipped, and is read when it is the result', async () => {
		const rig = await createRig({bees: bees('alpha', 'huge', 'huge-error')});
		expect((await rig.run('huge')).run).toMatchObject({
			status: 'completed',
			summary: 'Changed nothing: Read a large file.',
		});
		expect((await rig.run('huge-error', 'two')).run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('out of patience'),
		});
	});

	test('100 MB of output are collected in bounded memory', async () => {
		const rig = await createRig({bees: bees('alpha', 'flood')});
		const agentId = await rig.begin('flood');
		await rig.ended(agentId);
		expect(await rig.files.size(`${rig.directoryOf(agentId)}/stdout.log`)).toBeGreaterThan(99_000_000);
		const before = process.memoryUsage().rss;
		const {run} = await rig.collect(agentId);
		expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
		expect(run.summary).toBe('Changed nothing: Said a lot.');
	});
});

describe('the beta adapter', () => {
	test('a recorded stream becomes a summary and a proposal', async () => {
		const rig = await createRig({bees: bees('beta', 'feature')});
		expect((await rig.run('feature')).run).toMatchObject({
			status: 'completed',
			summary: 'greeting.txt says Hello.',
		});
		expect(await rig.events('code.proposal.isolated')).toHaveLength(1);
	});

	test('an error that the agent reports fails the run although it exits with 0', async () => {
		const rig = await createRig({bees: bees('beta', 'refused')});
		expect((await rig.run('refused')).run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('model not found'),
		});
	});

	test.each([
		['whole', 'Changed nothing: Done in one go.'],
		['huge', 'Changed nothing: Read a large file.'],
	])('output of the form %s is parsed', async (model, summary) => {
		const rig = await createRig({bees: bees('beta', model)});
		expect((await rig.run(model)).run).toMatchObject({status: 'completed', summary});
	});
});

test('a script that prints without end is summarised by its last output', async () => {
	const rig = await createRig({
		bees: {
			maker: {
				adapter: 'script',
				command: ['sh', '-c', 'yes "a line of text" | head -c 20000000; echo; echo "All good"'],
			},
		},
	});
	const {agentId, run} = await rig.run('maker');
	expect(run.status).toBe('completed');
	const summary = await rig.text(agentId, 'summary.md');
	expect(summary.length).toBeLessThan(20_000);
	expect(summary).toMatch(/^… \(stdout.log has the rest\)\na line of text\n[\s\S]*\nAll good\n$/);
});

test('a secret that the agent prints stays in its raw output and reaches nothing else', async () => {
	const key = 'sk-canary/0123456789+abc';
	const rig = await createRig({
		bees: {
			secret: bee('alpha', 'secret'),
			failing: {adapter: 'script', command: ['sh', '-c', `echo "bad token ${key}" >&2; exit 1`]},
		},
		environment: {ALPHA_API_KEY: key, HIVE_CONSOLE_TOKEN: 'console-secret'},
	});
	const {agentId, run} = await rig.run('secret');
	expect(run).toMatchObject({
		status: 'completed',
		summary: expect.stringContaining(`The key is ${redacted}, or `),
	});
	const failed = await rig.run('failing', 'two');
	expect(failed.run.summary).toBe(`exit code 1: bad token ${redacted}`);
	const written = await Promise.all(
		[
			'summary.md',
			'result.json',
			'status.json',
			'events.ndjson',
			'changes.diff',
			'prompt.txt',
			'request.json',
		].map(name => rig.text(agentId, name)),
	);
	const texts = [
		...written,
		JSON.stringify(await rig.events()),
		JSON.stringify(failed.result),
		rig.reports.join(),
	];
	const middle = btoa(`user:${key}`).slice(8, -8);
	for (const text of texts)
		for (const form of [key, middle, 'console-secret']) expect(text).not.toContain(form);
	expect(await rig.text(agentId, 'stdout.log')).toContain(key);
	expect(
		await rig.repository.git(['show', `refs/hive/keep/${(await rig.trace()).traceId}/${agentId}:config.txt`]),
	).toContain(key);
});

test('a secret that the read limit cuts in two does not leak in part', async () => {
	const key = `sk-${'k'.repeat(60)}`;
	const rig = await createRig({
		bees: {
			maker: {
				adapter: 'script',
				command: [
					'sh',
					'-c',
					`printf 'x%.0s' $(seq 1 500) >&2; printf '%s' "$1" >&2; printf 'y%.0s' $(seq 1 2020) >&2; exit 1`,
					'sh',
					key,
				],
			},
		},
		environment: {HIVE_CONSOLE_TOKEN: key},
	});
	expect((await rig.run('maker')).result.diagnostics.stderr).not.toContain('kkkk');
});
