import {windowAround} from '../parts/window.ts';
import {memoized} from './memo.ts';
import {sections, type TraceListRow, type TraceSection} from './trace-list.ts';

/** Rows of the list for each heading in it. In a lower list there are no headings. */
export const minRowsPerHeading = 3;

/** A section with the number of its traces. */
export type SectionCount = {readonly section: TraceSection; readonly count: number};

/** The rows of the trace list that are visible, in order. */
type TraceWindow = {
	readonly rows: readonly TraceListRow[];
	/** Headings by the index of the row below them. The row of the finished traces is its own heading. */
	readonly headings: ReadonlyMap<number, SectionCount>;
	/** All sections with a trace. */
	readonly counts: readonly SectionCount[];
	/** False if there is no room for headings, or only one section. */
	readonly hasHeadings: boolean;
};

/**
 * Returns the visible rows so that each section has at least one. Sections share the height: unused rows of
 * one are for the others. A section that does not fit shows the rows around the selected one.
 *
 * @param height rows for traces and headings
 */
export const traceWindow = memoized(
	(all: readonly TraceListRow[], selected: number, height: number): TraceWindow => {
		const parts = partsOf(all);
		const headingRows = parts.filter(({hasOwnHeading}) => !hasOwnHeading).length;
		// Headings must not push out rows that would fit, nor take most of a low pane.
		const fitsWith = headingRows + all.length <= height;
		const hasHeadings =
			parts.length > 1 && headingRows * minRowsPerHeading <= height && (fitsWith || all.length > height);
		const room = Math.max(1, height - (hasHeadings ? headingRows : 0));
		const shares = shareRows(parts, selected, room);
		const rows: TraceListRow[] = [];
		const headings = new Map<number, SectionCount>();
		for (const [index, part] of parts.entries()) {
			const share = shares[index] ?? 0;
			if (share === 0) continue;
			if (hasHeadings && !part.hasOwnHeading) headings.set(rows.length, part);
			rows.push(...rowsOf(all, part, selected, share));
		}
		return {rows, headings, counts: parts, hasHeadings};
	},
);

type Part = SectionCount & {
	/** Index of its first row, and the index after its last. */
	readonly first: number;
	readonly end: number;
	/** True if its first row is the heading. */
	readonly hasOwnHeading: boolean;
};

const partsOf = (all: readonly TraceListRow[]): readonly Part[] => {
	const sectionAt = ({trace, ...row}: TraceListRow): TraceSection =>
		trace === undefined ? 'Finished' : (row as {section: TraceSection}).section;
	const parts: Part[] = [];
	for (let first = 0; first < all.length; ) {
		const row = all[first];
		if (row === undefined) break;
		const section = sectionAt(row);
		let end = first + 1;
		while (end < all.length && sectionAt(all[end] as TraceListRow) === section) end += 1;
		const hasOwnHeading = row.trace === undefined;
		parts.push({
			section,
			count: row.trace === undefined ? row.finished : end - first,
			first,
			end,
			hasOwnHeading,
		});
		first = end;
	}
	return parts;
};

/** What gets a row first if there are more sections than rows, after the section of the selected row. */
const importance: readonly TraceSection[] = ['Running', 'Needs you', 'Waiting', 'Finished'];

/** The number of rows of each section. */
const shareRows = (parts: readonly Part[], selected: number, room: number): readonly number[] => {
	const shares = parts.map(() => 0);
	const isCrowded = parts.length > room;
	const rankOf = (index: number): number => rank(parts[index], isCrowded ? selected : -1);
	const order = [...parts.keys()].sort((a, b) => rankOf(a) - rankOf(b));
	let left = room;
	for (let round = 0, given = 1; left > 0 && given > 0; round += 1) {
		given = 0;
		for (const index of order) {
			const part = parts[index];
			if (part === undefined || left === 0 || part.end - part.first <= round) continue;
			shares[index] = round + 1;
			left -= 1;
			given += 1;
		}
	}
	return shares;
};

const rank = (part: Part | undefined, selected: number): number => {
	if (part === undefined) return sections.length;
	return part.first <= selected && selected < part.end ? -1 : importance.indexOf(part.section);
};

/** The visible rows of a section. A heading among its rows stays on top. */
const rowsOf = (
	all: readonly TraceListRow[],
	{first, end, hasOwnHeading}: Part,
	selected: number,
	share: number,
): readonly TraceListRow[] => {
	const isPinned = hasOwnHeading && share > 1;
	const from = isPinned ? first + 1 : first;
	const height = isPinned ? share - 1 : share;
	const at = selected >= from && selected < end ? selected - from : 0;
	const {start, end: last} = windowAround(at, end - from, height);
	const shown = all.slice(from + start, from + last);
	return isPinned ? [...all.slice(first, from), ...shown] : shown;
};
