import {expect, test} from 'vitest';
import {builder, type ScriptedBee} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const on = (task: string, ...more: string[]) => ['--trace', traceId, '--task', task, ...more];

/** Returns a guard that fails until its file `pass` is in the home; then it approves. */
const guard = (home: string): ScriptedBee => ({
	worktree: true,
	subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
	publishes: [{type: 'VERIFICATION', kind: 'verification.success'}],
	script: `[ -e ${home} ] || exit 4; emit '{"type":"VERIFICATION","payload":{"kind":"verification.success","summary":"fine now"}}'`,
});

/** Declares `task.completed`, so isolated proposals wait for it; it never runs by itself. */
const receiver: ScriptedBee = {
	worktree: true,
	subscribes: [{type: 'VERIFICATION', kind: 'verification.success', dispatch: 'direct'}],
	publishes: [{type: 'VERIFICATION', kind: 'task.completed'}],
	script: `emit '{"type":"VERIFICATION","payload":{"kind":"task.completed","taskId":"work","status":"completed","summary":"received"}}'`,
};

test('retrying a waiting task runs its failed guard again for one unit, and the verdict decides the task', async () => {
	const pass = '.hive/cache/pass';
	const colony = await createWaiting(undefined, {
		bees: {builder, guard: guard(`"$HIVE_COLONY_ROOT/${pass}"`), receiver},
	});
	expect(await colony.statuses()).toEqual({work: 'waiting_review'});
	const [failed] = (await colony.events('run.finished')).filter(({payload}) => payload.bee === 'guard');
	expect(failed).toMatchObject({payload: {status: 'failed', exitCode: 4}});
	await colony.write(pass, '');
	const honey = await colony.honey();
	expect(await colony.ask(['task', 'retry', ...on('work')])).toMatchObject({
		replaces: failed?.payload.agentId,
		repeats: 'guard',
	});
	expect(await colony.statuses()).toEqual({work: 'waiting_review'});
	await colony.run(8);
	expect(await colony.tasks()).toMatchObject([
		{taskId: 'work', status: 'completed', summary: 'received'},
		{taskId: '_review', status: 'waiting_review'},
	]);
	expect(await colony.honey()).toBe(honey - 2);
});

test('retrying a completed task runs its failed guard once more for one unit, however often it is requested', async () => {
	const pass = '.hive/cache/pass';
	const colony = await createWaiting(undefined, {
		bees: {builder, guard: guard(`"$HIVE_COLONY_ROOT/${pass}"`)},
	});
	const waiting = {work: 'completed', _review: 'waiting_review'};
	expect(await colony.statuses()).toEqual(waiting);
	const next = `hive task retry --trace ${traceId} --task work`;
	expect(await colony.ask(['why', 'work', '--trace', traceId])).toMatchObject({
		waits: [
			{for: 'person', what: expect.stringMatching(/^to retry the run \w+ of guard, which failed/), next},
		],
	});
	const shown = await colony.hive(['task', 'show', ...on('work')]);
	expect(shown.stdout).toMatch(/^Bee: +builder$/m);
	expect(shown.stdout).toMatch(/guard +failed/);
	expect(shown.stdout).toMatch(/^Waits: +person: to retry the run \w+ of guard, which failed/m);
	const worded = await colony.hive(['task', 'retry', ...on('work', '--feedback', 'use fewer words')]);
	expect(worded).toMatchObject({exitCode: 4, stderr: expect.stringContaining('--rework work')});
	await colony.write(pass, '');
	const honey = await colony.honey();
	for (const _ of [1, 2]) {
		expect(await colony.ask(['task', 'retry', ...on('work')])).toMatchObject({repeats: 'guard'});
	}
	await colony.run(8);
	expect(await colony.statuses()).toEqual(waiting);
	expect(await colony.honey()).toBe(honey - 1);
	const judged = await colony.hive(['task', 'show', ...on('work')]);
	expect(judged.stdout).toContain('passed: fine now');
	expect(await colony.hive(['task', 'retry', ...on('work')])).toMatchObject({exitCode: 4});
});

test('a guard of a completed task never runs again after the merge, even if a retry was requested before', async () => {
	const colony = await createWaiting(undefined, {bees: {builder, guard: guard('never')}});
	await colony.ask(['task', 'retry', ...on('work')]);
	await colony.ask(colony.approve());
	await colony.run(0);
	expect(await colony.events('run.finished')).toHaveLength(2);
	const refused = await colony.hive(['task', 'retry', ...on('work')]);
	expect(refused).toMatchObject({exitCode: 4, stderr: expect.stringContaining('has passed the final gate')});
});

test('a waiting task without a failed run cannot be retried, and the refusal names what to do instead', async () => {
	const colony = await createWaiting(undefined, {bees: {builder, receiver: {...receiver, subscribes: []}}});
	expect(await colony.statuses()).toEqual({work: 'waiting_review'});
	const refused = await colony.hive(['task', 'retry', ...on('work')]);
	expect(refused).toMatchObject({exitCode: 4, stderr: expect.stringContaining('--feedback')});
});

test('feedback sends a task back from its commit gate, and the next prompt contains it', async () => {
	const attentive = {
		...builder,
		prompt_template: 'builder.md',
		script: 'cp "$HIVE_PROMPT_FILE" prompt.txt; echo "$HIVE_AGENT_ID" >run.txt',
	};
	const colony = await createWaiting(undefined, {
		bees: {builder: attentive, receiver: {...receiver, subscribes: []}},
		files: {'.hive/prompts/builder.md': 'Task: {{.Task}}{{with .Feedback}} Mind: {{.}}{{end}}\n'},
	});
	await colony.ask(['task', 'retry', ...on('work', '--feedback', 'use fewer words')]);
	expect(await colony.statuses()).toEqual({work: 'ready'});
	await colony.run(8);
	expect(await colony.statuses()).toEqual({work: 'waiting_review'});
	expect(await colony.read(`.hive/worktrees/${traceId}/prompt.txt`)).toContain('Mind: use fewer words');
	expect(await colony.events('run.finished')).toHaveLength(2);
});

test('feedback for a failed task is in its next prompt', async () => {
	const colony = await createWaiting(
		undefined,
		{
			bees: {
				builder: {
					...builder,
					prompt_template: 'builder.md',
					script: 'cp "$HIVE_PROMPT_FILE" prompt.txt; grep Mind prompt.txt',
				},
			},
			files: {'.hive/prompts/builder.md': '{{.Task}}{{with .Feedback}} Mind: {{.}}{{end}}\n'},
		},
		9,
	);
	expect(await colony.statuses()).toEqual({work: 'failed'});
	await colony.ask(['task', 'retry', ...on('work', '--feedback', 'the other file')]);
	await colony.run(8);
	expect(await colony.tasks()).toMatchObject([
		{taskId: 'work', status: 'completed', summary: expect.stringContaining('Mind: the other file')},
		{taskId: '_review'},
	]);
});

test('retrying a running task runs it again, and the end of the replaced run does not fail the task', async () => {
	const script =
		'[ "$HIVE_TASK_ID" != slow ] || [ -e done ] || { touch done; wait_for never; }; echo "$HIVE_AGENT_ID" >run.txt';
	const colony = await createWaiting([{taskId: 'first', title: 'First'}], {
		bees: {builder: {...builder, script}},
	});
	const plan = {tasks: [{taskId: 'slow', title: 'Slow'}]};
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify(plan)});
	const reactor = colony.follow();
	await colony.notes(2);
	const {replaces} = await colony.ask<{replaces: string}>(['task', 'retry', ...on('slow')]);
	await reactor.event({kind: 'run.finished', agentId: replaces, status: 'cancelled'});
	await reactor.event({kind: 'task.completed', taskId: 'slow'});
	expect(await colony.statuses()).toMatchObject({slow: 'completed'});
	expect(await colony.notes()).toHaveLength(3);
});
