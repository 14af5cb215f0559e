import type {Trace} from '../domain/trace.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {queueOf, readLandings} from '../host/views/landing.ts';
import {isLanding} from '../host/views/task.ts';
import type {Card, Offer} from './card.ts';
import {offer} from './offers.ts';

type Traces = InboxReading['traces'];

/** The trace whose landing a card asked for, while that waits in the landing queue. */
export const landingTraceOf = (
	{traceId, taskId}: Pick<Card, 'traceId' | 'taskId'>,
	traces: Traces,
): Trace | undefined => {
	const trace = traces.get(traceId ?? '');
	return trace !== undefined && taskId !== undefined && isLanding(trace, {taskId}) ? trace : undefined;
};

/** Takes a trace out of the landing queue. */
const stopOffer = (traceId: string): Offer => offer('landing.cancel', {traceId});

/** The card while its merge waits in the queue. A confirmation that was asked for its button stays. */
export const landingCard = (card: Card, answer: string, trace: Trace, traces: Traces): Card => {
	const place = readLandings(traces)(trace).queued?.text ?? '';
	const note = `${answer} It lands once its checks have passed: ${place}.`;
	const isShown = card.offers[0]?.does === 'landing.cancel';
	return {...card, note, offers: [stopOffer(trace.traceId)], state: isShown ? card.state : {at: 'open'}};
};

/** How a landing ended that was begun after the card was made; undefined without one. */
export const formatLandingEnd = ({taskId, sequence}: Card, trace: Trace | undefined): string | undefined => {
	const {landingLeft: left, landed = []} = trace ?? {};
	if (left !== undefined && left.taskId === taskId && left.sequence > sequence)
		return `It did not land. ${left.reason}`;
	const found = landed.findLast(one => one.taskId === taskId && one.sequence > sequence);
	return found?.checkedBy === undefined
		? undefined
		: `Landed on ${found.base} as ${found.commit.slice(0, 7)}.`;
};

/** A merge in the queue: its trace, its place for people, and the button that stops it. */
type QueuedMerge = {readonly trace: Trace; readonly text: string; readonly stop: Offer};

/** The merges in the queue, in the order in which they land. */
export const queuedMerges = (traces: Traces, labelOf: (trace: Trace) => string): readonly QueuedMerge[] => {
	const landingOf = readLandings(traces);
	return queueOf(traces.values()).map(({trace}) => ({
		...{trace, text: landingOf(trace).queued?.text ?? ''},
		stop: {...stopOffer(trace.traceId), label: labelOf(trace)},
	}));
};
