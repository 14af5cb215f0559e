import type {StoredEvent} from '../../domain/event.ts';
import {type Ranges, rangesIn, united, without} from '../../domain/ranges.ts';
import type {KeptEvent, RawLog} from '../../ports/raw-log.ts';

/** A flaw of one event, or of several consecutive missing ones. */
export type EventFlaw = {
	readonly first: number;
	readonly last: number;
	/** Undefined if not known. */
	readonly traceId: string | undefined;
	readonly how: 'changed' | 'missing' | 'misplaced';
};

/**
 * Checks the events of a log in order. It checks the checksum, the link to the trace's previous event, and
 * whether a gap between two events was forgotten on purpose. Events of an older hive have neither checksum
 * nor link.
 */
export type EventCheck = {
	readonly checkEvent: (kept: KeptEvent) => void;
	/** @param last the newest sequence that existed when the check began */
	readonly flaws: (last: number) => Promise<readonly EventFlaw[]>;
};

export const createEventCheck = (log: RawLog): EventCheck => {
	const flaws: EventFlaw[] = [];
	const heads = new Map<string, number>();
	const gaps: [number, number][] = [];
	/** Messages of other programs. An event may link to one if it is on its trace's subject. */
	const others: [number, number][] = [];
	/** Missing events by the trace that links to them. */
	const linked = new Map<number, string>();
	let position = 0;
	/** Whether the event at `position` was written by a hive that records what it forgets. */
	let isNoted: boolean | undefined;

	const checkPrevious = ({sequence, previous}: KeptEvent, {traceId, payload}: StoredEvent): void => {
		const head = heads.get(traceId) ?? 0;
		if (previous === undefined || previous === head) return;
		if (previous > head && payload.kind !== 'trace.purged') {
			linked.set(previous, traceId);
			gaps.push([previous, previous]);
		}
		if (previous < head) flaws.push({first: sequence, last: sequence, traceId, how: 'misplaced'});
	};
	return {
		checkEvent: kept => {
			const {sequence, event, previous, sum} = kept;
			const isNew = previous !== undefined;
			if (sequence > position + 1 && (isNoted ?? isNew)) gaps.push([position + 1, sequence - 1]);
			position = sequence;
			// A message of another program is no event, and tells nothing about those before it.
			if (event !== undefined || isNoted === undefined) isNoted = isNew;
			if (sum === 'wrong')
				flaws.push({first: sequence, last: sequence, traceId: event?.traceId, how: 'changed'});
			if (event === undefined && sum === 'none') others.push([sequence, sequence]);
			if (event === undefined) return;
			checkPrevious(kept, event);
			heads.set(event.traceId, sequence);
		},
		flaws: async last => {
			if (last > position && isNoted !== false) gaps.push([position + 1, last]);
			// Read only now: an event that was forgotten meanwhile was recorded before it was deleted.
			const forgotten = gaps.length === 0 ? [] : await readForgotten(log);
			const missing = without(united(gaps), united([...forgotten, ...others])).map(([first, end]) => ({
				...{first, last: end, how: 'missing' as const},
				traceId: linked.get(first),
			}));
			return [...flaws, ...missing].sort((one, other) => one.first - other.first);
		},
	};
};

/** Ranges that the log records as forgotten on purpose, of all traces. */
export const readForgotten = async ({bus, buckets}: RawLog): Promise<Ranges> => {
	if (!(await buckets()).includes('forgotten')) return [];
	const entries = await bus.bucket('forgotten').entries();
	return united(entries.flatMap(({value}) => [...rangesIn(value)]));
};
