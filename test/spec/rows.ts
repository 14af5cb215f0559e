import {it} from 'vitest';

/** The rows of a table in the spec: each has a title and a check of the facts. */
type Table<Facts> = Readonly<Record<string, (facts: Facts) => void>>;

/** Caches facts that are slow to gather: the first call gathers them for all calls. */
export const once = <Facts>(gather: () => Promise<Facts>): (() => Promise<Facts>) => {
	let gathered: Promise<Facts> | undefined;
	return () => {
		gathered ??= gather();
		return gathered;
	};
};

/** Milliseconds until gathering times out: it starts many processes on a machine that may be busy. */
const longest = 180_000;

/**
 * Defines one test for each row. The first test gathers the facts, and their folder is removed when it ends.
 */
export const rows = <Facts>(gather: () => Promise<Facts>, table: Table<Facts>): void => {
	for (const [row, holds] of Object.entries(table)) it(row, async () => holds(await gather()), longest);
};

export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
