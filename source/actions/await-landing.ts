import type {Trace} from '../domain/trace.ts';
import {catchUp, loadTrace} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';

/** Resolves with the trace once it is not in the landing queue. */
export const awaitLanding = async (
	bus: Bus,
	traceId: string,
	signal: AbortSignal = new AbortController().signal,
): Promise<Trace> => {
	let trace = await loadTrace(bus, traceId);
	const over = new AbortController();
	const either = AbortSignal.any([signal, over.signal]);
	try {
		if (trace.landing === undefined) return trace;
		for await (const _ of bus.follow({traceId, after: trace.sequence, signal: either})) {
			trace = await catchUp(bus, trace);
			if (trace.landing === undefined) break;
		}
		return trace;
	} finally {
		over.abort();
	}
};
