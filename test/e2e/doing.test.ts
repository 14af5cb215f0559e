import {expect, it} from 'vitest';
import type {RunActivity} from '../../source/host/views/activity.ts';
import {openRig} from '../console/rig.ts';
import {createColony} from '../helpers/colony-on-disk.ts';

it('hive status describes the activity of a live run', async () => {
	const script = 'wait_for speak; echo "Reading the list"; echo "Sorting src/list.ts"; wait_for end';
	const colony = await createColony({bees: {builder: {script}}});
	await colony.ask([
		'task',
		'create',
		'--trace',
		't',
		'--title',
		'Sort the list',
		'--body',
		'Please',
		'--autorun',
	]);
	const run = colony.follow();
	await run.event({kind: 'task.status', status: 'running'});
	const lines = async () => (await colony.hive(['status'])).stdout.split('\n');
	expect(await lines()).toContain('builder at Sort the list: nothing said yet');
	await colony.open('speak');
	await expect
		.poll(lines)
		.toContainEqual(expect.stringMatching(/^builder at Sort the list: Sorting src\/list\.ts \(\d+ s ago\)$/));
	await colony.open('end');
	await run.event({kind: 'run.finished'});
	expect((await lines()).filter(line => line.startsWith('builder at'))).toEqual([]);
});

const record = (value: unknown): string => `echo '${JSON.stringify(value)}'`;
const planning = (id: string, ...todos: readonly (readonly [string, string])[]): string =>
	[
		record({
			...{type: 'tool_use', tool_name: 'write_todos', tool_id: id},
			parameters: {todos: todos.map(([description, status]) => ({description, status}))},
		}),
		record({type: 'tool_result', tool_id: id, status: 'success'}),
	].join('; ');

it('a task tells the plan and the touched files of its run, while it works and when it has ended', async () => {
	const script = [
		planning('a', ['Write it', 'in_progress'], ['Test it', 'pending']),
		'mkdir -p src; printf "one\\ntwo\\n" >src/list.ts; wait_for more; echo >src/more.ts; wait_for end; printf "three\\n" >>src/list.ts',
		planning('b', ['Write it', 'completed'], ['Test it', 'in_progress']),
		record({type: 'result', status: 'success'}),
	].join('; ');
	const colony = await createColony({
		bees: {builder: {adapter: 'gemini', prompt_template: 'do.md', script, worktree: true}},
		files: {'.hive/prompts/do.md': 'Do it.\n'},
	});
	const on = ['--trace', 't', '--task', 'a'];
	await colony.ask(['task', 'create', ...on, '--title', 'Sort the list', '--autorun']);
	const run = colony.follow();
	await run.event({kind: 'task.status', status: 'running'});
	const {ask, send, live, over} = await openRig(colony);
	const progress = async () => {
		const {runs} = await colony.ask(['task', 'show', ...on]);
		const [{plan, touched}] = runs as [Record<string, unknown>];
		return {plan, touched};
	};
	const page = '/api/traces/t/tasks/a';
	const working = {
		plan: [
			{text: 'Write it', status: 'active'},
			{text: 'Test it', status: 'open'},
		],
		touched: [{path: 'src/list.ts', added: 2, removed: 0}],
	};
	await expect.poll(progress).toEqual(working);
	await expect.poll(async () => (await ask(page)).runs[0]).toMatchObject(working);
	// A face that inspects the run sees the files with its activity.
	const [{agentId}] = (await ask(page)).runs;
	let activity: RunActivity | undefined;
	live.doing(over.signal, activities => {
		activity = activities.get(agentId);
	});
	await expect.poll(() => activity).toMatchObject({plan: working.plan});
	expect(activity).not.toHaveProperty('touched');
	live.inspect({traceId: 't', agentId}, over.signal);
	await expect.poll(() => activity).toMatchObject(working);
	const seen = (await ask(page)).runs;
	// Touched files change the answer, but do not make an action on the task stale.
	const tag = (await send(page, {as: 'read'})).headers.get('etag') ?? '';
	await colony.open('more');
	await expect.poll(async () => (await ask(page)).runs[0].touched).toHaveLength(2);
	const later = await send(page, {as: 'read', headers: {'if-none-match': tag}});
	expect(later.status).toBe(200);
	expect(later.headers.get('etag')?.split('.')[0]).toBe(tag.split('.')[0]);

	await colony.open('end');
	await run.event({kind: 'run.finished'});
	const ended = {
		plan: [
			{text: 'Write it', status: 'done'},
			{text: 'Test it', status: 'active'},
		],
		touched: [
			{path: 'src/list.ts', added: 3, removed: 0},
			{path: 'src/more.ts', added: 1, removed: 0},
		],
	};
	expect(await progress()).toEqual(ended);
	await expect.poll(async () => (await ask(page)).runs[0]).toMatchObject(ended);
	expect(seen[0]).toMatchObject(working);
	const {stdout} = await colony.hive(['task', 'show', ...on]);
	expect(stdout).toContain('Plan of the newest run:\n  [x] Write it\n  [>] Test it\n');
	expect(stdout).toMatch(/Files touched by the newest run:\n +\+3 +-0 {2}src\/list\.ts/);
});
