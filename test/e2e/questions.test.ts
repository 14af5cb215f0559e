import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	type ColonyOnDisk,
	createColony,
	publishesIsolated,
	type ScriptedBee,
} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';
import {runHive} from '../helpers/run-hive.ts';

const question = (more: object = {}): string =>
	JSON.stringify({type: 'SIGNAL', payload: {kind: 'human.question', text: 'A or B?', ...more}});

/** A bee that executes its task text, with the answer of a person in FEEDBACK. */
const obedient = {prompt_template: 'obey.md'};
const script =
	'FEEDBACK="$(cat "$HIVE_PROMPT_FILE" | sed -n "/^FEEDBACK:/,\\$p")"; . "$HIVE_COLONY_ROOT/$(sed -n 1p "$HIVE_PROMPT_FILE")"';
const builder: ScriptedBee = {worktree: true, publishes: publishesIsolated, ...obedient, script};
const asking: ScriptedBee = {...builder, on_no_change: 'ask'};

const files = {
	'.hive/prompts/obey.md': '{{.Task}}\nFEEDBACK:{{.Feedback}}\n',
	'idle.sh': 'echo "I need a decision: A or B? I did not change anything"\n',
	'work.sh': 'echo done >"$HIVE_TASK_ID.txt"; echo Worked\n',
	'ask.sh': `if [ -z "\${FEEDBACK#FEEDBACK:}" ]; then echo half >half.txt; emit '${question({options: ['A', 'B']})}' >/dev/null; echo I asked
else echo "$FEEDBACK" >told.txt; echo Done; fi\n`,
	'fail.sh': `emit '${question()}' >/dev/null; exit 3\n`,
	'many.sh': `for n in $(seq 21); do emit '${question()}' >>"$HIVE_COLONY_ROOT/said.ndjson"; done; true\n`,
	'plan.sh': `if [ -z "\${FEEDBACK#FEEDBACK:}" ]; then emit '${question()}' >/dev/null; else echo "$FEEDBACK" >"$HIVE_COLONY_ROOT/told-scout"
emit '{"type":"INSIGHT","payload":{"kind":"task.plan","tasks":[{"taskId":"a","title":"A","body":"work.sh","dependsOn":[]}]}}' >/dev/null; fi\n`,
};

const create = async (colony: ColonyOnDisk, ...bodies: readonly string[]): Promise<string> => {
	const tasks = bodies.map((body, index) => ({taskId: 'abc'[index], title: `Task ${body}`, body}));
	const input = JSON.stringify({tasks});
	return (await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-'], {input})).traceId;
};

type Task = {
	readonly taskId: string;
	readonly status: string;
	readonly summary: string;
	readonly waitsFor: string;
};

const tasksOf = async (colony: ColonyOnDisk, traceId: string): Promise<readonly Task[]> => {
	const {tasks} = await colony.ask<{tasks: readonly Task[]}>(['task', 'list', '--trace', traceId]);
	return tasks;
};

type Entry = {
	readonly kind: string;
	readonly taskId?: string;
	readonly agentId?: string;
	readonly sentence: string;
};

const inboxOf = async (colony: ColonyOnDisk): Promise<readonly Entry[]> =>
	(await colony.ask<{inbox: readonly Entry[]}>(['status'])).inbox;

const run = async (colony: ColonyOnDisk): Promise<number | null> =>
	(await colony.hive(['run', '--until-idle'])).exitCode;

const of = (traceId: string, taskId = 'a'): string[] => ['--trace', traceId, '--task', taskId];

describe('a successful run without changes', () => {
	it('waits for a person if its bee is set to "ask", and later tasks wait with it', async () => {
		const colony = await createColony({bees: {builder: asking}, files});
		const traceId = await create(colony, 'idle.sh', 'work.sh');
		expect(await run(colony)).toBe(8);
		const summary = 'Changed nothing: I need a decision: A or B? I did not change anything';
		expect(await tasksOf(colony, traceId)).toMatchObject([
			{status: 'waiting_review', waitsFor: 'no_change', summary},
			{status: 'planned', waitsFor: ''},
		]);
		expect(await inboxOf(colony)).toMatchObject([{kind: 'no_change', taskId: 'a', sentence: summary}]);
		const waited = await colony.hive(['wait', '--trace', traceId, '--for', 'completed', '--timeout', '20s']);
		expect(waited.exitCode).toBe(8);
		await colony.ask(['proposal', 'approve', ...of(traceId)]);
		expect(await run(colony)).toBe(8);
		expect(await tasksOf(colony, traceId)).toMatchObject([
			{status: 'completed', waitsFor: ''},
			{status: 'completed'},
			{taskId: '_review', status: 'waiting_review'},
		]);
	});

	it('is rejected with feedback, and its next run follows the same rule', async () => {
		const colony = await createColony({bees: {builder: asking}, files});
		const traceId = await create(colony, 'idle.sh');
		await run(colony);
		await colony.ask(['proposal', 'reject', ...of(traceId), '--feedback', 'B']);
		expect(await run(colony)).toBe(8);
		expect(await tasksOf(colony, traceId)).toMatchObject([{status: 'waiting_review', waitsFor: 'no_change'}]);
		await colony.ask(['task', 'cancel', ...of(traceId)]);
		expect(await inboxOf(colony)).toEqual([]);
	});

	it('completes its task unless set to "ask", and the setting of a bee overrides the defaults', async () => {
		const usual = await createColony({bees: {builder}, files});
		expect(await tasksOf(usual, await done(usual))).toMatchObject([{status: 'completed', waitsFor: ''}]);
		const bees = {builder: {...builder, on_no_change: 'complete'}, other: builder};
		const colony = await createColony({bees, settings: {defaults: {on_no_change: 'ask'}}, files});
		expect(await tasksOf(colony, await done(colony))).toMatchObject([{status: 'completed'}]);
		const {traceId} = await colony.ask<{traceId: string}>([
			'task',
			'create',
			'--title',
			't',
			'--bee',
			'other',
			'-b',
			'idle.sh',
		]);
		expect(await run(colony)).toBe(8);
		expect(await tasksOf(colony, traceId)).toMatchObject([{waitsFor: 'no_change'}]);
	});
});

const done = async (colony: ColonyOnDisk): Promise<string> => {
	const traceId = await create(colony, 'idle.sh');
	expect(await run(colony)).toBe(0);
	return traceId;
};

describe('a question of a run', () => {
	const guard: ScriptedBee = {
		worktree: true,
		subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
		publishes: [{type: 'VERIFICATION', kind: 'verification.success'}],
		script: `emit '{"type":"VERIFICATION","payload":{"kind":"verification.success","summary":"fine"}}'`,
	};

	it("keeps its task waiting, with its proposal and the guard's verdict, until a person answers", async () => {
		const colony = await createColony({bees: {builder, guard}, files});
		const traceId = await create(colony, 'ask.sh', 'work.sh');
		expect(await run(colony)).toBe(8);
		const [task] = await tasksOf(colony, traceId);
		expect(task).toMatchObject({status: 'waiting_review', waitsFor: 'question', summary: 'A or B?'});
		const kinds = (await colony.replay(traceId)).map(({payload}) => payload.kind);
		expect(kinds.indexOf('verification.success')).toBeGreaterThan(kinds.indexOf('code.proposal.isolated'));
		expect(await inboxOf(colony)).toMatchObject([{kind: 'question', sentence: 'It asks: A or B? (A / B)'}]);
		const why = await colony.hive(['why', 'a', '--trace', traceId]);
		expect(why.stdout).toMatch(/^a asks you {2}Task ask\.sh\n/);
		expect(why.stdout).toContain('to answer: A or B? (A / B)');
		const refused = await colony.hive(['task', 'retry', ...of(traceId)]);
		expect(refused).toMatchObject({exitCode: 4, stderr: expect.stringContaining('waits for an answer')});
		await colony.ask(['task', 'retry', ...of(traceId), '--feedback', 'b']);
		expect(await run(colony)).toBe(8);
		expect(await tasksOf(colony, traceId)).toMatchObject([{status: 'completed'}, {status: 'completed'}, {}]);
		const told = await readFile(join(colony.root, '.hive/worktrees', traceId, 'told.txt'), 'utf8');
		expect(told).toContain('You asked: A or B?\nThe answer: B');
		const answers = (await colony.replay(traceId)).filter(({payload}) => payload.kind === 'human.answer');
		expect(answers).toMatchObject([{payload: {option: 'B'}}]);
	});

	it('has one answer: that of the first of two people', async () => {
		const colony = await createColony({bees: {builder}, files});
		const traceId = await create(colony, 'ask.sh');
		await run(colony);
		const {runs} = await colony.ask<{runs: {questions: {questionId: string}[]}[]}>([
			'task',
			'show',
			...of(traceId),
		]);
		const questionId = runs[0]?.questions[0]?.questionId;
		const emit = (option: string) =>
			colony.hive(['event', 'emit', '--stdin'], {
				input: JSON.stringify({
					traceId,
					type: 'INSIGHT',
					payload: {kind: 'human.answer', questionId, option},
				}),
			});
		expect(await emit('C')).toMatchObject({
			exitCode: 5,
			stdout: expect.stringContaining('must be one of: A, B'),
		});
		const both = await Promise.all([emit('A'), emit('B')]);
		expect(both.map(({exitCode}) => exitCode).sort()).toEqual([0, 4]);
		expect(await run(colony)).toBe(8);
		const answers = (await colony.replay(traceId)).filter(({payload}) => payload.kind === 'human.answer');
		expect(answers).toHaveLength(1);
	});

	it('is the summary of its task when the run failed, and a retry with feedback answers it', async () => {
		const colony = await createColony({bees: {builder}, files});
		const traceId = await create(colony, 'fail.sh');
		expect(await run(colony)).toBe(9);
		expect(await tasksOf(colony, traceId)).toMatchObject([
			{status: 'failed', summary: 'A or B?', waitsFor: ''},
		]);
		await colony.ask(['task', 'retry', ...of(traceId), '--feedback', 'neither']);
		const said = (await colony.replay(traceId)).map(({payload}) => [
			payload.kind,
			payload.text ?? payload.feedback,
		]);
		expect(said.slice(-2)).toEqual([
			['human.answer', 'neither'],
			['task.ready', 'You asked: A or B?\nThe answer: neither'],
		]);
	});

	it('is asked only by runs, answered only by people, never deferred, and at most twenty times', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...builder,
					script: `${script}
emit '{"type":"INSIGHT","payload":{"kind":"human.answer","questionId":"q","text":"me"}}' >>"$HIVE_COLONY_ROOT/answers.ndjson"
printf '%s' '${question()}' | hive event emit --stdin --defer >>"$HIVE_COLONY_ROOT/answers.ndjson"; true`,
				},
			},
			files,
		});
		const traceId = await create(colony, 'many.sh');
		expect(await run(colony)).toBe(8);
		const said = (await readFile(join(colony.root, 'said.ndjson'), 'utf8')).trim().split('\n');
		expect(said.map(line => JSON.parse(line).ok)).toEqual([...Array.from({length: 20}, () => true), false]);
		const [answer, deferral] = (await readFile(join(colony.root, 'answers.ndjson'), 'utf8'))
			.trim()
			.split('\n');
		expect(JSON.parse(answer ?? '')).toMatchObject({ok: false, error: 'not_for_agents'});
		expect(JSON.parse(deferral ?? '')).toMatchObject({ok: false, error: 'defer_denied'});
		const person = await colony.hive(['event', 'emit', '--stdin'], {
			input: JSON.stringify({traceId, type: 'SIGNAL', payload: {kind: 'human.question', text: 'Why?'}}),
		});
		expect(person).toMatchObject({exitCode: 4, stdout: expect.stringContaining('only a run can ask')});
	});
});

describe('a planning run that asks a question', () => {
	it('is listed with its trace, and plans once it is answered', async () => {
		const scout: ScriptedBee = {
			...obedient,
			script,
			subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
			publishes: [{type: 'INSIGHT', kind: 'task.plan'}],
			completion_contract: {required: [{type: 'INSIGHT', kind_one_of: ['task.plan']}]},
		};
		const colony = await createColony({bees: {builder, scout}, files});
		const request = {traceId: 'wish', type: 'SIGNAL', payload: {kind: 'feature.requested', body: 'plan.sh'}};
		await colony.hive(['event', 'emit', '--stdin'], {input: JSON.stringify(request)});
		expect(await run(colony)).toBe(8);
		const [entry] = await inboxOf(colony);
		expect(entry).toMatchObject({kind: 'question', sentence: 'Its scout asks: A or B?'});
		const waited = await colony.hive(['wait', '--trace', 'wish', '--for', 'completed', '--timeout', '20s']);
		expect(waited).toMatchObject({exitCode: 8, stdout: expect.stringContaining('to answer: A or B?')});
		const agentId = entry?.agentId ?? '';
		expect((await colony.hive(['bee', 'retry', agentId])).exitCode).toBe(4);
		await colony.ask(['bee', 'retry', agentId, '--feedback', 'C']);
		expect(await run(colony)).toBe(8);
		expect(await readFile(join(colony.root, 'told-scout'), 'utf8')).toContain('The answer: C');
		expect(await tasksOf(colony, 'wish')).toMatchObject([
			{taskId: 'a', status: 'completed'},
			{taskId: '_review'},
		]);
	});
});

describe('a new colony', () => {
	it('asks about unchanged runs of its agent tools, and sets no default', async () => {
		const {root} = await createRepository({'readme.md': 'x\n'});
		expect((await runHive(['init'], {cwd: root})).exitCode).toBe(0);
		expect(await readFile(join(root, '.hive/bees/builder.yaml'), 'utf8')).toContain('\non_no_change: ask\n');
		expect(await readFile(join(root, '.hive/colony.yaml'), 'utf8')).not.toContain('on_no_change');
		const closing = await readFile(join(root, '.hive/prompts/_partials/closing.md'), 'utf8');
		expect(closing).toContain('human.question');
	});
});
