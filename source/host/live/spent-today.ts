import type {StoredEvent} from '../../domain/event.ts';
import {usedIn} from '../../ledger/payload.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {pause} from '../pause.ts';
import {type Spent, startOfDay} from '../views/today.ts';

/** Number of events per read, backwards to the beginning of the day. */
const readAtOnce = 1000;

/**
 * Returns the cost so far of all runs that ended today, of any trace. It reads backwards from the end of the
 * log, so an old log costs no more.
 */
export const readSpentToday = async (bus: Bus, upTo: number, now: number): Promise<Spent> => {
	let spent: Spent = {since: startOfDay(now), cost: 0};
	for (let end = upTo; end > 0; end -= readAtOnce) {
		const after = Math.max(0, end - readAtOnce);
		const {events, first} = await readPart(bus, after, end);
		spent = addSpent(spent, events, now);
		if (first !== undefined && first.at < spent.since) break;
	}
	return spent;
};

/** Adds the cost of new events. After midnight, the cost of earlier days is dropped. */
export const addSpent = (before: Spent, events: readonly StoredEvent[], now: number): Spent => {
	const since = startOfDay(now);
	const added = events.reduce(
		(sum, {at, payload}) =>
			payload.kind === 'run.finished' && at >= since ? sum + (usedIn(payload)?.costUsd ?? 0) : sum,
		0,
	);
	if (since !== before.since) return {since, cost: added};
	return added === 0 ? before : {since, cost: before.cost + added};
};

const readPart = async (bus: Bus, after: number, end: number) => {
	const events: StoredEvent[] = [];
	let first: StoredEvent | undefined;
	for await (const batch of bus.read({after})) {
		first ??= batch[0];
		events.push(...batch.filter(({sequence, payload}) => sequence <= end && payload.kind === 'run.finished'));
		if ((batch.at(-1)?.sequence ?? 0) >= end) break;
	}
	return {events, first};
};

type SpentFeedOptions = {
	readonly context: {readonly bus: Bus; readonly clock: Clock};
	/** Position in the log up to which the first read goes. */
	readonly position: number;
	/** Passes each batch of new events to `call`, until the signal is aborted. */
	readonly onEvents: (signal: AbortSignal, call: (events: readonly StoredEvent[]) => void) => void;
	readonly signal: AbortSignal;
	readonly call: (spent: Spent) => void;
};

/** Retry interval for a log that cannot be read. */
const retryDelayMs = 1000;

/** Passes the current sum to `call`, then each changed one. */
export const followSpent = async ({
	context: {bus, clock},
	position,
	onEvents: heard,
	signal,
	call,
}: SpentFeedOptions): Promise<void> => {
	let spent: Spent | undefined;
	let counted = position;
	let waiting: readonly StoredEvent[] = [];
	heard(signal, events => {
		waiting = [...waiting, ...events.filter(({sequence}) => sequence > counted)];
		counted = Math.max(counted, events.at(-1)?.sequence ?? 0);
		addWaiting();
	});
	const addWaiting = (): void => {
		if (spent === undefined) return;
		const next = addSpent(spent, waiting, clock.now());
		waiting = [];
		if (next !== spent) call(next);
		spent = next;
	};
	while (spent === undefined && !signal.aborted) {
		spent = await readSpentToday(bus, position, clock.now()).catch(() => undefined);
		if (spent === undefined) await pause(clock, signal, retryDelayMs);
	}
	if (spent === undefined || signal.aborted) return;
	call(spent);
	addWaiting();
};
