/** A group of rows with a known length. The rows are created when one of them is first read. */
export type Section<Row> = {readonly length: number; readonly rows: () => readonly Row[]};

/** The rows of many sections in order. */
export type RowList<Row> = {
	readonly length: number;
	/** First index of each section. */
	readonly starts: readonly number[];
	readonly at: (index: number) => Row | undefined;
	/** Rows from `first` up to, but not including, `last`. */
	readonly slice: (first: number, last: number) => readonly Row[];
	/** The rows of a section. */
	readonly section: (index: number) => readonly Row[];
	/** The section that contains the row. */
	readonly sectionOf: (index: number) => number;
};

export const rowList = <Row>(sections: readonly Section<Row>[]): RowList<Row> => {
	const starts: number[] = [];
	let length = 0;
	for (const section of sections) {
		starts.push(length);
		length += section.length;
	}
	const section = (index: number): readonly Row[] => sections[index]?.rows() ?? [];
	const sectionOf = (index: number): number => {
		let [low, high] = [0, starts.length - 1];
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if ((starts[middle] ?? 0) <= index) low = middle;
			else high = middle - 1;
		}
		return low;
	};
	const at = (index: number): Row | undefined => {
		if (index < 0 || index >= length) return;
		const found = sectionOf(index);
		return section(found)[index - (starts[found] ?? 0)];
	};
	return {
		...{length, starts, at, section, sectionOf},
		slice: (first, last) => {
			const rows: Row[] = [];
			for (let index = Math.max(0, first); index < Math.min(last, length); index += 1) {
				const row = at(index);
				if (row !== undefined) rows.push(row);
			}
			return rows;
		},
	};
};
