import {openRuns, type Trace} from '../domain/trace.ts';
import {isAtGate, isFirstGateDue} from '../ledger/final-gate.ts';

const statuses = (trace: Trace) => [...trace.tasks.values()].map(({status}) => status);

/** Looked at again when a slot or a workspace falls free. */
export const isWaiting = (trace: Trace): boolean =>
	!trace.killed && statuses(trace).some(status => status === 'ready' || status === 'blocked');

/** Something may be due to it at a start; the other traces are looked at when something is said of them. */
export const isOfInterest = (trace: Trace): boolean =>
	openRuns(trace).length > 0 ||
	trace.merge !== undefined ||
	(!trace.killed && statuses(trace).some(status => status !== 'completed' && status !== 'cancelled')) ||
	isAtGate(trace);

/** A person took the trace through its gate: nothing is due to it until something is said of it again. */
export const hasPassedGate = (trace: Trace): boolean => {
	const gates = [...trace.tasks.values()].filter(({review}) => review === 'final');
	return isAtGate(trace) && gates.some(({status}) => status === 'completed');
};

/** The branch is compared with its base only when the answer decides something. */
export const awaitsGate = (trace: Trace): boolean => isAtGate(trace) && !isFirstGateDue(trace);
