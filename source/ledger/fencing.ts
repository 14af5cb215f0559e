import {HiveError} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import {refuseToOther} from '../domain/place.ts';
import type {Trace} from '../domain/trace.ts';
import type {Appended, Bus} from '../ports/bus.ts';
import {catchUp, loadTrace} from './ledger.ts';

/**
 * A bus through which nothing is said of a trace that another checkout has taken (docs/reliability.md I5): where checkouts share a log,
 * each append is conditional on the trace as it was when it belonged to this one. Throws `elsewhere`.
 */
export const fencing = <Shared extends Bus>(bus: Shared, checkout: string): Shared => {
	if (!bus.isShared) return bus;
	/** Traces as they were last looked at, while a run of theirs is being carried out. */
	const known = new Map<string, Trace>();
	/** @param append says the events, all of one trace, if that is at this sequence */
	const fenced = async (
		events: readonly NewEvent[],
		after: number | undefined,
		append: (after: number) => Promise<Appended>,
	): Promise<Appended> => {
		const {traceId = ''} = events[0] ?? {};
		for (;;) {
			const before = known.get(traceId);
			known.delete(traceId);
			const trace = await (before === undefined ? loadTrace(bus, traceId) : catchUp(bus, before));
			expectOwn(trace, checkout);
			if (events.every(({payload}) => payload.kind !== 'run.finished')) known.set(traceId, trace);
			const appended = await append(after ?? trace.sequence);
			if (appended.ok || after !== undefined) return appended;
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

/** Throws `elsewhere` where the trace belongs to another checkout of a log that several share. */
export const expectHere = async (bus: Bus, traceId: string, checkout: string): Promise<void> => {
	if (bus.isShared) expectOwn(await loadTrace(bus, traceId), checkout);
};

const expectOwn = ({traceId, place = ''}: Trace, checkout: string): void => {
	if (place === checkout || place === '') return;
	const {refusal} = refuseToOther(place, {
		message: `The trace ${traceId} was taken by the checkout ${place}; nothing more is said of it here.`,
	});
	throw new HiveError('elsewhere', refusal);
};
