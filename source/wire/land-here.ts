import {awaitLanding} from '../actions/await-landing.ts';
import type {Surroundings} from '../host/host.ts';
import type {OpenColony} from './opened-colony.ts';
import {startReactor} from './start-reactor.ts';

/**
 * Works on the landing queue of this checkout until the trace is out of it, and starts no agent. If a reactor
 * has started meanwhile, that one lands it, and this process waits. The signal ends the wait; the landing
 * stays in the queue.
 */
export const landHere = async (
	open: OpenColony,
	around: Surroundings,
	traceId: string,
	signal: AbortSignal = new AbortController().signal,
): Promise<void> => {
	const over = new AbortController();
	const reactor = await startReactor(open, around, {landsOnly: true, report: () => {}});
	try {
		const landed = awaitLanding(open.bus, traceId, AbortSignal.any([signal, over.signal]));
		await Promise.race([landed, ...(reactor === undefined ? [] : [reactor.over])]);
	} finally {
		over.abort();
		await reactor?.close();
	}
};
