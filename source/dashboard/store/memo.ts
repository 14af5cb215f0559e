import {isDeepStrictEqual} from 'node:util';

/**
 * Caches the last result: the same inputs in a row give the same reference. It only saves work. Readers of
 * two states evict each other's results.
 */
export const memoized = <Inputs extends readonly unknown[], Value>(
	compute: (...inputs: Inputs) => Value,
): ((...inputs: Inputs) => Value) => {
	let last: {readonly inputs: Inputs; readonly value: Value} | undefined;
	return (...inputs) => {
		if (last?.inputs.every((input, index) => Object.is(input, inputs[index]))) return last.value;
		last = {inputs, value: compute(...inputs)};
		return last.value;
	};
};

/** Caches one result per object, as long as the object exists. */
export const perObject = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
	const known = new WeakMap<Key, {readonly value: Value}>();
	return key => {
		const entry = known.get(key) ?? {value: compute(key)};
		known.set(key, entry);
		return entry.value;
	};
};

/** Returns the previous value as long as new ones are deeply equal to it. */
export const keepIfEqual = <Value>(): ((value: Value) => Value) => {
	let last: {readonly value: Value} | undefined;
	return value => {
		if (last === undefined || !isDeepStrictEqual(last.value, value)) last = {value};
		return last.value;
	};
};
