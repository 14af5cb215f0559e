/** A row that a person may read. */
export type Row = {
	readonly text: string;
	/** True if a blank row is above it. */
	readonly hasGap: boolean;
};

/** Returns the rows with readable text: neither blank nor a drawn line. */
export const readableRows = (rows: readonly string[]): Row[] => {
	let hasGap = false;
	return rows.flatMap(rawRow => {
		const text = rawRow.trimEnd();
		const row = {text, hasGap};
		hasGap = text === '';
		return text === '' || isDrawn(text) ? [] : [row];
	});
};

/** True if the text has only box drawing and block elements. */
const isDrawn = (text: string): boolean => /^[\s\u2500-\u259f]+$/.test(text);

export type Merged = {
	/** Positions in the view of the rows that were not remembered. */
	readonly fresh: readonly number[];
	/** All remembered rows, in the order in which they were read. */
	readonly known: readonly string[];
};

/**
 * Compares the rows in view with those read before, by the longest common subsequence. A row stays known when
 * others appear, disappear or scroll around it. It is new if it occurs once more than before. Rows out of
 * view stay remembered, so that they are known when they come back.
 */
export const mergeView = (known: readonly string[], view: readonly string[]): Merged => {
	const common = commonLengths(known, view);
	const merged: string[] = [];
	const fresh: number[] = [];
	let old = known.length;
	let now = view.length;
	const width = view.length + 1;
	const at = (i: number, j: number): number => common[i * width + j] ?? 0;
	while (old > 0 || now > 0) {
		const isSame = old > 0 && now > 0 && known[old - 1] === view[now - 1];
		const isNew = !isSame && now > 0 && (old === 0 || at(old, now - 1) >= at(old - 1, now));
		merged.push((isNew ? view[now - 1] : known[old - 1]) ?? '');
		if (isNew) fresh.push(now - 1);
		if (isSame || isNew) now -= 1;
		if (!isNew) old -= 1;
	}
	return {fresh: fresh.reverse(), known: merged.reverse()};
};

/** Returns the length of the longest common subsequence of every two prefixes, row by row. */
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

/** Returns the words of a row, without its figures and its spinner. */
export const lettersOfRow = (row: string): string => row.replace(/[^\p{L}]+/gu, ' ').trim();
