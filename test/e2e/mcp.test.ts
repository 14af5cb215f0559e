import {readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, it, onTestFinished} from 'vitest';
import {canContain} from '../contain/namespaces.ts';
import {type ColonyOnDisk, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';

const agent = resolve('test/e2e/mcp/agent.mjs');

const script = `node ${agent} "$HIVE_COLONY_ROOT"; echo made >made.txt`;

/** A colony whose bee makes these calls through another implementation of MCP. */
const calling = (
	calls: readonly (readonly [tool: string, input: object])[],
	more: object = {},
): Promise<ColonyOnDisk> =>
	createColony({
		bees: {builder: {worktree: true, publishes: publishesIsolated, script, ...more}},
		files: {'calls.json': JSON.stringify(calls)},
	});

const resultsOf = async ({root}: ColonyOnDisk): Promise<unknown> =>
	JSON.parse(await readFile(join(root, 'results.json'), 'utf8'));

const questionsOf = async (colony: ColonyOnDisk) =>
	(
		await colony.ask<{questions: readonly {questionId: string; [field: string]: unknown}[]}>([
			'question',
			'list',
		])
	).questions;

const create = async (colony: ColonyOnDisk): Promise<string> =>
	(await colony.ask<{traceId: string}>(['task', 'create', '-b', 'Make it', '--autorun'])).traceId;

const run = async (colony: ColonyOnDisk): Promise<number | null> =>
	(await colony.hive(['run', '--until-idle'])).exitCode;

describe('a run that asks by MCP', () => {
	it('waits for the answer, also of a later reactor, and goes on with it', async () => {
		const colony = await calling([['ask_human', {text: 'Which format?', options: ['JSON', 'YAML']}]]);
		const traceId = await create(colony);
		expect(await run(colony)).toBe(8);
		const [question, ...others] = await questionsOf(colony);
		expect(others).toEqual([]);
		expect(question).toMatchObject({
			traceId,
			text: 'Which format?',
			options: ['JSON', 'YAML'],
			source: 'choice',
			isAwaited: true,
		});
		const id = question?.questionId ?? '';
		const waited = await colony.hive(['wait', '--trace', traceId, '--for', 'completed', '--timeout', '20s']);
		expect(waited.exitCode).toBe(8);
		expect((await colony.hive(['answer', id, '--option', '3'])).exitCode).toBe(2);
		await colony.ask(['answer', id, '--option', '2', '--body', 'with comments']);
		const late = await colony.hive(['answer', id, '--option', '1']);
		expect(late).toMatchObject({
			exitCode: 4,
			stderr: expect.stringContaining(`${id} was answered by human at`),
		});
		// The gate waits for a person now; the run was not repeated.
		expect(await run(colony)).toBe(8);
		expect(await resultsOf(colony)).toEqual([{text: 'YAML: with comments', isError: false}]);
		const {runs} = await colony.ask<{runs: readonly unknown[]}>([
			'task',
			'show',
			'--trace',
			traceId,
			'--task',
			await onlyTask(colony, traceId),
		]);
		expect(runs).toHaveLength(1);
		expect(await questionsOf(colony)).toEqual([]);
	});

	it('is allowed the same act from then on after "always", and nothing else', async () => {
		const push = {tool_name: 'Bash', input: {command: 'git push origin main'}};
		const other = {tool_name: 'Bash', input: {command: 'git push origin next'}};
		const colony = await calling([
			['ask_permission', push],
			['ask_permission', push],
			['ask_permission', other],
		]);
		await create(colony);
		expect(await run(colony)).toBe(8);
		const [first] = await questionsOf(colony);
		expect(first).toMatchObject({
			source: 'permission',
			act: {tool: 'Bash', command: 'git push origin main', input: JSON.stringify(push.input)},
			options: ['Allow', 'Deny'],
		});
		await colony.ask(['answer', first?.questionId ?? '', '--option', '1', '--always']);
		expect(await run(colony)).toBe(8);
		const [second] = await questionsOf(colony);
		expect(second).toMatchObject({act: {command: 'git push origin next'}});
		await colony.ask(['answer', second?.questionId ?? '', '--body', 'Not on a Friday']);
		expect(await run(colony)).toBe(8);
		const allowed = JSON.stringify({behavior: 'allow', updatedInput: push.input});
		const denied = JSON.stringify({behavior: 'deny', message: 'Not on a Friday'});
		expect(await resultsOf(colony)).toEqual([allowed, allowed, denied].map(text => ({text, isError: false})));
		expect(await colony.ask(['permission', 'list'])).toMatchObject({
			permissions: [{number: 1, tool: 'Bash', arguments: JSON.stringify(push.input)}],
		});
		await colony.ask(['permission', 'remove', '1']);
		expect(await colony.ask(['permission', 'list'])).toMatchObject({permissions: []});
	});

	it.skipIf(!canContain.can)(
		'gets its answer into its container, and what was allowed for good',
		async () => {
			const push = {tool_name: 'Bash', input: {command: 'git push'}};
			const colony = await calling(
				[
					['ask_human', {text: 'Which format?', options: ['JSON', 'YAML']}],
					['ask_permission', push],
					['set_title', {title: 'Inside'}],
				],
				{contain: 'required', script: `node ${agent} "$HIVE_COLONY_ROOT" "$PWD"`},
			);
			const traceId = await create(colony);
			const reactor = colony.follow(['run']);
			const asked = await reactor.event({kind: 'human.question'});
			const first = String(asked.payload.questionId);
			await colony.ask(['answer', first, '--option', '2']);
			await reactor.event({kind: 'ask.ended', questionId: first});
			const permission = await reactor.event({kind: 'human.question', source: 'permission'});
			await colony.ask(['answer', String(permission.payload.questionId), '--option', '1', '--always']);
			await reactor.event({kind: 'run.finished'});
			await reactor.kill('SIGTERM');
			const results = join(colony.root, '.hive/worktrees', traceId, 'results.json');
			expect(JSON.parse(await readFile(results, 'utf8'))).toMatchObject([
				{text: 'YAML', isError: false},
				{text: expect.stringContaining('"behavior":"allow"')},
				{isError: false},
			]);
			expect(JSON.stringify(await colony.replay(traceId))).toContain('Inside');
		},
	);

	it('publishes an event once, although the reactor is killed before it answers', async () => {
		const event = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'said once'}};
		const publishes = [...publishesIsolated, {type: 'INSIGHT', kind: 'context.note'}];
		const colony = await calling([['emit_event', event]], {publishes});
		const traceId = await create(colony);
		const killed = await colony.hive(['run', '--until-idle'], {env: {HIVE_CRASH_AT: 'emit.appended'}});
		expect(killed.exitCode).toBe(null);
		expect(await run(colony)).toBe(8);
		expect(await resultsOf(colony)).toMatchObject([{isError: false}]);
		const said = (await colony.replay(traceId)).filter(({payload}) => payload.kind === 'context.note');
		expect(said).toHaveLength(1);
	});

	it('is denied what no person answers in time', async () => {
		const push = {tool_name: 'Bash', input: {command: 'git push'}};
		const colony = await calling([['ask_permission', push]], {ask_timeout: '1ms'});
		await create(colony);
		expect(await run(colony)).toBe(8);
		const denied = JSON.stringify({behavior: 'deny', message: 'No person answered in time.'});
		expect(await resultsOf(colony)).toEqual([{text: denied, isError: false}]);
	});

	it('publishes a title and reads its task', async () => {
		const colony = await calling([
			['set_title', {title: 'A dark theme'}],
			['get_task', {}],
			['publish_verdict', {passed: true, summary: 'Good'}],
		]);
		const traceId = await create(colony);
		expect(await run(colony)).toBe(8);
		expect(await resultsOf(colony)).toMatchObject([
			{isError: false},
			{text: expect.stringContaining('Make it')},
			{isError: true, text: expect.stringContaining('its "publishes" does not list it')},
		]);
		expect(JSON.stringify(await colony.replay(traceId))).toContain('A dark theme');
	});
});

const onlyTask = async (colony: ColonyOnDisk, traceId: string): Promise<string> => {
	const {tasks} = await colony.ask<{tasks: readonly {taskId: string}[]}>([
		'task',
		'list',
		'--trace',
		traceId,
	]);
	return tasks[0]?.taskId ?? '';
};

describe('the server outside a run', () => {
	it('reads and starts features, and has no tool that decides', async () => {
		const colony = await createColony();
		const client = new Client({name: 'assistant', version: '1'});
		const transport = new StdioClientTransport({
			command: process.execPath,
			args: [builtCommand(), 'mcp'],
			cwd: colony.root,
			env: {...colony.env, PATH: process.env.PATH ?? ''},
		});
		await client.connect(transport);
		onTestFinished(() => client.close());
		const {tools} = await client.listTools();
		const names = tools.map(({name}) => name);
		expect(names).toEqual(
			expect.arrayContaining(['status', 'proposal_diff', 'question_list', 'start_feature']),
		);
		expect(
			names.filter(name => /approve|reject|answer|retry|cancel|kill|accept|add|create/.test(name)),
		).toEqual([]);
		const {content} = await client.callTool({name: 'status', arguments: {}});
		const [first] = content;
		const text = first?.type === 'text' ? first.text : '';
		expect(JSON.parse(text)).toMatchObject({v: 1, inbox: []});
	});
});
