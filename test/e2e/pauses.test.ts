import {appendFile, mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {agentTool} from '../dispatch/rig.ts';
import {
	type ColonyOnDisk,
	createColony,
	publishesIsolated,
	type ScriptedBee,
} from '../helpers/colony-on-disk.ts';

const tool: ScriptedBee = {adapter: 'alpha', command: undefined, script: '', params: {model: 'limited'}};
const planner: ScriptedBee = {
	...tool,
	subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
};
const cue = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n';

/** A colony whose tool is at its limit until `topUp` is called. */
const colonyWithLimit = async (bees: Readonly<Record<string, ScriptedBee>>, defaults = {}) => {
	const colony = await createColony({
		bees,
		settings: {defaults: {...defaults, prompt_template: 'do.md'}},
		files: {
			'.hive/prompts/do.md': '{{.Feedback}}{{.Task}}',
			'.hive/cues/feature.yaml': cue,
			'.hive/cues/other.yaml': cue,
		},
	});
	const [folder = ''] = await readdir(join(colony.home, '.config/hive'));
	const adapters = `adapters: {alpha: {binary: ${JSON.stringify(agentTool('alpha'))}}}\n`;
	await appendFile(join(colony.home, '.config/hive', folder, 'config.yaml'), adapters);
	return colony;
};

const topUp = async ({root}: ColonyOnDisk): Promise<void> => {
	await mkdir(join(root, '.hive/cache'), {recursive: true});
	await writeFile(join(root, '.hive/cache/topped-up'), '');
};

type Run = {readonly agentId: string; readonly status: string; readonly pausedUntil: string};
type Shown = {readonly task: {readonly status: string; readonly pausedUntil: string}; readonly runs: Run[]};

const builder = {...tool, worktree: true, publishes: publishesIsolated};
const t = ['--trace', 't'] as const;
const show = (colony: ColonyOnDisk, task = 'a') => colony.ask<Shown>(['task', 'show', ...t, '--task', task]);
const create = (colony: ColonyOnDisk) =>
	colony.ask(['task', 'create', ...t, '--task', 'a', '-b', 'Greet them.', '--autorun']);
const untilIdle = (colony: ColonyOnDisk, ...more: string[]) => colony.hive(['run', '--until-idle', ...more]);

/** Returns the resumed session and the prompt of each run. */
const starts = async (colony: ColonyOnDisk, runs: readonly Run[]) =>
	Promise.all(
		runs.map(async ({agentId}) => {
			const folder = `.hive/runs/t/${agentId}`;
			const argv: string[] = JSON.parse(await colony.read(`${folder}/arguments.json`));
			const at = argv.indexOf('--resume');
			return {resumes: at < 0 ? '' : argv[at + 1], prompt: await colony.read(`${folder}/prompt.txt`)};
		}),
	);

describe('a task whose tool meets a limit', () => {
	it('is paused without cost, shown as paused everywhere, and a retry resumes its session', async () => {
		const colony = await colonyWithLimit({builder});
		await create(colony);
		const idle = await untilIdle(colony);
		expect(idle.exitCode).toBe(8);
		expect(idle.stdout).toMatch(
			/^t waits: a is paused until \d{4}-\d\d-\d\d \d\d:\d\d: Usage limit reached\.$/m,
		);
		expect(idle.stdout).toContain('Next: hive task retry --trace t --task a goes on at once');
		const paused = await show(colony);
		const [run] = paused.runs;
		expect(paused.task).toMatchObject({status: 'blocked', summary: 'Usage limit reached.'});
		expect(Date.parse(paused.task.pausedUntil)).toBeGreaterThan(Date.now());
		expect(run).toMatchObject({status: 'failed', pausedUntil: paused.task.pausedUntil});
		expect(await colony.ask(['energy', 'show', ...t])).toMatchObject({energyRemaining: 12});
		expect((await colony.hive(['status'])).stdout).toMatch(/^t +paused /m);
		expect((await colony.hive(['task', 'list', ...t])).stdout).toMatch(/^a +paused /m);
		expect((await colony.hive(['why', 'a', ...t])).stdout).toContain(
			'the limit of its tool, which passes at ',
		);
		expect(await colony.ask(['energy', 'add', ...t, '--amount', '5'])).toMatchObject({resumed: []});
		expect((await untilIdle(colony)).exitCode).toBe(8);

		await topUp(colony);
		expect(await colony.ask(['task', 'retry', ...t, '--task', 'a'])).toMatchObject({taskId: 'a'});
		expect((await untilIdle(colony)).exitCode).toBe(8);
		const {task, runs} = await show(colony);
		expect(task).toMatchObject({status: 'completed', pausedUntil: ''});
		const [first, second] = await starts(colony, runs);
		expect(first).toEqual({resumes: '', prompt: 'Greet them.'});
		expect(second?.resumes).toBe('session-1');
		const ended = runs.at(-1)?.agentId ?? '';
		expect(await colony.ask(['bee', 'retry', ended], {exit: 4})).toMatchObject({
			error: {message: `The run ${ended} of builder cannot be repeated: it succeeded.`},
		});
		expect(second?.prompt).toMatch(
			/^A usage limit stopped you in the middle of this task\.[\s\S]*Greet them\.$/,
		);
	});

	it('begins a new session on request of a person', async () => {
		const colony = await colonyWithLimit({builder});
		await create(colony);
		await untilIdle(colony);
		await topUp(colony);
		await colony.ask(['task', 'retry', ...t, '--task', 'a', '--fresh']);
		await untilIdle(colony);
		const [, second] = await starts(colony, (await show(colony)).runs);
		expect(second).toEqual({resumes: '', prompt: 'Greet them.'});
	});

	it('fails when the colony is configured so', async () => {
		const colony = await colonyWithLimit({builder}, {on_limit: 'fail'});
		await create(colony);
		expect((await untilIdle(colony)).exitCode).toBe(9);
		expect((await show(colony)).task).toMatchObject({status: 'failed', pausedUntil: ''});
		expect(await colony.ask(['energy', 'show', ...t])).toMatchObject({energyRemaining: 11});
	});
});

describe('a rework task', () => {
	it('resumes the session of the reworked task, unless a person requests a new one', async () => {
		const colony = await colonyWithLimit({builder});
		await topUp(colony);
		await create(colony);
		await untilIdle(colony);
		for (const [words, ...more] of [['Louder.'], ['Softer.', '--fresh']]) {
			const gate = ['--task', '_review', '--feedback', words ?? '', ...more];
			const {reworkTaskId} = await colony.ask<{reworkTaskId: string}>(['proposal', 'reject', ...t, ...gate]);
			await untilIdle(colony);
			const [start] = await starts(colony, (await show(colony, reworkTaskId)).runs);
			expect(start?.resumes).toBe(more.length === 0 ? 'session-1' : '');
			expect(start?.prompt).toContain(words);
		}
	});
});

describe('a request whose planning meets a limit', () => {
	it('waits for the limit, and is repeated when a person retries it', async () => {
		const colony = await colonyWithLimit({planner});
		await colony.ask(['cue', 'run', 'feature', 'Do it', ...t]);
		const idle = await untilIdle(colony, '--json');
		expect(idle.exitCode).toBe(8);
		const {traces} = await colony.ask<{traces: {runs: Run[]}[]}>(['status']);
		const [{agentId = '', pausedUntil = ''} = {}] = traces[0]?.runs ?? [];
		expect(pausedUntil).not.toBe('');
		expect(JSON.parse(idle.stdout.trim().split('\n').at(-1) ?? '')).toEqual({
			...{v: 1, traceId: 't'},
			waits: expect.stringMatching(/^a run of planner waits: the limit of its tool, which passes at /),
			next: `hive bee retry ${agentId} goes on at once`,
		});
		expect((await colony.hive(['status'])).stdout).toMatch(/^t +paused /m);
		await topUp(colony);
		expect(await colony.ask(['bee', 'retry', agentId])).toEqual({
			...{v: 1, traceId: 't', agentId, bee: 'planner', taskId: ''},
		});
		expect((await untilIdle(colony)).exitCode).toBe(0);
		expect(await colony.ask(['bee', 'retry', agentId], {exit: 4})).toMatchObject({
			error: {
				code: 'wrong_status',
				message: `The run ${agentId} of planner cannot be repeated: a later run answers the same event.`,
			},
		});
		expect(await colony.ask(['bee', 'retry', 'nobody'], {exit: 3})).toMatchObject({
			error: {code: 'run_not_found'},
		});
	});

	it('does not wait if it has already emitted its plan', async () => {
		const plan = {kind: 'task.plan', tasks: [{taskId: 'a', title: 'Greet them.', bee: 'builder'}]};
		const met = {type: 'result', is_error: true, result: 'Usage limit reached.'};
		const script = `emit '${JSON.stringify({type: 'INSIGHT', payload: plan})}'\necho '${JSON.stringify(met)}'\nexit 1`;
		const hasty: ScriptedBee = {
			...{adapter: 'claude', script, subscribes: planner.subscribes},
			publishes: [{type: 'INSIGHT', kind: 'task.plan'}],
		};
		const colony = await colonyWithLimit({builder: {script: 'true'}, planner: hasty});
		await colony.ask(['cue', 'run', 'feature', 'Do it', ...t]);
		await untilIdle(colony);
		const {traces} = await colony.ask<{traces: {runs: (Run & {bee: string})[]}[]}>(['status']);
		expect(traces[0]?.runs).toMatchObject([
			{bee: 'planner', status: 'failed', pausedUntil: ''},
			{bee: 'builder', status: 'completed'},
		]);
		expect((await show(colony)).task.status).toBe('completed');
	});
});

describe('a request whose bee has no program', () => {
	it('waits with a reason instead of failing, and is served once the program exists', async () => {
		const bin = '.hive/cache/bin';
		const colony = await createColony({
			bees: {
				planner: {
					...{script: '', command: ['wanted-tool']},
					subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
				},
			},
			files: {'.hive/cues/feature.yaml': cue},
		});
		const env = {PATH: `${join(colony.root, bin)}:${process.env.PATH}`};
		await colony.ask(['cue', 'run', 'feature', 'Do it', ...t]);
		const idle = await colony.hive(['run', '--until-idle'], {env});
		expect(idle).toMatchObject({
			exitCode: 8,
			stdout: expect.stringContaining(
				't never began: a run of planner waits: wanted-tool: command not found\n       Next: install wanted-tool',
			),
		});
		expect((await colony.hive(['status'], {env})).stdout).toMatch(/^t +blocked /m);
		expect(await colony.ask(['energy', 'show', ...t])).toMatchObject({energyRemaining: 12});
		await mkdir(join(colony.root, bin), {recursive: true});
		await writeFile(join(colony.root, bin, 'wanted-tool'), '#!/bin/sh\necho planned\n', {mode: 0o755});
		expect((await colony.hive(['run', '--until-idle'], {env})).exitCode).toBe(0);
	});
});
