import {join} from 'node:path';
import fc from 'fast-check';
import {beforeEach, describe, expect, test} from 'vitest';
import {createRedactor} from '../../source/domain/redact.ts';
import {validateEvent} from '../../source/domain/validate-event.ts';
import {answerEmit, answerValidate} from '../../source/host/emit/answer-emit.ts';
import {createRig, type Rig, scripted, traceId} from '../dispatch/rig.ts';

const guard = scripted('exec sleep 600', {publishes: [{type: 'VERIFICATION', kind: 'verification.success'}]});

let rig: Rig;
let agentId: string;

beforeEach(async () => {
	rig = await createRig({bees: {guard, other: scripted('exec sleep 600')}});
	agentId = await rig.begin('guard');
});

/** Emits as the run itself, with the ids from its environment. */
const emit = (event: object, from: object = {traceId, agentId}) =>
	answerEmit(rig.context, {text: JSON.stringify(event), ...from});

const note = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'x'}};

describe('an answer of event emit', () => {
	test('names the published event, which is also among the events of the run', async () => {
		expect(await emit(note)).toEqual({
			exit: 0,
			json: {
				ok: true,
				traceId,
				type: 'INSIGHT',
				kind: 'context.note',
				id: expect.stringMatching(/^[0-9a-f]{28}$/),
				sequence: await rig.bus.last(),
				eventLogPath: join(rig.directoryOf(agentId), 'events.ndjson'),
				warnings: [],
			},
		});
		expect(await rig.audit(agentId)).toEqual(['context.note']);
	});

	test('is the same for a repeated id, which is stored once in the log and once in the run', async () => {
		for (const _ of [1, 2]) await emit(note, {traceId, agentId, id: 'the-same'});
		expect(await rig.events('context.note')).toHaveLength(1);
		expect(await rig.audit(agentId)).toEqual(['context.note']);
	});

	test('is ok with a warning if only the event log of the run cannot be written', async () => {
		await rig.files.makeFolder(join(rig.directoryOf(agentId), 'events.ndjson'));
		expect(await emit(note)).toMatchObject({
			exit: 0,
			json: {ok: true, warnings: [expect.stringContaining('The event is published, but')]},
		});
		expect(await rig.events('context.note')).toHaveLength(1);
	});

	test('is ok without a run event log if the agent id names no run', async () => {
		const meta = join(rig.directoryOf('me'), 'meta.json');
		await rig.files.write(meta, '{}');
		expect(await emit({...note, agentId: 'me', traceId}, {})).toMatchObject({
			json: {ok: true, eventLogPath: ''},
		});
		expect(await rig.audit('me')).toEqual([]);
	});

	test('has a warning for an agent that is no run, and for a kind that is close to a known one', async () => {
		const {json} = await emit(
			{...note, traceId, agentId: 'me', payload: {kind: 'context.notes', summary: 'x'}},
			{},
		);
		expect(json.warnings).toEqual([
			'"context.notes" is no kind that hive knows. Did you mean "context.note"?',
			`"me" is no run of ${traceId}, so no run's event log has the event.`,
		]);
	});

	test.each([
		['feature.requested', {title: 'Add priorities'}],
		['spec.ready', {ref: 'docs/spec.md'}],
		['feature.classified', {decision: 'plan'}],
	])('has no warning for %s', async (kind, fields) => {
		const {exit, json} = await emit({type: 'SIGNAL', payload: {kind, ...fields}});
		expect([exit, json.warnings]).toEqual([0, []]);
	});

	test('contains no secret', async () => {
		const redact = createRedactor(['hunter2hunter2']);
		const payload = {kind: 'context.note', summary: 'it is hunter2hunter2'};
		await answerEmit({...rig.context, redact}, {text: JSON.stringify({...note, payload}), traceId, agentId});
		expect((await rig.events('context.note'))[0]?.payload.summary).toBe('it is [redacted]');
		expect(await rig.text(agentId, 'events.ndjson')).not.toContain('hunter2');
	});

	test('accepts a task beside the payload and moves it in, and turns a single artifact into a list', async () => {
		await emit({...note, taskId: 'one'});
		expect((await rig.events('context.note'))[0]?.payload.taskId).toBe('one');
		await emit({type: 'SIGNAL', payload: {kind: 'artifact.written', ref: 'docs/a.plan.md', title: 'A'}});
		expect((await rig.events('artifact.written'))[0]?.payload).toEqual({
			kind: 'artifact.written',
			artifacts: [{ref: 'docs/a.plan.md', artifactKind: 'a.plan', title: 'A'}],
		});
	});
});

describe('a hint of event emit', () => {
	const plan = (item: object) => ({
		type: 'INSIGHT',
		payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'A', bee: 'other', ...item}]},
	});

	test.each([
		['a type in small letters', {...note, type: 'insight'}, 'type', 'Use "type": "INSIGHT".'],
		['a kind under another type', {...note, type: 'SIGNAL'}, 'type', 'Use "type": "INSIGHT".'],
		[
			'a kind beside the payload',
			{type: 'INSIGHT', kind: 'context.note', payload: {summary: 'x'}},
			'payload.kind',
			'Put "kind" inside "payload".',
		],
		[
			'a payload as text',
			{type: 'INSIGHT', payload: '{"kind":"context.note"}'},
			'payload',
			'Pass the payload as an object, not as a text that holds one.',
		],
		[
			'tasks beside the payload',
			{type: 'INSIGHT', tasks: [], payload: {kind: 'task.plan'}},
			'payload.tasks',
			'Put "tasks" inside "payload".',
		],
		[
			'another spelling',
			{type: 'SIGNAL', payload: {kind: 'task.ready', task_id: 'a'}},
			'payload.taskId',
			'"task_id" is written "taskId".',
		],
		['one dependency', plan({dependsOn: 'b'}), 'payload.tasks.0.dependsOn', 'Write a list: ["b"].'],
		['a misspelt dependency', plan({depends_on: ['b']}), 'payload.tasks.0.depends_on', 'Write "dependsOn".'],
		[
			'a request under another type',
			{type: 'INSIGHT', payload: {kind: 'feature.requested'}},
			'type',
			'Use "type": "SIGNAL".',
		],
		['an unknown bee', plan({bee: 'othr'}), 'payload.tasks.0.bee', 'Did you mean "other"?'],
	])('corrects %s', async (_, event, path, hint) => {
		const {exit, json} = await emit(event);
		expect({exit, error: json.error}).toEqual({exit: 5, error: 'schema_validation_failed'});
		expect(json.details).toContainEqual({path, message: expect.any(String), hint});
		expect(Object.keys(json)).toEqual(['ok', 'error', 'details']);
	});

	test('names a missing trace outside a run', async () => {
		expect((await emit(note, {})).json.details).toEqual([
			{path: 'traceId', message: 'required', hint: expect.stringContaining('HIVE_TRACE_ID')},
		]);
	});

	test('covers every problem of an event at once, and nothing is published', async () => {
		const last = await rig.bus.last();
		const {json} = await emit({
			...plan({title: '', review: 'maybe', dependsOn: ['nowhere', 3], bee: 'x'}),
			type: 'SIGNAL',
		});
		expect(Array.isArray(json.details) && json.details.map(({path}) => path).sort()).toEqual([
			'payload.tasks.0.bee',
			'payload.tasks.0.dependsOn.0',
			'payload.tasks.0.dependsOn.1',
			'payload.tasks.0.review',
			'payload.tasks.0.title',
			'type',
		]);
		expect(await rig.bus.last()).toBe(last);
	});

	test('rejects a payload with too many levels', async () => {
		const text = `{"type":"SIGNAL","payload":{"kind":"own","deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
		for (const answer of [answerEmit, answerValidate])
			expect(await answer(rig.context, {text, traceId, agentId})).toMatchObject({
				exit: 5,
				json: {details: [{path: 'payload', message: 'must be nested at most 100 deep'}]},
			});
	});
});

describe('event emit inside a run', () => {
	const verdict = (summary: string) => ({
		type: 'VERIFICATION',
		payload: {kind: 'verification.success', summary},
	});

	test.each([
		['SIGNAL', {kind: 'system.kill'}],
		['SIGNAL', {kind: 'energy.add', amount: 1}],
		['SIGNAL', {kind: 'energy.foo'}],
		['SIGNAL', {kind: 'task.status', taskId: 'one', status: 'failed'}],
		['INSIGHT', {kind: 'human.feedback', taskId: 'one', message: 'x'}],
		['VERIFICATION', {kind: 'task.completed', taskId: 'one', status: 'completed'}],
	])('refuses %s %j from agents, whatever agent and trace the event names', async (type, payload) => {
		for (const claim of [{}, {agentId: 'human'}, {traceId: 'other'}])
			expect(await emit({type, payload, ...claim})).toMatchObject({
				exit: 4,
				json: {error: 'not_for_agents'},
			});
		expect(await emit({type, payload, traceId}, {agentId})).toMatchObject({exit: 4});
		expect(await emit({type, payload, traceId}, {agentId: 'unknown-run'})).toMatchObject({exit: 4});
	});

	test('accepts a declared verdict for the task of the run only, and from no other run', async () => {
		expect(await emit(verdict('fine'))).toMatchObject({exit: 0});
		expect((await rig.events('verification.success'))[0]?.payload).toMatchObject({taskId: 'one'});
		const other = await rig.begin('other', 'two');
		expect(await emit(verdict('fine'), {traceId, agentId: other})).toMatchObject({exit: 4});
		expect(await emit({...verdict('fine'), agentId}, {traceId, agentId: other})).toMatchObject({
			exit: 4,
			json: {
				error: 'not_for_agents',
				details: [{message: `Run ${other} may not emit events as run ${agentId}.`}],
			},
		});
	});

	test('refuses an agent id that is no run', async () => {
		for (const event of [verdict('fine'), note])
			expect(await emit({...event, agentId: 'human'})).toMatchObject({
				exit: 4,
				json: {
					error: 'not_for_agents',
					details: [{message: `Run ${agentId} may not emit events as "human".`}],
				},
			});
	});

	test('lets a person outside a run emit reserved kinds and name an agent', async () => {
		const kill = {traceId, type: 'SIGNAL', payload: {kind: 'system.kill', reason: 'enough'}};
		expect(await emit(kill, {agent: 'cli'})).toMatchObject({exit: 0});
		expect((await rig.events('system.kill'))[0]?.agentId).toBe('cli');
	});
});

describe('validateEvent', () => {
	const kinds = fc.constantFrom(
		'task.plan',
		'task.ready',
		'task.completed',
		'energy.add',
		'code.proposal',
		'artifact.written',
		'trace.title',
		'session.invite',
		'own',
		'__proto__',
		'constructor',
		'',
	);
	const payload = fc.oneof(
		fc.jsonValue(),
		fc.tuple(kinds, fc.dictionary(fc.string(), fc.jsonValue())).map(([kind, rest]) => ({...rest, kind})),
		fc.record({
			kind: kinds,
			tasks: fc.array(
				fc.oneof(
					fc.jsonValue(),
					fc.record({taskId: fc.jsonValue(), title: fc.jsonValue(), dependsOn: fc.jsonValue()}),
				),
			),
		}),
	);
	const event = fc.oneof(
		fc.jsonValue(),
		fc.record(
			{
				traceId: fc.oneof(fc.constant('t'), fc.jsonValue()),
				type: fc.oneof(fc.constantFrom('SIGNAL', 'INSIGHT'), fc.jsonValue()),
				payload,
			},
			{requiredKeys: []},
		),
	);

	test('answers any input, and an accepted event stays valid', () => {
		fc.assert(
			fc.property(event, value => {
				const raw: unknown = JSON.parse(JSON.stringify(value));
				const checked = validateEvent(raw);
				if (!checked.ok) {
					expect(checked.refusal.details.length).toBeGreaterThan(0);
					for (const {path, message} of checked.refusal.details)
						expect([typeof path, typeof message]).toEqual(['string', 'string']);
				} else expect(validateEvent(checked.value)).toEqual(checked);
			}),
			{numRuns: 2000},
		);
	});
});
