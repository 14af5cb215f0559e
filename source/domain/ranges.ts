/** Sequences of a log, in order, as first and last of each stretch without a gap. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** The sequences of both. */
export const withSequences = (ranges: Ranges, sequences: readonly number[]): Ranges => {
	const sorted = [...ranges, ...sequences.map(sequence => [sequence, sequence] as const)].sort(
		([one], [other]) => one - other,
	);
	const joined: [number, number][] = [];
	for (const [first, last] of sorted) {
		const end = joined.at(-1);
		if (end !== undefined && first <= end[1] + 1) end[1] = Math.max(end[1], last);
		else joined.push([first, last]);
	}
	return joined;
};

/** The ranges in a text that `JSON.stringify` made of such; none in any other. */
export const rangesIn = (text: string): Ranges => {
	try {
		const ranges: unknown = JSON.parse(text);
		const isPair = (pair: unknown): boolean => Array.isArray(pair) && pair.every(Number.isSafeInteger);
		return Array.isArray(ranges) && ranges.every(isPair) ? ranges : [];
	} catch {
		return [];
	}
};
