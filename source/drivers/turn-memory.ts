/**
 * Values seen in this turn of the event loop, for callers that would read them again before it ends. Other
 * callbacks may run in between.
 */
export type TurnMemory<Value> = {
	readonly get: (key: string) => Value | undefined;
	readonly set: (key: string, value: Value) => void;
	/** Forgets all values. */
	readonly clear: () => void;
};

export const createTurnMemory = <Value>(): TurnMemory<Value> => {
	const seen = new Map<string, Value>();
	const clear = (): void => seen.clear();
	return {
		get: key => seen.get(key),
		set: (key, value) => {
			if (seen.size === 0) setImmediate(clear);
			seen.set(key, value);
		},
		clear,
	};
};
