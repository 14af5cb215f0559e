import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {accepted} from '../../source/domain/errors.ts';
import {traceNotFound} from '../../source/domain/not-found.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {allowShortTrace} from '../../source/host/short-trace.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {item, planOf} from '../helpers/events.ts';

const ids = ['trace-01a1f92880ec8ca1', 'trace-01a1f92880ed8ca1', 'abc-0001', '0001'];

/** Returns the trace that a command finds for a given id, in a colony of these traces. */
const read = async (given: string) => {
	const bus = createMemoryBus({clock: createSystemClock()});
	for (const traceId of ids) await bus.append({...planOf(item('a')), traceId}, {id: traceId});
	const open = async () => ({bus}) as ActionContext;
	return allowShortTrace(given, {open}, async traceId => {
		const trace = await loadTrace(bus, traceId);
		return trace.sequence === 0 ? traceNotFound(traceId) : accepted(trace.traceId);
	});
};

describe('a trace that is given by the end of its id', () => {
	it.each([
		['…80ec8ca1', ids[0]],
		['ec8ca1', ids[0]],
		['abc-0001', 'abc-0001'],
	])('is found: %s', async (given, expected) => {
		expect(await read(given)).toEqual(accepted(expected));
	});

	it('is the one with exactly this id, whatever other ids end with it', async () => {
		expect(await read('0001')).toEqual(accepted('0001'));
	});

	it('is refused with the candidates when several ids end with it', async () => {
		expect(await read('8ca1')).toMatchObject({
			ok: false,
			refusal: {
				code: 'trace_not_found',
				message: `More than one trace ends in "8ca1": ${ids[0]}, ${ids[1]}.`,
			},
		});
	});

	it.each(['ca1', 'nope', '…'])(
		'is not found from too few characters or an unknown ending: %s',
		async given => {
			expect(await read(given)).toMatchObject({
				ok: false,
				refusal: {message: `There is no trace "${given}" in this colony.`},
			});
		},
	);
});
