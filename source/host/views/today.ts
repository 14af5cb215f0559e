import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import {usedIn} from '../../ledger/payload.ts';
import type {Doings} from './doing.ts';

/**
 * US dollars that runs cost since that time (UTC, RFC 3339), as far as it is known: of traces that began since then all, of
 * older ones the runs whose ends are among these events, and what live runs used so far.
 */
export const costSince = (
	start: string,
	traces: ReadonlyMap<string, Trace>,
	events: readonly StoredEvent[],
	doings: Doings,
): number => {
	let cost = 0;
	for (const {createdAt, spent} of traces.values()) if (createdAt >= start) cost += spent?.cost ?? 0;
	for (const {at, traceId, payload} of events) {
		if (payload.kind !== 'run.finished' || at < start) continue;
		if ((traces.get(traceId)?.createdAt ?? start) < start) cost += usedIn(payload)?.costUsd ?? 0;
	}
	for (const {used} of doings.values()) cost += used?.costUsd ?? 0;
	return cost;
};

/** When the day began where the person is. */
export const startOfDay = (now: number): string => {
	const day = new Date(now);
	day.setHours(0, 0, 0, 0);
	return day.toISOString();
};
