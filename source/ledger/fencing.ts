import {HiveError} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import {refuseToOther} from '../domain/place.ts';
import type {Trace} from '../domain/trace.ts';
import type {Appended, Bus} from '../ports/bus.ts';
import {catchUp, loadNewest} from './ledger.ts';

/**
 * A bus through which nothing is said of a trace that another checkout has taken (docs/reliability.md I5):
 * where checkouts share a log, each append is conditional on the trace as it was when it belonged to this
 * one. Throws `elsewhere`.
 *
 * @param folded a trace at any time before, where the process has it
 */
export const fencing = <Shared extends Bus>(
	bus: Shared,
	checkout: string,
	folded: (traceId: string) => Trace | undefined = () => undefined,
): Shared => {
	if (!bus.isShared) return bus;
	/**
	 * Traces that belonged here when they were last looked at, and where the last own append to each is, while
	 * a run is carried out.
	 */
	const known = new Map<string, {readonly trace: Trace; readonly sequence: number}>();
	const look = async (traceId: string, before: Trace | undefined): Promise<Trace> => {
		const trace = await loadNewest(bus, traceId, before ?? folded(traceId));
		expectOwn(trace, checkout);
		return trace;
	};
	/** @param append says the events, all of one trace, if that is at this sequence */
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
			// Behind an own append that was conditional too nobody took it: it is asked for again only where that
			// is not the newest.
			if (trace === undefined || sequence === undefined || (after ?? sequence) !== sequence) {
				trace = await look(traceId, trace);
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

/** Nothing more can be said of a trace: the log is away, or it was taken by another checkout. */
export const isUnsayable = ({refusal: {code}}: HiveError): boolean =>
	code === 'bus_unreachable' || code === 'elsewhere';

/**
 * Throws `elsewhere` where the trace belongs to another checkout of a log that several share.
 *
 * @param known the trace at any time before
 */
export const expectHere = async (bus: Bus, known: Trace, checkout: string): Promise<void> => {
	if (bus.isShared) expectOwn(await catchUp(bus, known), checkout);
};

const expectOwn = ({traceId, place = ''}: Trace, checkout: string): void => {
	if (place === checkout || place === '') return;
	const {refusal} = refuseToOther(place, {
		message: `The trace ${traceId} was taken by the checkout ${place}; nothing more is said of it here.`,
	});
	throw new HiveError('elsewhere', refusal);
};
