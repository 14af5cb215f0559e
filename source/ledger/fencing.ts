import {HiveError} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import {refuseForCheckout} from '../domain/machine-status.ts';
import type {Trace} from '../domain/trace.ts';
import type {Appended, Bus} from '../ports/bus.ts';
import {catchUp, loadNewest} from './ledger.ts';

/**
 * A bus that refuses to append events of a trace that another checkout has taken (docs/reliability.md I5). If
 * checkouts share a log, each append is conditional on the state in which the trace belonged to this
 * checkout. Throws `elsewhere`.
 *
 * @param folded an earlier snapshot of a trace, if the process has one
 */
export const fencing = <Shared extends Bus>(
	bus: Shared,
	checkout: string,
	folded: (traceId: string) => Trace | undefined = () => undefined,
): Shared => {
	if (!bus.isShared) return bus;
	/**
	 * Traces that belonged here at the last check, with the sequence of the last own append to each, while a
	 * run is carried out.
	 */
	const known = new Map<string, {readonly trace: Trace; readonly sequence: number}>();
	const loadOwn = async (traceId: string, before: Trace | undefined): Promise<Trace> => {
		const trace = await loadNewest(bus, traceId, before ?? folded(traceId));
		expectOwn(trace, checkout);
		return trace;
	};
	/** @param append appends the events, all of one trace, if the trace is at this sequence */
	const fenced = async (
		events: readonly NewEvent[],
		after: number | undefined,
		append: (after: number) => Promise<Appended>,
	): Promise<Appended> => {
		const {traceId = ''} = events[0] ?? {};
		let {trace, sequence} = {trace: undefined, sequence: undefined, ...known.get(traceId)};
		known.delete(traceId);
		const isLast = events.some(({payload}) => payload.kind === 'run.finished');
		for (;;) {
			// No checkout can have taken the trace before an own conditional append that succeeded. So the trace is
			// loaded again only if that append is no longer the newest event.
			if (trace === undefined || sequence === undefined || (after ?? sequence) !== sequence) {
				trace = await loadOwn(traceId, trace);
				sequence = trace.sequence;
			}
			const appended = await append(after ?? sequence);
			if (appended.ok && !appended.duplicate && !isLast)
				known.set(traceId, {trace, sequence: appended.sequence});
			if (appended.ok || after !== undefined) return appended;
			sequence = undefined;
		}
	};
	return {
		...bus,
		append: (event, {id, after}) =>
			fenced([event], after, expected => bus.append(event, {id, after: expected})),
		appendAll: (events, after) =>
			fenced(
				events.map(({event}) => event),
				after,
				expected => bus.appendAll(events, expected),
			),
	};
};

/**
 * True if no more events of a trace can be appended. The log cannot be reached, or another checkout has taken
 * the trace.
 */
export const isFencedOff = ({refusal: {code}}: HiveError): boolean =>
	code === 'bus_unreachable' || code === 'elsewhere';

/**
 * Throws `elsewhere` if the trace belongs to another checkout of a shared log.
 *
 * @param known an earlier snapshot of the trace
 */
export const expectOwnTrace = async (bus: Bus, known: Trace, checkout: string): Promise<void> => {
	if (bus.isShared) expectOwn(await catchUp(bus, known), checkout);
};

const expectOwn = ({traceId, place = ''}: Trace, checkout: string): void => {
	if (place === checkout || place === '') return;
	const {refusal} = refuseForCheckout(place, {
		message: `The trace ${traceId} was taken by the checkout ${place}; this checkout no longer works on it.`,
	});
	throw new HiveError('elsewhere', refusal);
};
