import {beforeEach, describe, expect, test} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {answerDefer, answerEmit, answerValidate} from '../../source/host/emit/answer-emit.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {createRig, type Rig, scripted, traceId} from '../dispatch/rig.ts';

const sleeper = 'exec sleep 600';
const note = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'x'}};
const request = (more: object = {}) => ({
	traceId: 'new',
	type: 'SIGNAL',
	payload: {kind: 'feature.requested', title: 'More'},
	...more,
});

const createScene = async (settings: object = {}) => {
	const rig = await createRig({
		bees: {starter: scripted(sleeper, {may_start_traces: true}), other: scripted(sleeper)},
		settings,
	});
	const emitAs =
		(agentId: string, context: ActionContext = rig.context) =>
		(event: object, id?: string) =>
			answerEmit(context, {text: JSON.stringify(event), traceId, agentId, id});
	return {rig, emitAs, look: (id: string) => loadTrace(rig.bus, id)};
};

describe('a run that emits into a foreign trace', () => {
	let rig: Rig;
	let emit: (event: object) => ReturnType<typeof answerEmit>;
	let agentId: string;

	beforeEach(async () => {
		const scene = await createScene();
		rig = scene.rig;
		agentId = await rig.begin('other');
		emit = scene.emitAs(agentId);
		await rig.say({traceId: 'victim', type: 'SIGNAL', payload: {kind: 'feature.requested', title: 'Theirs'}});
	});

	test.each(['victim', 'new'])(
		'is refused in the trace "%s", and the log notes the attempt once',
		async id => {
			for (const _ of [1, 2])
				expect(await emit({...note, traceId: id})).toMatchObject({exit: 5, json: {error: 'foreign_trace'}});
			expect((await rig.events('context.note')).length).toBe(0);
			expect(await rig.events('action.refused')).toMatchObject([{traceId, payload: {agentId}}]);
		},
	);

	test('can neither defer nor validate events of that trace', async () => {
		const text = JSON.stringify({...note, traceId: 'victim'});
		for (const answer of [answerDefer, answerValidate])
			expect(await answer(rig.context, {text, traceId, agentId})).toMatchObject({
				exit: 5,
				json: {error: 'foreign_trace'},
			});
	});

	test('is refused in every trace if its environment names none', async () => {
		expect(await answerEmit(rig.context, {text: JSON.stringify({...note, traceId}), agentId})).toMatchObject({
			json: {error: 'foreign_trace'},
		});
	});

	test('is noted once for each kind of attempt, and at most 256 times', async () => {
		for (let n = 0; n < 40; n++) await emit({type: 'SIGNAL', payload: {kind: `energy.x${n}`}});
		await emit({type: 'SIGNAL', payload: {kind: 'energy.x1'}});
		expect(await rig.events('action.refused')).toHaveLength(40);
		for (let n = 40; n < 400; n++) await emit({type: 'SIGNAL', payload: {kind: `energy.x${n}`}});
		const noted = (await rig.events('action.refused')).length;
		expect(noted).toBeGreaterThan(100);
		expect(noted).toBeLessThanOrEqual(256);
	});
});

describe('a run whose bee may start traces', () => {
	test('starts a trace with the requested honey, which its own trace gives', async () => {
		const {rig, emitAs, look} = await createScene();
		const emit = emitAs(await rig.begin('starter'));
		const {energyRemaining} = await look(traceId);
		expect(await emit(request({energyBudget: 3}), 'the-event')).toMatchObject({
			exit: 0,
			json: {traceId: 'new'},
		});
		expect(await look('new')).toMatchObject({energyBudget: 3, energyRemaining: 3, title: 'More'});
		expect((await look(traceId)).energyRemaining).toBe(energyRemaining - 3);
		expect(await rig.events('energy.consume')).toContainEqual(
			expect.objectContaining({
				agentId: 'runtime',
				payload: expect.objectContaining({amount: 3, starts: 'new', reason: 'trace.started'}),
			}),
		);
		// The request is repeated because its answer was lost.
		expect(await emit(request({energyBudget: 3}), 'the-event')).toMatchObject({exit: 0});
		expect((await look(traceId)).energyRemaining).toBe(energyRemaining - 3);
		expect(await rig.events('feature.requested')).toHaveLength(1);
		expect(await emit({...note, traceId: 'new'})).toMatchObject({exit: 5, json: {error: 'foreign_trace'}});
	});

	test('is refused if its trace has too little honey, and no honey is taken', async () => {
		const {rig, emitAs, look} = await createScene();
		const emit = emitAs(await rig.begin('starter'));
		const {energyRemaining} = await look(traceId);
		const {exit, json} = await emit(request({energyBudget: energyRemaining + 1}));
		expect([exit, json.error]).toEqual([7, 'honey_exhausted']);
		expect(JSON.stringify(json.details)).toContain('Honey reserve exhausted');
		expect((await look(traceId)).energyRemaining).toBe(energyRemaining);
		expect((await look('new')).sequence).toBe(0);
		for (const energyBudget of [0, -1, 1.5, 'all'])
			expect(await emit(request({energyBudget}))).toMatchObject({
				json: {error: 'schema_validation_failed', details: [{path: 'energyBudget'}]},
			});
		expect(await emit(request())).toMatchObject({json: {error: 'honey_exhausted'}});
	});

	test('never gives more honey than its trace has, however many traces it starts at once', async () => {
		const {rig, emitAs, look} = await createScene();
		const emit = emitAs(await rig.begin('starter'));
		const {energyRemaining} = await look(traceId);
		await Promise.all(
			Array.from({length: 8}, (_, n) => emit(request({traceId: `new-${n}`, energyBudget: 2}))),
		);
		const begun = await Promise.all(Array.from({length: 8}, (_, n) => look(`new-${n}`)));
		const given = begun.reduce((sum, trace) => sum + trace.energyRemaining, 0);
		expect(given).toBe(Math.floor(energyRemaining / 2) * 2);
		expect((await look(traceId)).energyRemaining).toBe(energyRemaining - given);
	});

	test('shares the limits of its trace in the same ratio as the honey', async () => {
		const {rig, emitAs, look} = await createScene();
		await rig.say({
			...{traceId, type: 'SIGNAL', payload: {kind: 'feature.requested'}},
			...{energyBudget: 9, maxCost: 4, maxTokens: 1000},
		});
		const emit = emitAs(await rig.begin('starter'));
		expect((await look(traceId)).energyRemaining).toBe(8);
		expect(await emit(request({energyBudget: 2}))).toMatchObject({exit: 0});
		expect(await look('new')).toMatchObject({energyBudget: 2, maxCost: 1, maxTokens: 250});
		expect(await look(traceId)).toMatchObject({energyRemaining: 6, maxCost: 3, maxTokens: 750});
	});

	test('gets its honey back if another process started that trace meanwhile', async () => {
		const {rig, emitAs, look} = await createScene();
		const agentId = await rig.begin('starter');
		const {energyRemaining} = await look(traceId);
		const {bus} = rig.context;
		const late: ActionContext = {
			...rig.context,
			bus: {
				...bus,
				append: async (event, options) => {
					if (event.traceId === 'new') await rig.say({traceId: 'new', ...note, type: 'INSIGHT'});
					return bus.append(event, options);
				},
			},
		};
		expect(await emitAs(agentId, late)(request({energyBudget: 3}))).toMatchObject({
			exit: 5,
			json: {error: 'foreign_trace'},
		});
		expect((await look(traceId)).energyRemaining).toBe(energyRemaining);
	});

	test('reuses the honey that was taken by an interrupted first attempt', async () => {
		const {rig, emitAs, look} = await createScene();
		const agentId = await rig.begin('starter');
		const {energyRemaining} = await look(traceId);
		const {bus} = rig.context;
		const cut: ActionContext = {
			...rig.context,
			bus: {
				...bus,
				append: async (event, options) => {
					if (event.traceId === 'new') throw new Error('cut');
					return bus.append(event, options);
				},
			},
		};
		const all = request({energyBudget: energyRemaining});
		await expect(emitAs(agentId, cut)(all, 'the-event')).rejects.toThrow('cut');
		expect((await look(traceId)).energyRemaining).toBe(0);
		expect(await emitAs(agentId)(all, 'the-event')).toMatchObject({exit: 0});
		expect((await look('new')).energyRemaining).toBe(energyRemaining);
	});

	test('starts no trace after it has ended', async () => {
		const {rig, emitAs} = await createScene();
		const agentId = await rig.begin('starter');
		await rig.processes.stop(rig.directoryOf(agentId), agentId, 0);
		await rig.collect(agentId);
		expect(await emitAs(agentId)(request({energyBudget: 1}))).toMatchObject({json: {error: 'foreign_trace'}});
	});

	test('cannot defer the start of a trace', async () => {
		const {rig} = await createScene();
		const agentId = await rig.begin('starter');
		const text = JSON.stringify(request({energyBudget: 1}));
		expect(await answerDefer(rig.context, {text, traceId, agentId})).toMatchObject({
			json: {error: 'defer_denied'},
		});
	});
});

describe('the emit limit of a run', () => {
	test('is a number of events, with a warning at half of it', async () => {
		const {rig, emitAs} = await createScene({defaults: {max_events: 4}});
		const agentId = await rig.begin('other');
		const answers = [];
		for (let n = 0; n < 6; n++) answers.push(await emitAs(agentId)(note));
		expect(answers.map(({exit, json}) => [exit, json.error])).toEqual([
			...Array.from({length: 4}, () => [0, undefined]),
			...Array.from({length: 2}, () => [5, 'too_many_events']),
		]);
		expect(answers.slice(0, 4).map(({json}) => json.warnings)).toMatchObject([
			[],
			[expect.stringContaining('Half')],
			[],
			[],
		]);
		expect(await rig.events('context.note')).toHaveLength(4);
		expect(await rig.events('action.refused')).toHaveLength(1);
		const other = await rig.begin('other', 'two');
		expect(await emitAs(other)(note)).toMatchObject({exit: 0});
	});

	test('is 8 MiB of events', async () => {
		const {rig, emitAs} = await createScene();
		const emit = emitAs(await rig.begin('other'));
		const large = {...note, payload: {...note.payload, summary: 'x'.repeat(250 * 1024)}};
		let taken = 0;
		while ((await emit(large)).exit === 0) taken += 1;
		expect(taken).toBe(Math.floor((8 * 1024) / 250));
		expect(await emit(note)).toMatchObject({exit: 0});
	});

	test('includes deferred events', async () => {
		const {rig, emitAs} = await createScene({defaults: {max_events: 3}});
		const agentId = await rig.begin('other');
		const from = {text: JSON.stringify(note), traceId, agentId};
		await emitAs(agentId)(note);
		const exits = [];
		for (let n = 0; n < 3; n++) exits.push((await answerDefer(rig.context, from)).exit);
		expect(exits).toEqual([0, 0, 5]);
	});
});
