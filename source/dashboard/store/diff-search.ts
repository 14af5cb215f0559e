import {formatDiffRow, formatFile} from './diff-text.ts';
import type {DiffRow, DiffRows} from './review.ts';

/** The next matching row in a direction, with wrapping. Only files up to the match are read. */
export const nextRow = (
	rows: DiffRows,
	from: number,
	step: 1 | -1,
	isWanted: (row: DiffRow) => boolean,
	mayHave: (section: number) => boolean = () => true,
): number | undefined => {
	const count = rows.starts.length;
	const first = rows.sectionOf(Math.max(0, Math.min(from, rows.length - 1)));
	// The first section is visited again at the end, for its other part.
	for (let passed = 0; passed <= count; passed += 1) {
		const section = (first + step * passed + count * passed) % count;
		if (!mayHave(section)) continue;
		const start = rows.starts[section] ?? 0;
		const isThere = (row: DiffRow, at: number): boolean => {
			const isAhead = passed > 0 || (start + at - from) * step > 0;
			return isAhead && isWanted(row);
		};
		const own = rows.section(section);
		const found = step > 0 ? own.findIndex(isThere) : own.findLastIndex(isThere);
		if (found >= 0) return start + found;
	}
	return;
};

/** The next row that contains the text, in any case. Files without the text are not read. */
export const rowThatMentions = (
	rows: DiffRows,
	text: string,
	from: number,
	step: 1 | -1,
): number | undefined => {
	const wanted = text.toLowerCase();
	// The signs between the words of a row may come from hive, so only the longest word is looked up.
	const [word = ''] = wanted.split(/[\s+-]/).toSorted((one, other) => other.length - one.length);
	return nextRow(
		rows,
		from,
		step,
		row => formatDiffRow(row).toLowerCase().includes(wanted),
		section => {
			const file = rows.plainFile(section);
			return file === undefined || file.mentions(word) || formatFile(file).toLowerCase().includes(wanted);
		},
	);
};
