/**
 * What is said over the reactor's socket: one JSON object per line. A request carries `v`, `n` and `op`; its answer
 * carries the same `n`. Besides answers the reactor sends pokes to those who asked with `listen`.
 */
export const protocolVersion = 1;

/** In characters; whoever sends a longer line is cut off. */
export const maxLineLength = 1024 * 1024;

export type Answer =
	| {readonly n: number; readonly ok: true; readonly value?: unknown}
	| {
			readonly n: number;
			readonly ok: false;
			readonly error: {readonly code: string; readonly message: string; readonly hint?: string};
	  };

/** Something in the store has changed. */
export const poke = {poke: true} as const;
