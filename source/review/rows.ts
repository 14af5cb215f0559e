import type {Side} from '../domain/review-comment.ts';
import {blocksOf, type Changed} from './blocks.ts';
import type {Hunk, PatchFile, PatchLine} from './patch.ts';

/** A line of a review. An unchanged line is in both files. */
export type LineRow = {
	readonly kind: 'line';
	readonly file: PatchFile;
	readonly old?: PatchLine;
	readonly new?: PatchLine;
	/** Old and new text of a changed line. */
	readonly change?: Readonly<Record<Side, string>>;
};

/** A row of a review: the header of a file, the position of a hunk, or a line. */
export type ReviewRow =
	| {readonly kind: 'file'; readonly file: PatchFile}
	| {readonly kind: 'hunk'; readonly file: PatchFile; readonly header: string}
	| LineRow;

/** Number of rows that the two functions below return for a file; known before its lines are parsed. */
export const unifiedLength = ({added, removed, shape: {hunks, context}}: PatchFile): number =>
	1 + hunks + context + added + removed;
export const pairedLength = ({shape: {hunks, context, pairs}}: PatchFile): number =>
	1 + hunks + context + pairs;

/** Returns for each block the removed lines, then the added ones. */
export const unifiedRows = (file: PatchFile): readonly ReviewRow[] =>
	rowsOf(file, ({removed, added}) => [
		...removed.map((old, at) => ({kind: 'line' as const, file, old, ...changeOf(old, added[at])})),
		...added.map((now, at) => ({kind: 'line' as const, file, new: now, ...changeOf(removed[at], now)})),
	]);

/** Returns removed lines side by side with the lines that replaced them. */
export const pairedRows = (file: PatchFile): readonly ReviewRow[] =>
	rowsOf(file, ({removed, added}) =>
		Array.from({length: Math.max(removed.length, added.length)}, (_, at): LineRow => {
			const [old, now] = [removed[at], added[at]];
			return {kind: 'line', file, ...(old && {old}), ...(now && {new: now}), ...changeOf(old, now)};
		}),
	);

type Block = Changed<PatchLine>;

const changeOf = (old: PatchLine | undefined, now: PatchLine | undefined): Pick<LineRow, 'change'> =>
	old && now ? {change: {old: old.text, new: now.text}} : {};

const rowsOf = (file: PatchFile, blockRows: (block: Block) => readonly LineRow[]): readonly ReviewRow[] => [
	{kind: 'file', file},
	...file
		.hunks()
		.flatMap((hunk): readonly ReviewRow[] => [
			{kind: 'hunk', file, header: hunk.header},
			...linesOf(file, hunk, blockRows),
		]),
];

const linesOf = (file: PatchFile, {lines}: Hunk, blockRows: (block: Block) => readonly LineRow[]) =>
	blocksOf(lines, ({sign}) => sign).flatMap((block): readonly LineRow[] =>
		'same' in block ? [{kind: 'line', file, old: block.same, new: block.same}] : blockRows(block),
	);
