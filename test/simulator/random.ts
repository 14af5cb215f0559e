/** A seeded source of random choices. */
export type Random = {
	/** Returns a whole number from 0 to `limit` - 1. */
	readonly below: (limit: number) => number;
	/** Returns a whole number, both ends included. */
	readonly between: (least: number, most: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
	/** Returns an item of the list, or undefined for an empty list. */
	readonly pickAny: <Value>(values: readonly Value[]) => Value | undefined;
	readonly hex: (digits: number) => string;
};

export const createRandom = (seed: number): Random => {
	const next = mulberry(seed);
	const below = (limit: number) => Math.floor(next() * limit);
	return {
		below,
		between: (least, most) => least + below(most - least + 1),
		chance: probability => next() < probability,
		pick: values => values[below(values.length)] ?? values[0],
		pickAny: values => values[below(values.length)],
		hex: digits => Array.from({length: digits}, () => below(16).toString(16)).join(''),
	};
};

/** The mulberry32 generator: numbers from 0 to 1, with a full period for every 32-bit seed. */
const mulberry = (seed: number) => {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
};
