import type {StoredEvent} from '../../domain/event.ts';
import {type Ranges, rangesIn, united, without} from '../../domain/ranges.ts';
import type {KeptEvent, RawLog} from '../../ports/raw-log.ts';

/** What is wrong with an event, or with several that are missing one behind the other. */
export type EventFlaw = {
	readonly first: number;
	readonly last: number;
	/** Where it is known. */
	readonly traceId: string | undefined;
	readonly how: 'changed' | 'missing' | 'misplaced';
};

/**
 * Looks at what a log keeps, event by event, in order: its sum, its link to the trace's event before it, and
 * whether what lies between two events was forgotten on purpose. What an older hive wrote has neither sum nor
 * link.
 */
export type EventCheck = {
	readonly look: (kept: KeptEvent) => void;
	/** @param last the newest sequence that was given when the look began */
	readonly flaws: (last: number) => Promise<readonly EventFlaw[]>;
};

export const createEventCheck = (log: RawLog): EventCheck => {
	const flaws: EventFlaw[] = [];
	const heads = new Map<string, number>();
	const gaps: [number, number][] = [];
	/** Messages of others, which an event may link to where they are on its trace's subject. */
	const others: [number, number][] = [];
	/** Missing events by the trace that links to them. */
	const linked = new Map<number, string>();
	let position = 0;
	/** Whether a hive that says what it forgets wrote the event at `position`. */
	let isNoted: boolean | undefined;

	const lookAtLink = ({sequence, previous}: KeptEvent, {traceId, payload}: StoredEvent): void => {
		const head = heads.get(traceId) ?? 0;
		if (previous === undefined || previous === head) return;
		if (previous > head && payload.kind !== 'trace.purged') {
			linked.set(previous, traceId);
			gaps.push([previous, previous]);
		}
		if (previous < head) flaws.push({first: sequence, last: sequence, traceId, how: 'misplaced'});
	};
	return {
		look: kept => {
			const {sequence, event, previous, sum} = kept;
			const isNew = previous !== undefined;
			if (sequence > position + 1 && (isNoted ?? isNew)) gaps.push([position + 1, sequence - 1]);
			position = sequence;
			// A message of somebody else is no event, and says nothing of those before it.
			if (event !== undefined || isNoted === undefined) isNoted = isNew;
			if (sum === 'wrong')
				flaws.push({first: sequence, last: sequence, traceId: event?.traceId, how: 'changed'});
			if (event === undefined && sum === 'none') others.push([sequence, sequence]);
			if (event === undefined) return;
			lookAtLink(kept, event);
			heads.set(event.traceId, sequence);
		},
		flaws: async last => {
			if (last > position && isNoted !== false) gaps.push([position + 1, last]);
			// Read now: what was forgotten meanwhile was noted before it went.
			const forgotten = gaps.length === 0 ? [] : await readForgotten(log);
			const missing = without(united(gaps), united([...forgotten, ...others])).map(([first, end]) => ({
				...{first, last: end, how: 'missing' as const},
				traceId: linked.get(first),
			}));
			return [...flaws, ...missing].sort((one, other) => one.first - other.first);
		},
	};
};

/** What the log says that it forgot on purpose, of all traces. */
export const readForgotten = async ({bus, buckets}: RawLog): Promise<Ranges> => {
	if (!(await buckets()).includes('forgotten')) return [];
	const entries = await bus.bucket('forgotten').entries();
	return united(entries.flatMap(({value}) => [...rangesIn(value)]));
};
