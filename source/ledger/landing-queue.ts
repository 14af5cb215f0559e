import type {OpenLanding} from '../domain/landing.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';

/** A landing in the queue of its branch. */
export type LandingPlace = {
	readonly trace: Trace;
	readonly landing: OpenLanding;
	/** From 1, among the landings of its checkout on its branch. */
	readonly position: number;
	readonly state: 'waiting' | 'checking' | 'landing';
};

/**
 * The open landings in the order in which they land: those that a person put first, then by approval. Each
 * branch of each checkout has a queue of its own.
 */
export const landingQueue = (traces: Iterable<Trace>): readonly LandingPlace[] => {
	const open = [...traces].flatMap(trace => (trace.landing ? [{trace, landing: trace.landing}] : []));
	const counts = new Map<string, number>();
	return open.toSorted(byTurn).map(({trace, landing}) => {
		const queue = `${trace.place ?? ''} ${landing.base}`;
		const position = (counts.get(queue) ?? 0) + 1;
		counts.set(queue, position);
		return {trace, landing, position, state: stateOf(trace)};
	});
};

/** The position that the trace has, or that it would get if its merge into the base were approved now. */
export const positionIn = (
	queue: readonly LandingPlace[],
	{traceId, place}: Pick<Trace, 'traceId' | 'place'>,
	base: string,
): number =>
	queue.find(({trace}) => trace.traceId === traceId)?.position ??
	queue.filter(({trace, landing}) => trace.place === place && landing.base === base).length + 1;

const byTurn = (one: {landing: OpenLanding}, other: {landing: OpenLanding}): number =>
	Number(other.landing.first ?? false) - Number(one.landing.first ?? false) ||
	one.landing.sequence - other.landing.sequence;

const stateOf = (trace: Trace): LandingPlace['state'] => {
	if (trace.merge !== undefined) return 'landing';
	return runningCheck(trace) === undefined ? 'waiting' : 'checking';
};

/** The runs that check the open landing of the trace, oldest first. */
export const landingChecks = ({landing, runs}: Trace): readonly RunRecord[] =>
	landing === undefined
		? []
		: [...runs.values()].filter(({lands, trigger}) => lands !== undefined && trigger === landing.sequence);

/** The check of the trace's merge that runs now. */
export const runningCheck = (trace: Trace): RunRecord | undefined =>
	landingChecks(trace).findLast(({status}) => status === 'running');
