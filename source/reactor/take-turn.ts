import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {timestamp} from '../ports/clock.ts';
import {decide} from './decide.ts';
import {awaitsGate} from './interest.ts';
import {countedFacts, type Machine} from './machine.ts';
import type {Occupancy} from './occupancy.ts';
import {runsHere} from './occupancy.ts';
import type {Pending} from './pending.ts';
import type {Performer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';
import type {Step} from './steps.ts';

type TurnPorts = ReactorPorts & {
	readonly ledger: Ledger;
	readonly pending: Pending;
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
 * One turn of one trace: what is due is done until nothing more can be done now. The answer is the trace when nothing was due
 * to it at all.
 */
export const createTakeTurn = (ports: TurnPorts): ((traceId: string) => Promise<Trace | undefined>) => {
	const {ledger, colony, performer, signal} = ports;
	const finishMerge = createFinishMerge(ports);
	const decided = async (traceId: string): Promise<{trace: Trace; steps: readonly Step[]}> => {
		const trace = ledger.snapshot(traceId);
		const machine = await machineFor(ports, trace);
		return {trace, steps: decide(trace, colony(), machine).steps};
	};
	return async traceId => {
		await finishMerge(ledger.snapshot(traceId));
		for (;;) {
			let {trace, steps} = await decided(traceId);
			if (ports.catchUp !== undefined && steps.some(lacksConfiguration)) {
				// What a task is about to fail for may have been written a moment ago.
				await ports.catchUp();
				({trace, steps} = await decided(traceId));
			}
			if (signal.aborted) return undefined;
			if (!(await performer.perform(trace, steps))) return steps.length === 0 ? trace : undefined;
		}
	};
};

const lacksConfiguration = (step: Step): boolean => step.do === 'append' && step.because === 'configuration';

/** The facts that a decision on this trace needs. */
const machineFor = async (ports: TurnPorts, trace: Trace): Promise<Machine> => {
	const {checkout, clock, pending, occupancy, watch, colony, branchDiffers} = ports;
	// Read with the trace: what later events ask for would look superseded in it.
	const own = pending.of(trace.traceId);
	const runs = await watch.look(trace.traceId, runsHere(trace, checkout));
	const differs = awaitsGate(trace) && (await branchDiffers(trace.traceId));
	return {
		...countedFacts({checkout, colony: colony(), occupancy}),
		isAttended: true,
		now: timestamp(clock),
		runs,
		pending: own,
		branchDiffers: differs,
	};
};

/** A merge that its maker left open is ended; one that is being made is looked at again. */
const createFinishMerge = (ports: TurnPorts): ((trace: Trace) => Promise<void>) => {
	const {finishMerge: finish, clock, request, signal} = ports;
	const looks = new Map<string, () => void>();
	signal.addEventListener('abort', () => {
		for (const stopTimer of looks.values()) stopTimer();
	});
	return async ({traceId, merge, place}) => {
		looks.get(traceId)?.();
		looks.delete(traceId);
		if (merge === undefined || (place ?? ports.checkout) !== ports.checkout || finish === undefined) return;
		if ((await finish(traceId)) || signal.aborted) return;
		looks.set(
			traceId,
			clock.after(mergeLookMilliseconds, () => request(traceId)),
		);
	};
};
