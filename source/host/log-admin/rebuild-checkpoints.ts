import {emptyTrace} from '../../domain/trace.ts';
import {writeCheckpoint} from '../../ledger/checkpoint-store.ts';
import {Draft} from '../../ledger/draft.ts';
import {foldInto} from '../../ledger/reduce.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {createCheckpointCheck} from './verify-checkpoints.ts';

/**
 * Rebuilds the checkpoints that differ from the fold of their traces' events. Those ahead of the log stay,
 * since the log has lost something. No reactor may be alive. Returns how many were rebuilt.
 */
export const rebuildCheckpoints = async ({bus, kept}: RawLog): Promise<number> => {
	const check = await createCheckpointCheck(bus);
	const drafts = new Map<string, Draft>();
	for await (const batch of kept(0))
		for (const {event} of batch) {
			if (event === undefined) continue;
			const draft = drafts.get(event.traceId) ?? new Draft(emptyTrace(event.traceId));
			drafts.set(event.traceId, draft);
			check.checkTrace(draft.trace, event.sequence);
			foldInto(draft, event);
		}
	const traces = new Map([...drafts].map(([traceId, draft]) => [traceId, draft.trace]));
	let count = 0;
	for (const {traceId, how} of await check.flaws(traces)) {
		if (how === 'ahead') continue;
		const bucket = bus.bucket('ledger');
		const present = await bucket.get(traceId);
		if (present !== undefined) await bucket.delete(traceId, present.revision);
		const trace = traces.get(traceId);
		if (trace !== undefined) await writeCheckpoint(bus, trace);
		count += 1;
	}
	return count;
};
