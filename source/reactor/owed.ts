import type {Bucket} from '../ports/bus.ts';
import type {OwedRun} from './machine.ts';

/**
 * The direct runs that are owed, with the colony's `considered` cursor (design.md §3): events up to it have been looked at,
 * and what they asked for and was put off is kept beside it, so a rule added today does not run on last month's events.
 */
export type Owed = {
	/** Events after this sequence are still to be considered. */
	readonly considered: () => number;
	readonly of: (traceId: string) => readonly OwedRun[];
	readonly traces: () => string[];
	/** An event was considered and asks for these. */
	readonly consider: (traceId: string, sequence: number, runs: readonly OwedRun[]) => void;
	readonly drop: (traceId: string, trigger: number, bee: string) => void;
	/** The cursor as it is now, to be saved once all that it covers is done. */
	readonly cursor: () => string;
	/** Writes a cursor that moved, unless another reactor is ahead. */
	readonly save: (cursor: string) => Promise<void>;
};

const key = 'considered';

export const loadOwed = async (bucket: Bucket): Promise<Owed> => {
	const entry = await bucket.get(key);
	let {sequence, owed} = parseCursor(entry?.value);
	let saved = entry?.value;
	const same = (run: OwedRun, trigger: number, bee: string) => run.trigger === trigger && run.bee === bee;
	return {
		considered: () => sequence,
		of: traceId => owed.get(traceId) ?? [],
		traces: () => [...owed.keys()],
		consider: (traceId, seen, runs) => {
			sequence = Math.max(sequence, seen);
			const known = owed.get(traceId) ?? [];
			const fresh = runs.filter(run => !known.some(other => same(other, run.trigger, run.bee)));
			if (fresh.length > 0) owed = new Map(owed).set(traceId, [...known, ...fresh]);
		},
		drop: (traceId, trigger, bee) => {
			const left = (owed.get(traceId) ?? []).filter(run => !same(run, trigger, bee));
			const others = [...owed].filter(([other]) => other !== traceId);
			owed = new Map(left.length === 0 ? others : [...others, [traceId, left]]);
		},
		cursor: () => JSON.stringify({sequence, owed: [...owed]}),
		save: async value => {
			if (value === saved) return;
			const {sequence: covered} = parseCursor(value);
			for (let written: number | undefined; written === undefined; ) {
				const present = await bucket.get(key);
				if (parseCursor(present?.value).sequence > covered) return;
				written = present
					? await bucket.update(key, value, present.revision)
					: await bucket.create(key, value);
			}
			saved = value;
		},
	};
};

type Cursor = {sequence: number; owed: ReadonlyMap<string, readonly OwedRun[]>};

/** A torn cursor counts as none: everything is considered again, and runs that were claimed are not claimed twice. */
const parseCursor = (text: string | undefined): Cursor => {
	const none: Cursor = {sequence: 0, owed: new Map()};
	if (text === undefined) return none;
	try {
		const value: {sequence: number; owed: [string, OwedRun[]][]} = JSON.parse(text);
		return Number.isSafeInteger(value.sequence)
			? {sequence: value.sequence, owed: new Map(value.owed)}
			: none;
	} catch {
		return none;
	}
};
