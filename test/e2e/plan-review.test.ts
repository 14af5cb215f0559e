import {describe, expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony, type Json} from '../helpers/colony-on-disk.ts';
import {cue, scout} from '../helpers/scout.ts';

/** A colony whose scout has planned a feature, with actions for these tests. */
const createPlanned = async (settings: object = {defaults: {plan_review: 'required'}}, ...more: string[]) => {
	const colony = await createColony({bees: {builder, scout}, files: cue, settings});
	const {traceId} = await colony.ask<{traceId: string}>([
		'cue',
		'run',
		'feature',
		'Add an endpoint',
		...more,
	]);
	const onTrace = ['--trace', traceId] as const;
	return {
		...colony,
		traceId,
		run: async () => (await colony.hive(['run', '--until-idle'])).exitCode,
		plan: (verb: string, ...args: string[]) => colony.ask(['plan', verb, ...onTrace, ...args]),
		refused: (exit: number, verb: string, ...args: string[]) =>
			colony.ask<{error: Json}>(['plan', verb, ...onTrace, ...args], {exit}),
		statuses: () => statusesIn(colony, traceId),
		inbox: async () => (await colony.ask<{inbox: Json[]}>(['status'])).inbox,
	};
};

const statusesIn = async ({ask}: ColonyOnDisk, traceId: string): Promise<Record<string, unknown>> => {
	const {tasks} = await ask<{tasks: Json[]}>(['task', 'list', '--trace', traceId]);
	return Object.fromEntries(tasks.map(({taskId, status}) => [taskId, status]));
};

describe('a plan of a bee where plans are reviewed', () => {
	it('waits for a person on every face, and its tasks run once it is accepted', async () => {
		const colony = await createPlanned();
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toEqual({api: 'planned', docs: 'planned'});
		expect(await colony.inbox()).toMatchObject([
			{
				kind: 'plan',
				title: 'Add an endpoint',
				sentence: 'The plan of scout waits for you: 2 tasks.',
				actions: ['plan.accept', 'plan.edit', 'plan.return', 'kill'],
			},
		]);
		const {plan: shown} = await colony.plan('show');
		expect(shown).toMatchObject({
			bee: 'scout',
			request: {title: 'Add an endpoint'},
			tasks: [{taskId: 'api'}, {taskId: 'docs', dependsOn: ['api']}],
		});
		expect(await colony.ask(['why', 'api'])).toMatchObject({
			waits: [{for: 'person', next: `hive plan show --trace ${colony.traceId}`}],
		});
		const wait = ['wait', '--trace', colony.traceId, '--for', 'completed'];
		expect(await colony.ask(wait, {exit: 8})).toMatchObject({because: 'person'});
		expect((await colony.hive(['status'])).stdout).toContain('1 plan ("hive plan show --trace <trace>")');
		expect(await colony.plan('accept')).toMatchObject({taskIds: ['api', 'docs'], ready: ['api']});
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toEqual({
			...{api: 'completed', docs: 'completed', _review: 'waiting_review'},
		});
	});

	it('can be edited, and is refused whole with every problem listed', async () => {
		const colony = await createPlanned();
		await colony.run();
		const broken = 'tasks:\n  - {taskId: a, title: A, dependsOn: [gone]}\n  - {taskId: b, bee: plasterer}\n';
		await colony.write('plan.yaml', broken);
		const {error} = await colony.refused(5, 'edit', '--tasks', 'plan.yaml');
		expect(error).toMatchObject({code: 'invalid_plan'});
		expect(error.details).toMatchObject([
			{path: 'tasks.1.title'},
			{path: 'tasks.0.dependsOn.0', message: 'there is no task "gone"'},
			{path: 'tasks.1.bee', message: 'there is no bee "plasterer"'},
		]);
		expect(await colony.statuses()).toEqual({api: 'planned', docs: 'planned'});
		await colony.write('plan.yaml', '- {taskId: api, title: Add it all}\n- {taskId: more, title: More}\n');
		expect(await colony.plan('edit', '--tasks', 'plan.yaml')).toMatchObject({
			taskIds: ['api', 'more'],
			removed: ['docs'],
		});
		await colony.plan('accept');
		expect(await colony.run()).toBe(8);
		expect(await colony.statuses()).toMatchObject({api: 'completed', more: 'completed'});
		expect(await colony.ask(['task', 'show', '--trace', colony.traceId, '--task', 'api'])).toMatchObject({
			task: {title: 'Add it all'},
		});
	});

	it('goes back to its bee with words, which plans again', async () => {
		const colony = await createPlanned();
		await colony.run();
		await colony.plan('return', '--body', 'Tests first, please');
		expect(await colony.inbox()).toEqual([]);
		expect(await colony.run()).toBe(8);
		expect((await colony.notes()).join('\n')).toContain('Tests first, please');
		const {plan: shown} = await colony.plan('show');
		expect(shown).toMatchObject({tasks: [{taskId: 'api', title: 'Test the endpoint'}]});
		expect(await colony.statuses()).toEqual({api: 'planned'});
	});

	it('is decided once, in the state that the person saw', async () => {
		const colony = await createPlanned();
		await colony.run();
		const {plan: shown} = (await colony.plan('show')) as {plan: {plan: number}};
		await colony.write('plan.yaml', '- {taskId: one, title: One}\n');
		await colony.plan('edit', '--tasks', 'plan.yaml');
		const stale = await colony.refused(4, 'accept', '--plan', String(shown.plan));
		expect(stale.error).toMatchObject({code: 'stale_view'});
		await colony.plan('accept');
		for (const verb of [['accept'], ['return', '--body', 'x'], ['edit', '--tasks', 'plan.yaml']])
			expect((await colony.refused(4, verb[0] ?? '', ...verb.slice(1))).error).toMatchObject({
				code: 'wrong_status',
			});
	});
});

describe('whether plans are reviewed', () => {
	const reviewed = {api: 'planned', docs: 'planned'};

	it('is the choice of the request, then of its cue, then of the colony', async () => {
		const free = await createPlanned({});
		await free.run();
		expect(await free.statuses()).toMatchObject({api: 'completed', docs: 'completed'});
		const chosen = await createPlanned({}, '--plan-review', 'required');
		await chosen.run();
		expect(await chosen.statuses()).toEqual(reviewed);
		const waived = await createPlanned(undefined, '--plan-review', 'none');
		await waived.run();
		expect(await waived.statuses()).toMatchObject({api: 'completed', docs: 'completed'});
	});

	it('is chosen when a trace begins, not later', async () => {
		const colony = await createPlanned({});
		const late = ['cue', 'run', 'feature', 'More', '--trace', colony.traceId, '--plan-review', 'required'];
		expect(await colony.ask<{error: Json}>(late, {exit: 2})).toMatchObject({error: {code: 'usage'}});
	});
});
