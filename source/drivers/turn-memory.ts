/**
 * What was seen in this turn of the event loop, for those who would look again before it is over. Other
 * callbacks may come in between.
 */
export type TurnMemory<Value> = {
	readonly get: (key: string) => Value | undefined;
	readonly set: (key: string, value: Value) => void;
	/** Forgets all at once. */
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
