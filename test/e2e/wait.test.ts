import {describe, expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony, linesOf} from '../helpers/colony-on-disk.ts';

const waitFor = (goal: string, ...more: string[]) =>
	['wait', '--trace', 't', '--for', goal, ...more] as const;
const create = (taskId: string, ...more: string[]) =>
	['task', 'create', '--trace', 't', '--task', taskId, '-b', 'x', '--autorun', ...more] as const;

/** Returns the exit code for each goal of an idle trace: completed, review, idle. */
const exits = async (colony: ColonyOnDisk): Promise<(number | null)[]> => {
	const all = [];
	for (const goal of ['completed', 'review', 'idle']) all.push((await colony.hive(waitFor(goal))).exitCode);
	return all;
};

const review = {taskId: '_review', status: 'waiting_review', waits: [{for: 'person'}]};

describe('hive wait', () => {
	it('follows a request through planning, gate and merge, and no goal is reached too early', async () => {
		const plan = JSON.stringify({
			type: 'INSIGHT',
			payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'A', bee: 'builder', dependsOn: []}]},
		});
		const colony = await createColony({
			bees: {
				builder: {...builder, script: `wait_for go; ${builder.script}`},
				scout: {
					script: `emit '${plan}'`,
					subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
				},
			},
			files: {
				'.hive/cues/feature.yaml':
					'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n',
			},
		});
		await colony.ask(['cue', 'run', 'feature', 'x', '--trace', 't']);
		const [reviewed, completed, idle] = ['review', 'completed', 'idle'].map(goal =>
			colony.follow(waitFor(goal)),
		);
		for (const waiting of [reviewed, completed, idle])
			await waiting?.says('No reactor works on t. Start one with "hive run"; the trace then goes on.');
		const reactor = colony.follow();
		await reactor.event({kind: 'task.status', taskId: 'a', status: 'running'});
		expect([reviewed, completed, idle].flatMap(waiting => waiting?.events)).toEqual([]);
		await colony.open('go');
		expect(await reviewed?.ended).toMatchObject({
			exitCode: 0,
			events: [{v: 1, traceId: 't', for: 'review', came: true, because: '', tasks: [review]}],
		});
		expect(await completed?.ended).toMatchObject({
			exitCode: 8,
			events: [{for: 'completed', came: false, because: 'person', tasks: [review]}],
		});
		expect(await idle?.ended).toMatchObject({exitCode: 0, events: [{for: 'idle', came: true}]});
		const merged = colony.hive(['proposal', 'approve', '--trace', 't', '--task', '_review']);
		expect((await merged).exitCode).toBe(0);
		expect(await exits(colony)).toEqual([0, 8, 0]);
		await reactor.kill('SIGTERM');
		expect(await exits(colony)).toEqual([0, 8, 0]);
	});

	it('accepts the end of an id, and reports what the trace waits for', async () => {
		const colony = await createColony({bees: {builder: {script: 'exit 1'}}});
		await colony.ask(['task', 'create', '--trace', 'trace-1234', '--task', 'a', '-b', 'x', '--autorun']);
		await colony.hive(['run', '--until-idle']);
		expect((await colony.hive(['wait', '--trace', 'nothing', '--for', 'idle'])).exitCode).toBe(3);
		const {exitCode, stdout} = await colony.hive(['wait', '--trace', '1234', '--for', 'completed']);
		expect([exitCode, linesOf(stdout)]).toEqual([
			9,
			[
				'trace-1234 is not completed: a task failed or was cancelled.',
				'  a is failed',
				'    person: to retry it; until then it stays failed',
				'    Next: hive task retry --trace trace-1234 --task a',
			],
		]);
	});

	it('reports what needs a person: failures before exhausted honey before reviews, and kills', async () => {
		const colony = await createColony({
			bees: {builder, breaker: {script: 'exit 1'}},
			settings: {defaults: {energy_budget: 1}},
		});
		const reactor = colony.follow();
		await colony.ask(create('a', '--review', 'required'));
		await reactor.event({taskId: 'a', status: 'waiting_review'});
		expect(await exits(colony)).toEqual([8, 0, 0]);
		await colony.ask(create('b'));
		await reactor.event({taskId: 'b', status: 'blocked'});
		expect(await exits(colony)).toEqual([7, 0, 0]);
		await colony.ask(['energy', 'add', '--trace', 't', '--amount', '9']);
		await colony.ask(['proposal', 'approve', '--trace', 't', '--task', 'a']);
		await colony.ask(create('c', '--bee', 'breaker'));
		await reactor.event({taskId: 'c', status: 'failed'});
		expect(await exits(colony)).toEqual([9, 9, 0]);
		await colony.ask(['kill', '--trace', 't']);
		expect(await exits(colony)).toEqual([9, 9, 0]);
	});

	it('ends at its timeout, and at a signal', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		await colony.ask(create('a'));
		const reactor = colony.follow();
		await colony.notes(1);
		expect(await colony.ask(waitFor('completed', '--timeout', '1ms'), {exit: 124})).toMatchObject({
			...{came: false, because: 'timeout', tasks: [{taskId: 'a', status: 'running', waits: [{for: 'run'}]}]},
		});
		await reactor.kill('SIGKILL');
		for (const [signal, exitCode] of [
			['SIGINT', 130],
			['SIGTERM', 143],
		] as const) {
			const waiting = colony.follow(waitFor('idle'));
			await waiting.says('No reactor works on t');
			expect(await waiting.kill(signal)).toMatchObject({
				exitCode,
				events: [{came: false, because: 'signal'}],
			});
		}
	});

	it('ends at a kill', async () => {
		const colony = await createColony();
		await colony.ask(create('a'));
		const waiting = colony.follow(waitFor('completed'));
		await waiting.says('No reactor');
		await colony.ask(['kill', '--trace', 't']);
		expect(await waiting.ended).toMatchObject({exitCode: 9, events: [{because: 'failed'}]});
	});
});
