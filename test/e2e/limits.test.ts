import {appendFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {agentTool} from '../dispatch/rig.ts';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

/** A colony whose runs each use 2,185 tokens of alpha-large: 1,200 in, 85 out, 900 from a cache. */
const colonyThatSpends = async (machine = '', defaults = {}) => {
	const colony = await createColony({
		bees: {
			builder: {
				...{adapter: 'alpha', command: undefined, script: '', params: {model: 'feature'}, worktree: true},
			},
		},
		settings: {defaults: {...defaults, prompt_template: 'do.md'}},
		files: {'.hive/prompts/do.md': '{{.Task}}'},
	});
	const [folder = ''] = await readdir(join(colony.home, '.config/hive'));
	const adapters = `adapters: {alpha: {binary: ${JSON.stringify(agentTool('alpha'))}}}\n`;
	await appendFile(join(colony.home, '.config/hive', folder, 'config.yaml'), adapters + machine);
	return colony;
};

type Shown = {readonly task: object; readonly runs: readonly object[]};

/** A model call of 1,005 tokens that calls a tool. */
const callsTool = (id: string): object => ({
	type: 'assistant',
	message: {
		id,
		content: [{type: 'tool_use', id: `call-${id}`, name: 'Bash', input: {command: 'make'}}],
		usage: {input_tokens: 1000, output_tokens: 5},
	},
});
const ends = {
	type: 'result',
	subtype: 'success',
	result: 'Done.',
	usage: {input_tokens: 500, output_tokens: 5},
};
const ndjson = (...records: readonly object[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');

/** Prints two model calls, and goes on. In a second run it ends well. */
const worksOn = [
	'[ -e half.txt ] && { echo whole > half.txt; cat "$HIVE_COLONY_ROOT/ends.ndjson"; exit 0; }',
	'echo half > half.txt',
	'cat "$HIVE_COLONY_ROOT/works.ndjson"',
	'exec sleep 600',
].join('\n');

const two = JSON.stringify({
	tasks: [
		{taskId: 'a', title: 'First', dependsOn: []},
		{taskId: 'b', title: 'Second', dependsOn: ['a']},
	],
});

const t = ['--trace', 't'] as const;
/** One dollar per thousand input tokens: each run costs $1.20. */
const prices = 'prices: {alpha: {input: 1000}}\n';

describe('a trace with a limit', () => {
	it('of money stops once its runs reach it, reports it, and resumes when the limit is raised', async () => {
		const colony = await colonyThatSpends(prices);
		const plan = ['task', 'create', ...t, '--plan', '-', '--max-cost', '1.00'];
		await colony.ask(plan, {input: two});
		const idle = await colony.hive(['run', '--until-idle']);
		expect(idle.exitCode).toBe(7);
		expect(await colony.ask(['task', 'show', ...t, '--task', 'b'])).toMatchObject({
			task: {status: 'blocked', summary: 'Cost limit reached'},
		});
		const why = await colony.hive(['why', 'b', ...t]);
		expect(why.stdout).toContain('the cost limit is reached');
		expect(why.stdout).toContain('hive energy add --trace t --cost <usd>');
		expect((await colony.hive(['energy', 'show', ...t])).stdout).toContain('$1.20 of $1.00 spent');
		expect((await colony.hive(['status'])).stdout).toMatch(/COST[\s\S]*\$1\.20\/\$1\.00/);

		const little = await colony.hive(['energy', 'add', ...t, '--cost', '0.1']);
		expect(little.stdout).toBe('Added $0.10 to the cost limit of t: $1.20 of $1.10 spent.\n');
		expect(await colony.ask(['energy', 'add', ...t, '--cost', '0.9'])).toEqual({
			...{v: 1, traceId: 't', amount: 0, cost: 0.9, resumed: ['b']},
			...{energyBudget: 12, energyRemaining: 11, maxCost: 2},
			spent: {cost: 1.2, tokens: 2185},
		});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await colony.ask(['energy', 'show', ...t])).toMatchObject({spent: {cost: 2.4, tokens: 4370}});
	});

	it('of tokens stops in the same way, set in the colony or on the command line', async () => {
		const colony = await colonyThatSpends('', {max_tokens: 2000});
		await colony.ask(['task', 'create', ...t, '--plan', '-'], {input: two});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(7);
		expect(await colony.ask(['task', 'show', ...t, '--task', 'b'])).toMatchObject({
			task: {status: 'blocked', summary: 'Token limit reached'},
		});
		expect(await colony.ask(['bee', 'run', 'builder', ...t, '-b', 'x'], {exit: 7})).toMatchObject({
			error: {
				code: 'honey_exhausted',
				hint: 'Top up with "hive energy add --trace t --tokens <n>".',
			},
		});
		await colony.ask(['energy', 'add', ...t, '--tokens', '3000']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	});

	it('stops a run that goes on when it is reached, keeps its work, and resumes it after a top-up', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...{adapter: 'claude', script: worksOn, worktree: true, publishes: publishesIsolated},
				},
			},
			settings: {defaults: {prompt_template: 'do.md'}},
			files: {
				'.hive/prompts/do.md': '{{.Task}}',
				'works.ndjson': ndjson(callsTool('one'), callsTool('two')),
				'ends.ndjson': ndjson(ends),
			},
		});
		const limit = ['--max-tokens', '2000'];
		await colony.ask(['task', 'create', ...t, '--task', 'a', '-b', 'Build it.', '--autorun', ...limit]);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(7);
		const {task, runs} = await colony.ask<Shown>(['task', 'show', ...t, '--task', 'a']);
		expect(task).toMatchObject({status: 'blocked', summary: 'Token limit reached'});
		expect(runs).toMatchObject([{status: 'cancelled'}]);
		expect(await colony.read('.hive/worktrees/t/half.txt')).toBe('half\n');
		expect(await colony.ask(['energy', 'show', ...t])).toMatchObject({spent: {tokens: 2010}});
		expect((await colony.hive(['why', 'a', ...t])).stdout).toContain('the token limit is reached');
		expect(await colony.ask(['energy', 'add', ...t, '--tokens', '9000'])).toMatchObject({resumed: ['a']});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await colony.ask(['task', 'show', ...t, '--task', 'a'])).toMatchObject({
			task: {status: 'completed'},
		});
	});

	it('of money warns of runs that it cannot count', async () => {
		const colony = await colonyThatSpends();
		await colony.ask(['task', 'create', ...t, '--plan', '-', '--max-cost', '1'], {input: two});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {runs} = await colony.ask<{runs: {warnings: string[]}[]}>(['task', 'show', ...t, '--task', 'a']);
		expect(runs.flatMap(({warnings}) => warnings)).toEqual([
			"max_cost does not count this run: its tool reports no cost, and prices in the config.yaml of hive's home has none for alpha-large",
		]);
	});

	it('has the limit from its start only: a later one is refused, and only an existing one is raised', async () => {
		const colony = await colonyThatSpends();
		await colony.ask(['task', 'create', ...t, '-b', 'x']);
		const before = await colony.replay('t');
		const late = ['task', 'create', ...t, '-b', 'y', '--max-cost', '3'];
		expect(await colony.ask(late, {exit: 2})).toMatchObject({error: {code: 'usage'}});
		expect(await colony.ask(['energy', 'add', ...t, '--cost', '3'], {exit: 2})).toMatchObject({
			error: {message: 'The trace t has no cost limit that could be raised.'},
		});
		expect(await colony.ask(['energy', 'add', ...t], {exit: 2})).toMatchObject({
			error: {message: 'There is nothing to add.'},
		});
		for (const cost of ['0', '-1', 'much', '1e3'])
			await colony.ask(['task', 'create', '-b', 'y', `--max-cost=${cost}`], {exit: 2});
		expect(await colony.replay('t')).toEqual(before);
	});
});
