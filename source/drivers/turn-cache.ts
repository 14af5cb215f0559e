/**
 * Values seen in this turn of the event loop, for callers that would read them again before it ends. Other
 * callbacks may run in between.
 */
export type TurnCache<Value> = {
	readonly get: (key: string) => Value | undefined;
	readonly set: (key: string, value: Value) => void;
	/** Forgets all values. */
	readonly clear: () => void;
};

export const createTurnCache = <Value>(): TurnCache<Value> => {
	const values = new Map<string, Value>();
	const clear = (): void => values.clear();
	return {
		get: key => values.get(key),
		set: (key, value) => {
			if (values.size === 0) setImmediate(clear);
			values.set(key, value);
		},
		clear,
	};
};
