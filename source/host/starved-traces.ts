import type {Colony} from '../colony/colony.ts';
import type {Trace} from '../domain/trace.ts';
import type {Bus} from '../ports/bus.ts';
import {honeyOf} from '../reactor/decide-tasks.ts';
import {loadOwed} from '../reactor/owed.ts';

/** Traces of which an event asks for a run that waits for honey: their gate stays closed, though every task is over (design.md §4.5). */
export const starvedTraces = async (
	bus: Bus,
	colony: Colony,
	snapshot: (traceId: string) => Trace,
): Promise<ReadonlySet<string>> => {
	const owed = await loadOwed(bus.bucket('reactor'));
	const isStarved = (trace: Trace) => !trace.killed && honeyOf(trace, colony) < 1;
	return new Set(owed.traces().filter(traceId => isStarved(snapshot(traceId))));
};
