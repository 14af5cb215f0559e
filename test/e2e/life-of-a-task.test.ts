import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builder, createColony, readJson} from '../helpers/colony-on-disk.ts';

const plan = (...tasks: object[]) => JSON.stringify({tasks});

describe('a plan of tasks', () => {
	it('is carried out from a request through runs and proposals to one merge equal to the preview', async () => {
		const colony = await createColony();
		const {traceId, taskId, taskIds, ready, waiting} = await colony.ask<{
			traceId: string;
			[field: string]: unknown;
		}>(['task', 'create', '--plan', '-'], {
			input: plan(
				{taskId: 'left', title: 'The left half'},
				{taskId: 'right', title: 'The right half', dependsOn: ['left']},
			),
		});
		expect({taskId, taskIds, ready, waiting}).toEqual({
			taskId: 'left',
			taskIds: ['left', 'right'],
			ready: ['left'],
			waiting: true,
		});

		const ended = await colony.hive(['run', '--until-idle']);
		expect(ended.exitCode).toBe(8);
		const {tasks} = await colony.ask<{tasks: {taskId: string}[]}>(['task', 'list', '--trace', traceId]);
		expect(tasks).toMatchObject([
			{taskId: 'left', status: 'completed', summary: 'Built left', proposalWorkspace: 'isolated'},
			{taskId: 'right', status: 'completed', summary: 'Built right', proposalWorkspace: 'isolated'},
			{taskId: '_review', status: 'waiting_review', review: 'final'},
		]);
		expect(kindsOf(await colony.replay(traceId))).toEqual([
			'task.plan',
			...['left', 'right'].flatMap(task => [
				`task.ready ${task}`,
				`task.status ${task} ready`,
				`energy.consume ${task}`,
				`task.status ${task} running`,
				`run.summary ${task}`,
				`code.proposal.isolated ${task}`,
				`run.finished ${task} completed`,
				`task.completed ${task} completed`,
			]),
			'task.plan',
			'task.status _review waiting_review',
		]);
		expect(await colony.notes()).toHaveLength(2);

		const shown = await colony.ask<{tree: string; stat: string; patch: string}>([
			'proposal',
			'diff',
			'--trace',
			traceId,
		]);
		expect(shown.patch).toContain('+made by right');
		expect(shown.stat).toContain('2 files changed');
		const stale = ['proposal', 'approve', '--trace', traceId, '--task', '_review', '--tree', 'f00d'];
		expect(await colony.ask(stale, {exit: 4})).toMatchObject({ok: false, error: {code: 'stale_view'}});

		await colony.write('right.txt', 'unsaved\n');
		const diff = await colony.hive(['proposal', 'diff', '--trace', traceId]);
		expect(diff.stdout).toContain('in the way: right.txt is not saved in git\n');
		await rm(join(colony.root, 'right.txt'));
		await colony.write('notes-of-mine.txt', 'unsaved\n');
		const approved = await colony.ask<{commit: string}>([
			...stale.slice(0, -1),
			shown.tree,
			'--merge-message',
			'Two halves\n\nThe body.',
		]);
		expect(approved).toMatchObject({taskId: '_review', base: 'main', carried: [], worktreeKept: ''});
		expect(await colony.git(['rev-parse', 'HEAD'])).toBe(approved.commit);
		expect(await colony.git(['rev-parse', 'HEAD^{tree}'])).toBe(shown.tree);
		expect(await colony.git(['log', '-1', '--format=%B'])).toBe(
			`Two halves\n\nThe body.\n\nHive-Trace: ${traceId}`,
		);
		expect(await colony.read('right.txt')).toBe('made by right\n');
		expect(await colony.git(['status', '--porcelain'])).toBe('?? notes-of-mine.txt');
		expect(await colony.exists(`.hive/worktrees/${traceId}`)).toBe(false);
		expect(await colony.ask(['energy', 'show', '--trace', traceId])).toMatchObject({
			energyBudget: 12,
			energyRemaining: 10,
		});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	});

	it('leaves the specified files in the colony root', async () => {
		const colony = await createColony();
		const {traceId, taskId} = await colony.ask<{traceId: string; taskId: string}>([
			'task',
			'create',
			'--task',
			'half',
			'--body',
			'Do half of it.\n\nThe first half.',
		]);
		await colony.hive(['run', '--until-idle']);
		const {runs} = await colony.ask<{runs: {agentId: string; startedAt: string; finishedAt: string}[]}>([
			'task',
			'show',
			'--trace',
			traceId,
			'--task',
			taskId,
		]);
		const [{agentId, startedAt, finishedAt}] = runs as [(typeof runs)[0]];
		const runDir = `.hive/runs/${traceId}/${agentId}`;
		const at = (name: string) => join(colony.root, runDir, name);
		const identity = {traceId, agentId, bee: 'builder', adapter: 'script'};
		const workspace = join(colony.root, '.hive/worktrees', traceId);
		expect(await readJson(at('meta.json'))).toMatchObject({...identity, workspace, taskId, startedAt});
		expect(await readJson(at('request.json'))).toMatchObject({
			protocolVersion: 'agent-runtime.v1',
			...identity,
			workspace,
			colonyRoot: colony.root,
			taskId,
			task: 'Do half of it.\n\nThe first half.',
			intent: '',
			insights: [],
			resultPath: at('summary.md'),
			eventLogPath: at('events.ndjson'),
			createdAt: startedAt,
		});
		const status = await readJson(at('status.json'));
		expect(status).toMatchObject({protocolVersion: 'agent-runtime.v1', state: 'completed', exitCode: 0});
		expect(await readJson(at('result.json'))).toEqual({
			protocolVersion: 'agent-runtime.v1',
			traceId,
			agentId,
			status: 'completed',
			summary: 'Built half',
			artifacts: [
				{kind: 'diff', path: 'changes.diff'},
				{kind: 'log', path: 'stdout.log'},
				{kind: 'log', path: 'stderr.log'},
			],
			diagnostics: {exitCode: 0, error: '', stderr: ''},
			finishedAt: status.finishedAt,
		});
		expect(await colony.read(`${runDir}/summary.md`)).toBe('Built half\n');
		expect(await colony.read(`${runDir}/changes.diff`)).toContain('+made by half');
		expect(await colony.exists(`${runDir}/prompt.txt`)).toBe(true);
		expect(await colony.exists(`${workspace.slice(colony.root.length + 1)}/.hive/runs`)).toBe(false);

		const folder = `.hive/runs/${traceId}/tasks/${taskId}`;
		const [front = '', body] = (await colony.read(`${folder}/task.md`)).slice(4).split('\n---\n\n');
		expect(body).toBe('Do half of it.\n\nThe first half.\n');
		expect(Object.fromEntries(front.split('\n').map(line => line.split(/: (.*)/s)))).toMatchObject({
			traceId: JSON.stringify(traceId),
			taskId: '"half"',
			title: '"Do half of it."',
			status: '"completed"',
			summary: '"Built half"',
			proposalWorkspace: '"isolated"',
			updatedAt: expect.stringMatching(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/),
		});
		expect(JSON.parse(await colony.read(`${folder}/runs.ndjson`))).toEqual({
			agentId,
			bee: 'builder',
			runDir,
			startedAt,
			finishedAt,
			runStatus: 'completed',
		});
	});
});

describe('a task that needs a person', () => {
	it('waits, is rejected with feedback for the next prompt, and is completed when approved', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...builder,
					prompt_template: 'builder.md',
					script: 'cat "$HIVE_PROMPT_FILE" >"$HIVE_TASK_ID.txt"; echo Built',
				},
			},
			files: {
				'.hive/prompts/builder.md':
					'{{.Task}}\n{{with .Feedback}}Wanted: {{.}}\n{{end}}{{range .Insights}}- {{.}}\n{{end}}',
			},
		});
		const task = ['--trace', 't', '--task', 'page'];
		await colony.ask(['task', 'create', ...task, '-b', 'Write a page', '--review', 'required']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await colony.ask(['proposal', 'list'])).toMatchObject({
			proposals: [{traceId: 't', taskId: 'page', status: 'waiting_review'}],
		});
		expect(await colony.ask(['proposal', 'diff', ...task])).toMatchObject({
			taskId: 'page',
			workspace: 'isolated',
			patch: expect.stringContaining('+Write a page'),
		});
		expect(await colony.ask(['proposal', 'reject', ...task, '--feedback', 'Shorter, please'])).toEqual({
			v: 1,
			traceId: 't',
			taskId: 'page',
			reworkTaskId: 'page',
			reworks: 'page',
		});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {runs} = await colony.ask<{runs: {agentId: string}[]}>(['task', 'show', ...task]);
		expect(runs).toHaveLength(2);
		const prompt = await colony.read(`.hive/runs/t/${runs[1]?.agentId}/prompt.txt`);
		expect(prompt).toBe(
			'Write a page\nWanted: Shorter, please\n- Beekeeper feedback: Shorter, please\n- Summary (builder): Built\n',
		);
		expect(await colony.ask(['proposal', 'approve', ...task])).toMatchObject({commit: '', base: ''});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await colony.ask(['task', 'list', '--trace', 't'])).toMatchObject({
			tasks: [
				{status: 'completed', commit: ''},
				{taskId: '_review', status: 'waiting_review'},
			],
		});
	});

	it('is reworked after its gate is rejected, and the gate opens again', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'page', '-b', 'Write a page']);
		await colony.hive(['run', '--until-idle']);
		const gate = ['--trace', 't', '--task', '_review'];
		const {reworkTaskId} = await colony.ask<{reworkTaskId: string}>([
			'proposal',
			'reject',
			...gate,
			'--feedback',
			'Add a second page',
		]);
		const {tasks} = await colony.ask<{tasks: {body: string}[]}>(['task', 'list', '--trace', 't']);
		expect(tasks).toMatchObject([
			{taskId: 'page', status: 'completed'},
			{taskId: '_review', status: 'planned'},
			{taskId: reworkTaskId, status: 'ready', bee: '', title: 'Rework: Write a page'},
		]);
		expect(tasks[2]?.body).toMatch(/^Add a second page\n/);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		await colony.ask(['proposal', 'approve', ...gate]);
		expect(await colony.git(['ls-files', '*.txt'])).toBe(`page.txt\n${reworkTaskId}.txt`);
		expect(await colony.ask(['status'])).toMatchObject({
			traces: [{traceId: 't', tasks: [{status: 'completed'}, {status: 'completed'}, {status: 'completed'}]}],
		});
	});
});

/** Returns a short summary of each event. */
const kindsOf = (events: readonly {payload: {kind: string; [field: string]: unknown}}[]): string[] =>
	events.map(({payload: {kind, taskId = '', status = ''}}) => `${kind} ${taskId} ${status}`.trim());
