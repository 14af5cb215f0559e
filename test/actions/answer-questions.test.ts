import {expect, test} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {emitEvent} from '../../source/actions/emit-event.ts';
import {retryTask} from '../../source/actions/retry-task.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {
	announcedOf,
	claimOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {createManualClock} from '../reactor/rig.ts';
import {builder, colonyOf} from '../reactor/scene.ts';

const askOf = (agentId: string): NewEvent =>
	createEvent('SIGNAL', {kind: 'human.question', questionId: 'q1', text: 'Which one?'}, {agentId});
const running = [planOf(item('a')), ...announcedOf('a'), claimOf('r1', 'a', {workspace: 'isolated'})];

/** Returns a person's context on a log of `said`; `meanwhile` is appended right before its first append. */
const createPerson = async (said: readonly NewEvent[], meanwhile: readonly NewEvent[] = []) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	let count = 0;
	const hear = async (events: readonly NewEvent[]) => {
		for (const event of events) await bus.append(event, {id: `event-${++count}`});
	};
	await hear(said);
	const late = [...meanwhile];
	const context: Partial<ActionContext> = {
		bus: expectNoSecrets({
			...bus,
			append: async (event, options) => {
				await hear(late.splice(0));
				return bus.append(event, options);
			},
		}),
		colony: colonyOf([builder]),
		ids: createIdSource(clock.now, digits => '0'.repeat(digits)),
		by: 'human',
		insideRun: undefined,
		failpoint: () => {},
	};
	return {context: context as ActionContext, trace: () => loadTrace(bus, traceId)};
};

test('an answer to a run that its guard still examines begins a new session if the person asks for one', async () => {
	const {context, trace} = await createPerson([
		...running,
		askOf('r1'),
		proposalOf('r1', 'a'),
		finishOf('r1'),
	]);
	const retried = await retryTask(context, {traceId, taskId: 'a', feedback: 'this', fresh: true});
	expect(retried.ok).toBe(true);
	expect(taskOf(await trace(), 'a')).toMatchObject({
		status: 'ready',
		fresh: true,
		feedback: 'You asked: Which one?\nThe answer: this',
	});
});

test('a question is refused if another run asked one a moment earlier, and adds no problem to the trace', async () => {
	const guarded = [...running, claimOf('r2', 'a', {bee: 'guard', trigger: 1})];
	const {context, trace} = await createPerson(guarded, [askOf('r2')]);
	const {type, payload} = askOf('r1');
	const asked = await emitEvent(context, {type, payload}, {traceId, agentId: 'r1'});
	expect(asked).toMatchObject({ok: false, refusal: {code: 'wrong_status'}});
	expect((await trace()).problems).toEqual([]);
});

test('of two concurrent answers the first counts and the second is refused', async () => {
	const first = createEvent(
		'INSIGHT',
		{kind: 'human.answer', questionId: 'q1', text: 'this'},
		{agentId: 'human'},
	);
	const {context, trace} = await createPerson([...running, askOf('r1'), finishOf('r1')], [first]);
	const payload = {kind: 'human.answer', questionId: 'q1', text: 'that'};
	const second = await emitEvent(context, {type: 'INSIGHT', payload}, {traceId, agentId: 'human'});
	expect(second).toMatchObject({ok: false, refusal: {code: 'wrong_status'}});
	expect((await trace()).runs.get('r1')?.questions).toMatchObject([{answer: {text: 'this'}}]);
	expect((await trace()).problems).toEqual([]);
});
