import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {answerDefer, answerFlush, answerPending} from '../../source/host/emit/answer-emit.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {createRig, type Rig, scripted, traceId} from './rig.ts';

const planner = scripted('exec sleep 600', {
	publishes: [
		{type: 'INSIGHT', kind: 'run.summary'},
		{type: 'VERIFICATION', kind: 'task.completed'},
	],
});

const note = (summary: string) => ({type: 'INSIGHT', payload: {kind: 'context.note', summary}});
const spec = (ref: string) => ({type: 'SIGNAL', payload: {kind: 'spec.ready', ref}});

/** Runs `event emit --defer` as the given run. */
const defer = ({context}: Rig, agentId: string, event: object) =>
	answerDefer(context, {text: JSON.stringify(event), traceId, agentId});

const kindsOf = async (rig: Rig) => (await rig.events()).map(({payload}) => payload.kind).slice(3);

describe('deferred events', () => {
	test('are published in order when the run succeeds, before its summary, as events of the run', async () => {
		const contract = {required: [{type: 'INSIGHT', kind_one_of: ['context.note'], count: 2}]};
		const rig = await createRig({
			bees: {planner: {...planner, command: ['echo', 'Planned'], completion_contract: contract}},
		});
		const agentId = await rig.begin('planner');
		expect(await defer(rig, agentId, note('one'))).toEqual({
			exit: 0,
			json: {
				ok: true,
				deferred: true,
				traceId,
				type: 'INSIGHT',
				kind: 'context.note',
				id: expect.stringMatching(/^[0-9a-f]{28}$/),
				pendingPath: join(rig.directoryOf(agentId), 'pending.ndjson'),
				warnings: [],
			},
		});
		await defer(rig, agentId, note('two'));
		expect(await answerPending(rig.context, {traceId, agentId})).toEqual({
			exit: 0,
			json: {ok: true, traceId, agentId, count: 2, kinds: ['context.note', 'context.note']},
		});
		expect(await kindsOf(rig)).toEqual([]);
		await rig.ended(agentId);
		const {run} = await rig.collect(agentId);
		expect(run.status).toBe('completed');
		expect(await kindsOf(rig)).toEqual(['context.note', 'context.note', 'run.summary', 'run.finished']);
		expect((await rig.events('context.note')).map(({payload}) => payload.summary)).toEqual(['one', 'two']);
		expect(await rig.audit(agentId)).toEqual(['context.note', 'context.note', 'run.summary']);
		expect(await rig.text(agentId, 'pending.ndjson')).toBe('');
	});

	test('of a failed run stay queued and are reported; a person flushes or discards them', async () => {
		const rig = await createRig({bees: {planner: {...planner, command: ['false']}}});
		const agentId = await rig.begin('planner');
		await defer(rig, agentId, note('one'));
		await defer(rig, agentId, note('two'));
		await rig.ended(agentId);
		const {status, result} = await rig.collect(agentId);
		const words = '2 deferred events were not published';
		expect(status).toMatchObject({state: 'failed', error: expect.stringContaining(`exit code 1; ${words}`)});
		expect(result.warnings).toEqual([expect.stringContaining(words)]);
		expect(await kindsOf(rig)).toEqual(['task.status', 'run.finished']);
		expect(await answerFlush(rig.context, {traceId, agentId}, {discard: false})).toEqual({
			exit: 0,
			json: {ok: true, traceId, agentId, published: 2, discarded: 0},
		});
		expect(await kindsOf(rig)).toEqual(['task.status', 'run.finished', 'context.note', 'context.note']);
		expect(await rig.text(agentId, 'pending.ndjson')).toBe('');
	});

	test('exclude kinds that cannot be deferred, such as unknown kinds of energy', async () => {
		const rig = await createRig({bees: {planner: scripted('exec sleep 600')}});
		const agentId = await rig.begin('planner');
		for (const kind of ['energy.foo', 'energy.add', 'system.kill', 'session.invite', 'task.status'])
			expect(await defer(rig, agentId, {type: 'SIGNAL', payload: {kind}})).toMatchObject({
				exit: 5,
				json: {ok: false, error: 'defer_denied'},
			});
		expect((await answerPending(rig.context, {traceId, agentId})).json).toMatchObject({count: 0});
	});

	test('are dropped with --discard, also while the run is alive', async () => {
		const rig = await createRig({bees: {planner: scripted('exec sleep 600')}});
		const agentId = await rig.begin('planner');
		await defer(rig, agentId, note('one'));
		expect((await answerFlush(rig.context, {traceId, agentId}, {discard: true})).json).toMatchObject({
			published: 0,
			discarded: 1,
		});
		await defer(rig, agentId, note('two'));
		expect((await answerPending(rig.context, {traceId, agentId})).json).toMatchObject({count: 1});
	});

	test('stop at the first event that cannot be published; the rest stays queued and the run fails', async () => {
		const rig = await createRig({bees: {planner: {...planner, command: ['true']}}});
		const agentId = await rig.begin('planner');
		await defer(rig, agentId, note('one'));
		await defer(rig, agentId, spec('docs/spec.md'));
		await defer(rig, agentId, note('three'));
		await rig.ended(agentId);
		const {run} = await rig.collect(agentId);
		expect(run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('spec.ready names the file docs/spec.md, which does not exist'),
		});
		expect(await kindsOf(rig)).toEqual(['context.note', 'task.status', 'run.finished']);
		expect(await answerFlush(rig.context, {traceId, agentId}, {discard: false})).toMatchObject({
			exit: 5,
			json: {ok: false, error: 'file_ref_missing', published: 0, kind: 'spec.ready'},
		});
		await rig.repository.write('docs/spec.md', 'The spec.\n');
		expect((await answerFlush(rig.context, {traceId, agentId}, {discard: false})).json).toMatchObject({
			published: 2,
		});
		expect((await rig.events('context.note')).map(({payload}) => payload.summary)).toEqual(['one', 'three']);
	});

	test('may name a file in the artifact folder, and never one outside the colony', async () => {
		const rig = await createRig({bees: {planner: {...planner, command: ['true']}}});
		const agentId = await rig.begin('planner');
		await rig.repository.write(`.hive/runs/${traceId}/artifacts/spec.md`, 'x');
		await defer(rig, agentId, spec('spec.md'));
		await defer(rig, agentId, spec('../../../../etc/passwd'));
		await defer(rig, agentId, spec('docs'));
		await rig.ended(agentId);
		const {run} = await rig.collect(agentId);
		expect(run.summary).toContain('etc/passwd');
		expect(await rig.events('spec.ready')).toHaveLength(1);
	});

	test.each([1, 2, 3, 4, 5, 6])('are published once although hive dies at append %i', async at => {
		let left = at;
		const dying = (bus: Bus): Bus => ({
			...bus,
			append: async (event, options) => {
				const appended = await bus.append(event, options);
				left -= 1;
				if (left === 0) throw new Error('died');
				return appended;
			},
		});
		const rig = await createRig({
			bees: {planner: {...planner, command: ['echo', 'Done']}},
			faulty: ({bus}) => ({bus: dying(bus)}),
		});
		const agentId = await rig.begin('planner');
		for (const name of ['one', 'two', 'three']) await defer(rig, agentId, note(name));
		await rig.ended(agentId);
		if (at <= 5) await expect(rig.collect(agentId)).rejects.toThrow('died');
		await rig.collect(agentId);
		expect(await kindsOf(rig)).toEqual([
			...['context.note', 'context.note', 'context.note'],
			...['run.summary', 'run.finished'],
		]);
		expect(await rig.audit(agentId)).toEqual(['context.note', 'context.note', 'context.note', 'run.summary']);
	});

	test('are validated again, so a hand-written queue publishes no more than event emit does', async () => {
		const rig = await createRig({bees: {planner: scripted('true')}});
		for (const [taskId, line] of Object.entries({
			one: {type: 'SIGNAL', payload: {kind: 'system.kill'}},
			two: {type: 'VERIFICATION', payload: {kind: 'task.completed', taskId: 'two', status: 'completed'}},
			three: {type: 'INSIGHT', agentId: 'human', payload: {kind: 'context.note', summary: 'as a person'}},
			four: 'no json',
		})) {
			const agentId = await rig.begin('planner', taskId);
			const text = typeof line === 'string' ? line : JSON.stringify({traceId, agentId, ...line});
			await rig.files.append(join(rig.directoryOf(agentId), 'pending.ndjson'), `${text}\n`);
			await rig.ended(agentId);
			await rig.collect(agentId);
		}
		expect(await rig.events('system.kill')).toEqual([]);
		expect(await rig.events('task.completed')).toEqual([]);
		expect((await rig.events('context.note')).map(({agentId}) => agentId)).not.toContain('human');
		expect([...(await rig.trace()).runs.values()].map(({status}) => status)).toEqual([
			...['failed', 'failed', 'completed', 'failed'],
		]);
	});

	test('may contain a plan that builds on an earlier plan of the queue', async () => {
		const rig = await createRig({
			bees: {builder: scripted('true'), planner: {...planner, command: ['true']}},
		});
		const agentId = await rig.begin('planner');
		const plan = (taskId: string, dependsOn: string[]) => ({
			type: 'INSIGHT',
			payload: {kind: 'task.plan', tasks: [{taskId, title: taskId, bee: 'builder', dependsOn}]},
		});
		expect((await defer(rig, agentId, plan('base', []))).exit).toBe(0);
		expect(await defer(rig, agentId, plan('top', ['nowhere']))).toMatchObject({exit: 5});
		await rig.ended(agentId);
		await rig.collect(agentId);
		expect([...(await rig.trace()).tasks.keys()]).toEqual(['one', 'base']);
	});
});

describe('event emit --defer refuses', () => {
	test('live-only kinds, events outside a run, and invalid events', async () => {
		const rig = await createRig({bees: {planner}});
		const agentId = await rig.begin('planner');
		for (const kind of [
			'system.kill',
			'energy.add',
			'energy.consume',
			'session.invite',
			'beekeeper.ready',
			'task.status',
			'run.finished',
		])
			expect(await defer(rig, agentId, {type: 'SIGNAL', payload: {kind}})).toMatchObject({
				exit: 5,
				json: {ok: false, error: 'defer_denied'},
			});
		expect(await defer(rig, 'ghost', note('x'))).toMatchObject({exit: 5, json: {error: 'run_required'}});
		expect(await answerDefer(rig.context, {text: JSON.stringify({traceId, ...note('x')})})).toMatchObject({
			json: {error: 'run_required'},
		});
		expect(await defer(rig, agentId, note(''))).toMatchObject({json: {error: 'schema_validation_failed'}});
		expect(await answerDefer(rig.context, {text: '{', traceId, agentId})).toMatchObject({
			json: {error: 'invalid_json'},
		});
		expect((await answerPending(rig.context, {traceId, agentId})).json).toMatchObject({count: 0});
	});

	test('a run that reads the queue of another run', async () => {
		const rig = await createRig({bees: {planner}});
		const [one, two] = [await rig.begin('planner'), await rig.begin('planner', 'two')];
		const inside = {...rig.context, insideRun: {traceId, agentId: one}};
		expect(await answerFlush(inside, {traceId, agentId: two}, {discard: true})).toMatchObject({
			exit: 4,
			json: {error: 'not_for_agents'},
		});
		expect((await answerPending(inside, {traceId, agentId: one})).exit).toBe(0);
		expect(await answerPending(rig.context, {traceId, agentId: '../..'})).toMatchObject({
			json: {error: 'run_not_found'},
		});
	});
});
