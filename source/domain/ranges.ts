/** Sequences of a log, in order, as the first and last of each range without a gap. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** The same sequences, sorted and without duplicates. */
export const united = (ranges: Ranges): Ranges => {
	const joined: [number, number][] = [];
	for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
		const end = joined.at(-1);
		if (end !== undefined && first <= end[1] + 1) end[1] = Math.max(end[1], last);
		else joined.push([first, last]);
	}
	return joined;
};

/** The sequences of both arguments. */
export const withSequences = (ranges: Ranges, sequences: readonly number[]): Ranges =>
	united([...ranges, ...sequences.map(sequence => [sequence, sequence] as const)]);

/** The sequences that are not in `others`; both arguments must be in order. */
export const without = (ranges: Ranges, others: Ranges): Ranges => {
	const left: [number, number][] = [];
	let next = 0;
	for (const [first, last] of ranges) {
		let from = first;
		for (; next < others.length; next++) {
			const [begin, end] = others[next] ?? [last + 1, last + 1];
			if (begin > last) break;
			if (begin > from) left.push([from, begin - 1]);
			from = Math.max(from, end + 1);
			// It may overlap the next range too.
			if (end > last) break;
		}
		if (from <= last) left.push([from, last]);
	}
	return left;
};

/** Parses ranges from JSON; empty for any other text. */
export const rangesIn = (text: string): Ranges => {
	try {
		const ranges: unknown = JSON.parse(text);
		const isPair = (pair: unknown): boolean => Array.isArray(pair) && pair.every(Number.isSafeInteger);
		return Array.isArray(ranges) && ranges.every(isPair) ? ranges : [];
	} catch {
		return [];
	}
};
