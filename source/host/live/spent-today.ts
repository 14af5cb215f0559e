import type {StoredEvent} from '../../domain/event.ts';
import {usedIn} from '../../ledger/payload.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {pause} from '../pause.ts';
import {type Spent, startOfDay} from '../views/today.ts';

/** Events that are read at once on the way back to the beginning of the day. */
const readAtOnce = 1000;

/**
 * What ended since the day began costs so far, of whatever trace: read from the end of the log, so an old one
 * costs no more.
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

/** The same once more was said; what was said on another day counts no more. */
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

type Following = {
	readonly context: {readonly bus: Bus; readonly clock: Clock};
	/** Up to there it is read at the start. */
	readonly position: number;
	/** Calls with what the log is read on by, until the signal. */
	readonly heard: (signal: AbortSignal, call: (events: readonly StoredEvent[]) => void) => void;
	readonly signal: AbortSignal;
	readonly call: (spent: Spent) => void;
};

/** A log that cannot be read is tried again after this long. */
const askMilliseconds = 1000;

/** What there is, then again when it is another. */
export const followSpent = async ({
	context: {bus, clock},
	position,
	heard,
	signal,
	call,
}: Following): Promise<void> => {
	let spent: Spent | undefined;
	let counted = position;
	let waiting: readonly StoredEvent[] = [];
	heard(signal, events => {
		waiting = [...waiting, ...events.filter(({sequence}) => sequence > counted)];
		counted = Math.max(counted, events.at(-1)?.sequence ?? 0);
		take();
	});
	const take = (): void => {
		if (spent === undefined) return;
		const next = addSpent(spent, waiting, clock.now());
		waiting = [];
		if (next !== spent) call(next);
		spent = next;
	};
	while (spent === undefined && !signal.aborted) {
		spent = await readSpentToday(bus, position, clock.now()).catch(() => undefined);
		if (spent === undefined) await pause(clock, signal, askMilliseconds);
	}
	if (spent === undefined || signal.aborted) return;
	call(spent);
	take();
};
