import {expect, it} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readHistory, readPast} from '../../source/host/history.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {claimOf, finishOf, item, planOf, traceId} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';

/** Opens a log of two traces with alternating events. */
const openLog = async () => {
	const bus = createMemoryBus({clock: createSystemClock()});
	const said = [planOf(item('a'), item('b')), claimOf('run1', 'a'), finishOf('run1', 'completed')];
	for (const [index, event] of said.entries()) {
		await bus.append({...event, traceId: 'other'}, {id: `other-${index}`});
		await bus.append(event, {id: String(index)});
	}
	return {bus: expectNoSecrets(bus)};
};

it('a trace can be read as of each of its events, and the last state is the current one', async () => {
	const context = await openLog();
	const history = await readHistory(context, traceId);
	if (!history.ok) throw new Error(history.refusal.message);
	const {events, at} = history.value;
	expect(events.map(({sequence}) => sequence)).toEqual([2, 4, 6]);
	expect(at(0).runs.size).toBe(0);
	expect([...at(1).runs.values()].map(({status}) => status)).toEqual(['running']);
	expect(at(2)).toEqual(await loadTrace(context.bus, traceId));
});

it('any sequence of the log selects the state of the trace at that time', async () => {
	const context = await openLog();
	for (const [sequence, last, number] of [
		[2, 2, 1],
		[3, 2, 1],
		[5, 4, 2],
		[6, 6, 3],
		[900, 6, 3],
	] as const)
		expect(await readPast(context, traceId, sequence)).toMatchObject({
			ok: true,
			value: {event: {sequence: last}, number, count: 3, trace: {sequence: last}},
		});
});

it('a trace has no state before its first event, and an unknown trace has none at all', async () => {
	const context = await openLog();
	expect(await readPast(context, traceId, 1)).toMatchObject({
		ok: false,
		refusal: {
			code: 'trace_not_found',
			message: `The trace ${traceId} began with event 2: there was nothing of it at 1.`,
		},
	});
	expect(await readPast(context, 'nothing', 5)).toMatchObject({
		ok: false,
		refusal: {code: 'trace_not_found'},
	});
});
