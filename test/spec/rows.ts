import {it} from 'vitest';

/** Rows of a table of the spec: a title, and what has to hold of the facts. */
type Table<Facts> = Readonly<Record<string, (facts: Facts) => void>>;

/** Facts that are costly to have: whoever asks first gathers them, for all who ask. */
export const once = <Facts>(gather: () => Promise<Facts>): (() => Promise<Facts>) => {
	let gathered: Promise<Facts> | undefined;
	return () => {
		gathered ??= gather();
		return gathered;
	};
};

/** Milliseconds until facts are given up: many processes, on a machine that has other things to do. */
const longest = 180_000;

/** One test for each row. What the facts were gathered in is gone when the first of them has ended. */
export const rows = <Facts>(gather: () => Promise<Facts>, table: Table<Facts>): void => {
	for (const [row, holds] of Object.entries(table)) it(row, async () => holds(await gather()), longest);
};

export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
