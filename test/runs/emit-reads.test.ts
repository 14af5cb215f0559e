import {expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {answerEmit} from '../../source/host/emit/answer-emit.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {createOffice} from '../chat/office.ts';
import {createEvent, item, killOf, planOf} from '../helpers/events.ts';
import {countReads, largePlan, readSince} from '../helpers/large-trace.ts';

const note = createEvent('INSIGHT', {kind: 'context.note', summary: 'x'});

/**
 * Opens a log with one trace of that many tasks and its checkpoint, and a ledger that has folded all of it.
 */
const openLog = async (tasks: number) => {
	const memory = {...createMemoryBus({clock: createSystemClock()}), redacts: true as const};
	const {bus, reads} = countReads(memory);
	const office = await createOffice({bus});
	await office.say(...largePlan(tasks));
	const ledger = await openLedger(bus);
	await ledger.checkpoint();
	const context = {...office.context, folded: ledger.folded};
	const emit = async (event: object, within = context) => {
		const before = {...reads};
		const answer = await answerEmit(within, {text: JSON.stringify(event)});
		return {...answer, reads: readSince(reads, before)};
	};
	return {...office, context, emit};
};

test.each([100, 5000])(
	'an emit to a cached trace of %i tasks reads only the events since its last fold',
	async tasks => {
		const {say, emit} = await openLog(tasks);
		await say(note);
		expect(await emit(note)).toMatchObject({exit: 0, reads: {values: 0, characters: 0, events: 1}});
	},
);

test('an emit to a trace that is not cached reads its checkpoint', async () => {
	const {context, emit} = await openLog(100);
	expect(await emit(note, {...context, folded: () => undefined})).toMatchObject({
		exit: 0,
		reads: {values: 1, events: 0},
	});
});

test('an emit to a cached trace is checked against the end of the log', async () => {
	const {say, emit} = await openLog(100);
	const next = planOf(item('second', 'first'));
	expect(await emit(next)).toMatchObject({json: {error: 'schema_validation_failed'}});
	await say(planOf(item('first')));
	expect(await emit(next)).toMatchObject({exit: 0});
	await say(killOf());
	expect(await emit(planOf(item('third')))).toMatchObject({json: {error: 'trace_killed'}});
});
