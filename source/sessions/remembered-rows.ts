/** A row that a person may read. */
export type Row = {
	readonly text: string;
	/** A blank row stands above it. */
	readonly hasGap: boolean;
};

/** Rows with something to read: neither blank nor a drawn line. */
export const readableRows = (rows: readonly string[]): Row[] => {
	let hasGap = false;
	return rows.flatMap(given => {
		const text = given.trimEnd();
		const row = {text, hasGap};
		hasGap = text === '';
		return text === '' || isDrawn(text) ? [] : [row];
	});
};

/** Box drawing and block elements. */
const isDrawn = (text: string): boolean => /^[\s\u2500-\u259f]+$/.test(text);

export type Merged = {
	/** Positions in the view of the rows that were not remembered. */
	readonly fresh: readonly number[];
	/** All that is remembered now, in the order in which it was read. */
	readonly remembered: readonly string[];
};

/**
 * Compares what is in view with what was read before, as the longest common subsequence: a row stays known
 * when others come, go or scroll around it, and is new where it stands once more than before. Rows that are
 * not in view any more stay remembered, so that they are known when they come back.
 */
export const mergeView = (remembered: readonly string[], view: readonly string[]): Merged => {
	const common = commonLengths(remembered, view);
	const merged: string[] = [];
	const fresh: number[] = [];
	let old = remembered.length;
	let now = view.length;
	const width = view.length + 1;
	const at = (i: number, j: number): number => common[i * width + j] ?? 0;
	while (old > 0 || now > 0) {
		const isSame = old > 0 && now > 0 && remembered[old - 1] === view[now - 1];
		const isNew = !isSame && now > 0 && (old === 0 || at(old, now - 1) >= at(old - 1, now));
		merged.push((isNew ? view[now - 1] : remembered[old - 1]) ?? '');
		if (isNew) fresh.push(now - 1);
		if (isSame || isNew) now -= 1;
		if (!isNew) old -= 1;
	}
	return {fresh: fresh.reverse(), remembered: merged.reverse()};
};

/** Length of the longest common subsequence of every two beginnings, row by row. */
const commonLengths = (one: readonly string[], other: readonly string[]): Uint16Array => {
	const width = other.length + 1;
	const lengths = new Uint16Array((one.length + 1) * width);
	for (let i = 1; i <= one.length; i++) {
		const text = one[i - 1];
		for (let j = 1; j < width; j++) {
			const here = i * width + j;
			lengths[here] =
				text === other[j - 1]
					? (lengths[here - width - 1] ?? 0) + 1
					: Math.max(lengths[here - width] ?? 0, lengths[here - 1] ?? 0);
		}
	}
	return lengths;
};

/** What stays of a row when its figures and its spinner go on. */
export const wordsOfRow = (row: string): string => row.replace(/[^\p{L}]+/gu, ' ').trim();
