import {openRuns, type Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {timestamp} from '../ports/clock.ts';
import {decide} from './decide.ts';
import {lacksDispatch} from './decide-tasks.ts';
import {awaitsGate} from './interest.ts';
import type {Machine} from './machine.ts';
import type {Occupancy} from './occupancy.ts';
import type {Owed} from './owed.ts';
import type {Performer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';

type SettlePorts = ReactorPorts & {
	readonly ledger: Ledger;
	readonly owed: Owed;
	readonly occupancy: Occupancy;
	readonly watch: RunWatch;
	readonly performer: Performer;
	/** Asks for another turn of the trace. */
	readonly request: (traceId: string) => void;
	/** Aborted when the reactor is over. */
	readonly signal: AbortSignal;
};

/** How often a merge that somebody is making is looked at again: its maker may die without a word. */
const mergeLookMilliseconds = 2000;

/**
 * One turn of one trace: what is owed is done until nothing more can be done now. The answer is the trace when nothing was owed
 * to it at all.
 */
export const createSettle = (ports: SettlePorts): ((traceId: string) => Promise<Trace | undefined>) => {
	const {ledger, colony, performer, signal} = ports;
	const settleMerge = createSettleMerge(ports);
	return async traceId => {
		await settleMerge(ledger.snapshot(traceId));
		for (;;) {
			if (lacksDispatch(ledger.snapshot(traceId), colony())) await ports.catchUp?.();
			const trace = ledger.snapshot(traceId);
			const steps = decide(trace, colony(), await machineFor(ports, trace));
			if (signal.aborted) return undefined;
			if (!(await performer.perform(trace, steps))) return steps.length === 0 ? trace : undefined;
		}
	};
};

/** The facts that a decision on this trace needs. */
const machineFor = async (ports: SettlePorts, trace: Trace): Promise<Machine> => {
	const {place, clock, owed, occupancy, watch, colony, branchDiffers} = ports;
	// Read with the trace: what later events ask for would look superseded in it.
	const owedToIt = owed.of(trace.traceId);
	const runs = openRuns(trace).filter(run => run.place === place);
	return {
		place,
		now: timestamp(clock),
		runs: await watch.look(trace.traceId, runs),
		freePlaces: colony().defaults.maxParallelRuns - occupancy.open(),
		root: occupancy.root(),
		owed: owedToIt,
		branchDiffers: awaitsGate(trace) && (await branchDiffers(trace.traceId)),
	};
};

/** A merge that its maker left open is ended; one that is being made is looked at again. */
const createSettleMerge = (ports: SettlePorts): ((trace: Trace) => Promise<void>) => {
	const {settleMerge: settle, clock, request, signal} = ports;
	const looks = new Map<string, () => void>();
	signal.addEventListener('abort', () => {
		for (const stopTimer of looks.values()) stopTimer();
	});
	return async ({traceId, merge, place}) => {
		looks.get(traceId)?.();
		looks.delete(traceId);
		if (merge === undefined || (place ?? ports.place) !== ports.place || settle === undefined) return;
		if ((await settle(traceId)) || signal.aborted) return;
		looks.set(
			traceId,
			clock.after(mergeLookMilliseconds, () => request(traceId)),
		);
	};
};
