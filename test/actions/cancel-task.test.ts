import {expect, test} from 'vitest';
import {builder} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const on = (task: string) => ['--trace', traceId, '--task', task];
const failing = {
	...builder,
	script: '[ "$HIVE_TASK_ID" != bad ] || exit 3; echo "made by $HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"',
};
const plan = [
	{taskId: 'bad', title: 'Cannot be done'},
	{taskId: 'child', title: 'Needs it', dependsOn: ['bad']},
	{taskId: 'grandchild', title: 'Needs that', dependsOn: ['child']},
	{taskId: 'other', title: 'Needs nothing'},
];

test('a failed task does not block tasks that do not depend on it', async () => {
	const colony = await createWaiting(plan, {bees: {builder: failing}}, 9);
	expect(await colony.statuses()).toEqual({
		bad: 'failed',
		child: 'planned',
		grandchild: 'planned',
		other: 'completed',
	});
});

test('cancelling a failed task also cancels its dependents, and the gate opens', async () => {
	const colony = await createWaiting(plan, {bees: {builder: failing}}, 9);
	expect(await colony.ask(['task', 'cancel', ...on('bad'), '--reason', 'not worth it'])).toMatchObject({
		dependants: ['child', 'grandchild'],
		stopped: [],
	});
	await colony.run(9);
	expect(await colony.tasks()).toMatchObject([
		{taskId: 'bad', status: 'cancelled', summary: 'not worth it'},
		{taskId: 'child', status: 'cancelled', summary: 'needs bad, which was cancelled'},
		{taskId: 'grandchild', status: 'cancelled'},
		{taskId: 'other', status: 'completed'},
		{taskId: '_review', status: 'waiting_review'},
	]);
	await colony.ask(colony.approve());
	expect(await colony.read('other.txt')).toBe('made by other\n');
});

const slow = {
	...builder,
	script: '[ "$HIVE_TASK_ID" != slow ] || wait_for go; echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"',
};

test.each([
	['a reactor alive', true],
	['no reactor', false],
])('cancelling a running task stops its run, with %s', async (_, alive) => {
	const colony = await createWaiting([{taskId: 'first', title: 'First'}], {bees: {builder: slow}});
	const plan = {tasks: [{taskId: 'slow', title: 'Slow'}]};
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify(plan)});
	const reactor = colony.follow();
	await reactor.event({kind: 'task.status', taskId: 'slow', status: 'running'});
	await colony.notes(2);
	if (!alive) await reactor.kill('SIGKILL');
	const cancelled = await colony.ask<{stopped: string[]}>(['task', 'cancel', ...on('slow')]);
	expect(cancelled.stopped).toHaveLength(1);
	if (alive) await reactor.event({kind: 'run.finished', taskId: 'slow', status: 'cancelled'});
	expect(await colony.events('run.finished')).toMatchObject([
		{payload: {taskId: 'first', status: 'completed'}},
		{payload: {taskId: 'slow', status: 'cancelled'}},
	]);
	expect(await colony.statuses()).toMatchObject({slow: 'cancelled'});
	expect(await colony.exists(`.hive/worktrees/${traceId}/slow.txt`)).toBe(false);
});

test('cancelling a gate or a finished task is refused, and the refusal names what to do instead', async () => {
	const colony = await createWaiting();
	const gate = await colony.hive(['task', 'cancel', ...on('_review')]);
	expect(gate).toMatchObject({
		exitCode: 4,
		stderr: expect.stringContaining('hive proposal approve --no-merge'),
	});
	expect(await colony.ask(['task', 'cancel', ...on('work')], {exit: 4})).toMatchObject({
		error: {code: 'wrong_status'},
	});
	expect(await colony.statuses()).toEqual({work: 'completed', _review: 'waiting_review'});
});
