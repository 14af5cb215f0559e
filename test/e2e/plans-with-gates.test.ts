import {describe, expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony, type Json} from '../helpers/colony-on-disk.ts';

const traceId = 't';
const onTrace = ['--trace', traceId] as const;
const scout = {script: 'echo "Looked for $HIVE_TASK_ID"'};

/** A colony whose trace has this plan, with actions for these tests. */
const createPlanned = async (...tasks: readonly object[]) => {
	const colony = await createColony({bees: {builder, scout}});
	await colony.ask(['task', 'create', ...onTrace, '--plan', '-'], {input: JSON.stringify({tasks})});
	return {
		...colony,
		run: async () => (await colony.hive(['run', '--until-idle'])).exitCode,
		statuses: () => statusesIn(colony),
		approve: (taskId: string, ...more: string[]) =>
			colony.ask(['proposal', 'approve', ...onTrace, '--task', taskId, ...more]),
		start: (taskId: string) => colony.ask(['task', 'start', ...onTrace, '--task', taskId]),
		inbox: async () => (await colony.ask<{inbox: Json[]}>(['status'])).inbox,
	};
};

const statusesIn = async ({ask}: ColonyOnDisk): Promise<Record<string, unknown>> => {
	const {tasks} = await ask<{tasks: Json[]}>(['task', 'list', ...onTrace]);
	return Object.fromEntries(tasks.map(({taskId, status}) => [taskId, status]));
};

const work = {taskId: 'work', title: 'Do the work'};
const gate = {taskId: 'gate', title: 'Merge it', review: 'final', dependsOn: ['work']};
const deploy = {taskId: 'deploy', title: 'Deploy it', bee: 'scout', dependsOn: ['gate']};
const check = {taskId: 'check', title: 'Check it', bee: 'scout', dependsOn: ['deploy']};

describe('a task that depends on a final gate', () => {
	it('does not block the gate, runs once the gate is merged, and its proposal opens the next gate', async () => {
		const colony = await createPlanned(work, gate, {...deploy, bee: 'builder'}, check);
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toEqual({
			...{work: 'completed', gate: 'waiting_review', deploy: 'planned', check: 'planned'},
		});
		await colony.approve('gate');
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({
			...{deploy: 'completed', check: 'completed', '_review-2': 'waiting_review'},
		});
		await colony.approve('_review-2');
		expect(await colony.run()).toBe(0);
		expect(await colony.read('deploy.txt')).toBe('made by deploy\n');
	});

	it('runs once its gate was skipped for want of work', async () => {
		const colony = await createPlanned({...work, bee: 'scout'}, gate, deploy);
		expect(await colony.run()).toBe(0);
		expect(await colony.statuses()).toEqual({work: 'completed', gate: 'completed', deploy: 'completed'});
	});

	it("does not close an open gate when added, and waits for the gate's rework after a rejection", async () => {
		const colony = await createPlanned(work);
		expect(await colony.run()).toBe(8);
		const added = ['task', 'create', ...onTrace, '--task', 'deploy', '--bee', 'scout', '-b', 'Deploy it'];
		await colony.ask([...added, '--depends-on', '_review']);
		expect(await colony.statuses()).toMatchObject({_review: 'waiting_review', deploy: 'planned'});
		const reject = ['proposal', 'reject', ...onTrace, '--task', '_review', '--feedback', 'Otherwise'];
		const {reworkTaskId = ''} = await colony.ask<{reworkTaskId: string}>(reject);
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({
			...{_review: 'waiting_review', deploy: 'planned', [reworkTaskId]: 'completed'},
		});
		await colony.approve('_review');
		expect(await colony.run()).toBe(0);
		expect(await colony.statuses()).toMatchObject({deploy: 'completed'});
	});
});

describe('a task that depends on a gate whose work was left on the branch', () => {
	const createLeft = async () => {
		const colony = await createPlanned(work, gate, deploy, check);
		await colony.run();
		await colony.approve('gate', '--no-merge');
		return colony;
	};

	it('waits for the merge, and every face reports this and names the action', async () => {
		const colony = await createLeft();
		const {exitCode, stdout} = await colony.hive(['run', '--until-idle']);
		const start = `hive task start --trace ${traceId} --task deploy`;
		expect(exitCode).toBe(8);
		expect(stdout).toContain('Deploy it: It waits for the merge of hive/t');
		expect(stdout).toContain(start);
		expect(await colony.statuses()).toMatchObject({gate: 'completed', deploy: 'planned', check: 'planned'});
		expect(await colony.inbox()).toMatchObject([
			{kind: 'blocked', taskId: 'deploy', actions: ['task.start', 'task.cancel']},
		]);
		expect(await colony.ask(['why', 'deploy'])).toMatchObject({
			waits: [
				{
					for: 'person',
					what: expect.stringContaining('the merge of hive/t'),
					next: expect.stringContaining(start),
				},
			],
		});
		const wait = ['wait', ...onTrace, '--for', 'completed'];
		expect(await colony.ask(wait, {exit: 8})).toMatchObject({because: 'person'});
		expect((await colony.hive(['status'])).stdout).toMatch(/t +blocked /);
		const blind = await colony.ask<Refusal>(['task', 'start', ...onTrace], {exit: 4});
		expect(blind.error.hint).toContain(start);
		const behind = await colony.ask<Refusal>(['task', 'start', ...onTrace, '--task', 'check'], {exit: 4});
		expect(behind.error.hint).toContain(start);
		const cancel = ['task', 'cancel', ...onTrace, '--task', 'deploy'];
		expect(await colony.ask(cancel)).toMatchObject({dependants: ['check']});
		expect(await colony.inbox()).toEqual([]);
	});

	it('can be started by a person, and then its dependants run', async () => {
		const colony = await createLeft();
		await colony.start('deploy');
		expect(await colony.run()).toBe(0);
		expect(await colony.statuses()).toMatchObject({deploy: 'completed', check: 'completed'});
		expect(await colony.inbox()).toEqual([]);
	});

	it('starts by itself when a later gate merges the branch', async () => {
		const colony = await createLeft();
		await colony.ask(['task', 'create', ...onTrace, '--task', 'more', '-b', 'More work']);
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({more: 'completed', '_review-2': 'waiting_review'});
		await colony.approve('_review-2');
		expect(await colony.run()).toBe(0);
		expect(await colony.statuses()).toMatchObject({deploy: 'completed', check: 'completed'});
		expect(await colony.read('work.txt')).toBe('made by work\n');
	});
});

type Refusal = {readonly error: {readonly code: string; readonly hint: string}};

describe('two final gates', () => {
	it('open in the order of their dependencies, whatever the plan order', async () => {
		const first = {taskId: 'first', title: 'Merge first', review: 'final', dependsOn: ['work']};
		const second = {taskId: 'second', title: 'Merge second', review: 'final', dependsOn: ['first']};
		const between = {...work, taskId: 'between', dependsOn: ['first']};
		const colony = await createPlanned(second, work, first, between);
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({
			first: 'waiting_review',
			second: 'planned',
			between: 'planned',
		});
		await colony.approve('first');
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({between: 'completed', second: 'waiting_review'});
		await colony.approve('second');
		expect(await colony.run()).toBe(0);
		expect(await colony.read('between.txt')).toBe('made by between\n');
	});

	it('open one after the other when their tasks would wait for each other', async () => {
		const gates = ['one', 'two'].map(taskId => ({taskId, title: taskId, review: 'final'}));
		const after = gates.map(({taskId}) => ({...work, taskId: `after-${taskId}`, dependsOn: [taskId]}));
		const colony = await createPlanned(work, ...gates, ...after);
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({one: 'waiting_review', two: 'planned'});
		await colony.approve('one');
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({'after-one': 'completed', two: 'waiting_review'});
		await colony.approve('two');
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({'after-two': 'completed', '_review-3': 'waiting_review'});
	});
});

describe('an invalid plan', () => {
	const planEvent = (...tasks: object[]) => ({
		input: JSON.stringify({traceId, type: 'INSIGHT', payload: {kind: 'task.plan', tasks}}),
	});
	const emit = ['event', 'emit', '--stdin'];

	it('is refused for a cancelled dependency, but accepted if the task already had it', async () => {
		const colony = await createPlanned({...work, bee: 'scout'}, deployOn('work'));
		await colony.ask(['task', 'cancel', ...onTrace, '--task', 'work']);
		const cancelled = {
			ok: false,
			details: [{path: 'payload.tasks.0.dependsOn.0', message: 'the task "work" is cancelled'}],
		};
		expect(
			await colony.ask(emit, {...planEvent({...deployOn('work'), taskId: 'late'}), exit: 5}),
		).toMatchObject(cancelled);
		const create = ['task', 'create', ...onTrace, '-b', 'x', '--depends-on', 'work'];
		expect(await colony.ask(create, {exit: 5})).toMatchObject({error: {code: 'invalid_plan'}});
		expect(await colony.ask(emit, planEvent(deployOn('work')))).toMatchObject({ok: true});
		expect(await colony.statuses()).toEqual({work: 'cancelled', deploy: 'cancelled'});
	});

	it('is refused for a killed trace, by event emit and by task create', async () => {
		const colony = await createPlanned(work);
		await colony.ask(['kill', ...onTrace]);
		const late = {taskId: 'late', title: 'Late', dependsOn: []};
		expect(await colony.ask(emit, {...planEvent(late), exit: 4})).toMatchObject({
			ok: false,
			error: 'trace_killed',
		});
		const create = ['task', 'create', ...onTrace, '-b', 'x'];
		expect(await colony.ask(create, {exit: 4})).toMatchObject({error: {code: 'trace_killed'}});
	});

	it('gets a warning with the nearest name for an unknown field, which is ignored', async () => {
		const colony = await createPlanned(work);
		const odd = {taskId: 'odd', title: 'Odd', dependOn: ['work'], colour: 'red'};
		expect(await colony.ask(emit, planEvent(odd))).toMatchObject({
			ok: true,
			warnings: [
				'payload.tasks.0.dependOn is not a field of a task and is ignored. Did you mean "dependsOn"?',
				'payload.tasks.0.colour is not a field of a task and is ignored.',
			],
		});
		const plan = {input: JSON.stringify({tasks: [{...odd, taskId: 'odder'}]})};
		const {stdout} = await colony.hive(['task', 'create', ...onTrace, '--plan', '-'], plan);
		expect(stdout).toContain('Warning: payload.tasks.0.dependOn is not a field');
	});
});

const deployOn = (need: string) => ({...deploy, dependsOn: [need]});

describe('the hint for a task with unmet dependencies', () => {
	it('mentions a start by itself only if that will happen', async () => {
		const colony = await createColony({bees: {builder, scout: {script: 'exit 3'}}});
		const tasks = [{...work, bee: 'scout'}, deployOn('work'), check];
		await colony.ask(['task', 'create', ...onTrace, '--plan', '-'], {input: JSON.stringify({tasks})});
		const start = ['task', 'start', ...onTrace, '--task', 'check'];
		const hint = async () => (await colony.ask<Refusal>(start, {exit: 4})).error.hint;
		expect(await hint()).toBe('It starts by itself when they are completed.');
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
		expect(await hint()).toContain(`"hive task retry --trace ${traceId} --task work"`);
	});
});

describe('task create --autorun for the first task', () => {
	it('publishes task.ready, which is announced once', async () => {
		const colony = await createColony({bees: {builder, scout}});
		const create = ['task', 'create', ...onTrace, '--task', 'work', '--bee', 'scout', '-b', 'x', '--autorun'];
		expect(await colony.ask(create)).toMatchObject({ready: ['work']});
		expect((await colony.replay(traceId)).map(({payload}) => payload.kind)).toEqual([
			'task.plan',
			'task.ready',
		]);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		const kinds = (await colony.replay(traceId)).map(({payload}) => payload.kind);
		expect(kinds.filter(kind => kind === 'task.ready')).toHaveLength(1);
	});
});

describe('a task.status event', () => {
	it('replaces and clears the summary of a failed task', async () => {
		const colony = await createColony({bees: {builder: {script: 'echo broken >&2; exit 3'}}});
		await colony.ask(['task', 'create', ...onTrace, '--task', 'work', '-b', 'x']);
		await colony.hive(['run', '--until-idle']);
		const summary = async () =>
			(await colony.ask<{task: Json}>(['task', 'show', ...onTrace, '--task', 'work'])).task.summary;
		expect(await summary()).not.toBe('');
		const say = (words: object) =>
			colony.ask(['event', 'emit', '--stdin'], {
				input: JSON.stringify({
					...{traceId, type: 'SIGNAL'},
					payload: {kind: 'task.status', taskId: 'work', status: 'failed', ...words},
				}),
			});
		await say({summary: 'The disk was full'});
		expect(await summary()).toBe('The disk was full');
		await say({});
		expect(await summary()).toBe('');
	});
});
