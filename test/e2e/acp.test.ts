import {readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, linesOf, publishesIsolated} from '../helpers/colony-on-disk.ts';

const agent = resolve('fixtures/agents/acp/agent.mjs');

/** A colony whose builder is the stand-in agent with this scene. */
const colonyOf = (scene: string, more: object = {}): Promise<ColonyOnDisk> =>
	createColony({
		bees: {},
		settings: {defaults: {default_bee: 'builder'}},
		files: {
			'.hive/prompts/task.md': '{{.Task}}\n{{.Feedback}}\n',
			'.hive/bees/builder.yaml': JSON.stringify({
				adapter: 'acp',
				command: [process.execPath, agent, scene],
				prompt_template: 'task.md',
				worktree: true,
				publishes: publishesIsolated,
				permissions: {allow: ['edit']},
				...more,
			}),
		},
	});

type Shown = {
	readonly status: string;
	readonly summary: string;
	readonly runs: readonly {readonly agentId: string}[];
};

const of = ['--trace', 't', '--task', 'a'];
const show = (colony: ColonyOnDisk) => colony.ask<Shown>(['task', 'show', ...of]);

const start = async (colony: ColonyOnDisk): Promise<number | null> => {
	const tasks = [{taskId: 'a', title: 'Greet', body: 'Write a greeting.'}];
	await colony.ask(['task', 'create', '--plan', '-', '--trace', 't'], {input: JSON.stringify({tasks})});
	return run(colony);
};
const run = async (colony: ColonyOnDisk): Promise<number | null> =>
	(await colony.hive(['run', '--until-idle'])).exitCode;

/** What the agent of the last run was asked. */
const askedOf = async (colony: ColonyOnDisk) => {
	const {runs} = await show(colony);
	const folder = join(colony.root, '.hive/runs/t', runs.at(-1)?.agentId ?? '');
	return linesOf(await readFile(join(folder, 'asked.ndjson'), 'utf8')).map(line => JSON.parse(line));
};
const logOf = async (colony: ColonyOnDisk): Promise<string> => {
	const {runs} = await show(colony);
	return (await colony.hive(['logs', runs.at(-1)?.agentId ?? ''])).stdout;
};

const questionsOf = async (colony: ColonyOnDisk) =>
	(await colony.ask<{questions: readonly {questionId: string; act?: object}[]}>(['question', 'list']))
		.questions;

describe('a bee that speaks the Agent Client Protocol', () => {
	it('brings a task to a review, with its plan, files and usage, and resumes after a rejection', async () => {
		const colony = await colonyOf('work');
		expect(await start(colony)).toBe(8);
		expect(await show(colony)).toMatchObject({
			task: {status: 'completed', summary: 'Done: the greeting is written.'},
			runs: [
				{
					plan: [
						{text: 'Read the notes', status: 'done'},
						{text: 'Write the greeting', status: 'done'},
					],
					touched: [{path: 'greeting.txt', added: 1, removed: 0}],
				},
			],
		});
		expect(await colony.ask(['inspect', 'usage', '--trace', 't'])).toMatchObject({
			byRun: [
				{
					usage: {
						...{inputTokens: 60, cacheReadTokens: 40, outputTokens: 30, costUsd: 0.5},
						...{source: 'acp.json', toolSession: 'session-1'},
					},
				},
			],
		});
		expect(await logOf(colony)).toContain('I write a greeting.\n> edit greeting.txt');
		const asked = await askedOf(colony);
		expect(asked.map(({method}) => method)).toEqual(['initialize', 'session/new', 'session/prompt']);
		expect(asked[1].params.additionalDirectories).toEqual([expect.stringMatching(/sandbox\/spool$/)]);
		expect(asked[1].params.mcpServers).toMatchObject([
			{name: 'hive', args: ['mcp', '--tools', expect.any(String)]},
		]);

		await colony.ask(['proposal', 'reject', '--trace', 't', '--task', '_review', '--feedback', 'Shorter']);
		await run(colony);
		const later = (await colony.replay('t')).filter(({payload}) => payload.kind === 'run.finished').at(-1);
		const folder = join(colony.root, '.hive/runs/t', String(later?.payload.agentId));
		const again = linesOf(await readFile(join(folder, 'asked.ndjson'), 'utf8')).map(line => JSON.parse(line));
		expect(again.map(({method}) => method)).toEqual(['initialize', 'session/load', 'session/prompt']);
		const log = (await colony.hive(['logs', String(later?.payload.agentId)])).stdout;
		expect(log).not.toContain('This was said before');
	});

	it('asks a person for what its bee has no permission for, and tells it the words of a denial', async () => {
		const colony = await colonyOf('push');
		expect(await start(colony)).toBe(8);
		const [first] = await questionsOf(colony);
		expect(first).toMatchObject({
			source: 'permission',
			act: {tool: 'execute', command: 'git push origin main'},
			options: ['Allow', 'Deny'],
		});
		await colony.ask(['answer', first?.questionId ?? '', '--body', 'Not on a Friday']);
		expect(await run(colony)).toBe(8);
		// The words came in a further turn, in which it asks again.
		const prompts = (await askedOf(colony)).filter(({method}) => method === 'session/prompt');
		expect(prompts[1].params.prompt[0].text).toContain('git push origin main: Not on a Friday');
		const [second] = await questionsOf(colony);
		await colony.ask(['answer', second?.questionId ?? '', '--option', '1']);
		expect(await run(colony)).toBe(8);
		const shown = await show(colony);
		expect(shown).toMatchObject({task: {summary: 'The push: allow_once.'}});
		expect(JSON.stringify(await colony.replay('t'))).toContain('"toolTrouble":{"failed":0,"denied":1');
	});

	it('denies by the rules of its bee without a question', async () => {
		const colony = await colonyOf('push', {permissions: {allow: ['edit'], deny: ['shell(git push *)']}});
		expect(await start(colony)).toBe(8);
		expect(await questionsOf(colony)).toEqual([]);
		expect(await show(colony)).toMatchObject({task: {summary: 'The push: reject_once.'}});
	});

	it.each([
		['allow_always', 'the whole tool', ['edit', 'shell'], []],
		['reject_once', 'its pattern alone', ['edit', 'shell(git push *)'], []],
		['reject_once', 'what another rule denies in part', ['edit', 'shell'], ['shell(rm *)']],
	])(
		'answers %s to an agent that asks for good alone, if its bee allows %s',
		async (option, _, allow, deny) => {
			const colony = await colonyOf('forGood', {permissions: {allow, deny}});
			expect(await start(colony)).toBe(8);
			expect(await show(colony)).toMatchObject({task: {summary: `The push: ${option}.`}});
			const reason = 'since the agent asks for it for good alone: git push origin main';
			expect((await logOf(colony)).includes(reason)).toBe(option === 'reject_once');
		},
	);

	it.each([
		['allow_always', 'with --always', ['--always']],
		['reject_once', 'once', []],
	])(
		'answers %s to an agent that asks for good alone, if a person allows it %s',
		async (option, _, flags) => {
			const colony = await colonyOf('forGood');
			expect(await start(colony)).toBe(8);
			const [{questionId} = {questionId: ''}] = await questionsOf(colony);
			await colony.ask(['answer', questionId, '--option', '1', ...flags]);
			expect(await run(colony)).toBe(8);
			expect(await show(colony)).toMatchObject({task: {summary: `The push: ${option}.`}});
		},
	);

	it('serves no file outside the workspace, and reports it', async () => {
		const colony = await colonyOf('outside');
		expect(await start(colony)).toBe(8);
		const summary = 'Outside: /etc/passwd is outside the workspace';
		expect(await show(colony)).toMatchObject({task: {summary}});
		expect(await logOf(colony)).toContain('> fs/read_text_file /etc/passwd');
		expect(JSON.stringify(await colony.replay('t'))).toContain('"toolTrouble":{"failed":0,"denied":1');
	});

	it('offers no files to an agent that cannot take them', async () => {
		const params = {binary: agent, args: ['idle']};
		const colony = await colonyOf('idle', {command: undefined, agent: 'gemini', params});
		expect(await start(colony)).toBe(0);
		const [initialize] = await askedOf(colony);
		expect(initialize.params.clientCapabilities.fs).toEqual({readTextFile: false, writeTextFile: false});
	});

	it('works on after lines that are no messages and methods that hive lacks', async () => {
		const colony = await colonyOf('odd');
		expect(await start(colony)).toBe(8);
		expect(await show(colony)).toMatchObject({task: {status: 'completed', summary: 'Unknown: -32601.'}});
		const log = await logOf(colony);
		expect(log).toContain('a line that is no message: npm notice: a new version');
		expect(log).toContain('The agent asked for workspace/delete_all, which hive does not serve.');
	});

	it.each([
		['future', 'It speaks version 7 of the Agent Client Protocol; hive speaks version 1'],
		['dies', 'the agent was gone before it was done: it ended with exit code 3; panic: out of ideas'],
		['floods', 'The agent sent a message of more than 16777216 bytes'],
		['refuses', 'the agent refused to go on'],
	])('fails with a reason if its agent %s', async (scene, summary) => {
		const colony = await colonyOf(scene);
		expect(await start(colony)).toBe(9);
		expect(await show(colony)).toMatchObject({
			task: {status: 'failed', summary: expect.stringContaining(summary)},
		});
	});

	it('is stopped by its timeout if a turn never ends', async () => {
		const colony = await colonyOf('waits', {timeout: '1s'});
		expect(await start(colony)).toBe(9);
		expect(await show(colony)).toMatchObject({
			task: {status: 'failed', summary: expect.stringMatching(/timed? ?out|longer than/i)},
		});
	});
});
