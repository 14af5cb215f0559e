import {maxQuoteLength, type ReviewComment, type Side} from '../../domain/review-comment.ts';
import type {Comparison} from '../../host/review/compare.ts';
import {type DraftComment, reviewMark} from '../../host/review/review-memory.ts';
import {type AnchoredLines, anchor, type FileNow} from '../../review/anchor.ts';
import {fileWithoutLines, type PatchFile, readPatch} from '../../review/patch.ts';
import {pairedLength, pairedRows, type ReviewRow, unifiedLength, unifiedRows} from '../../review/rows.ts';
import {memoized, perObject} from './memo.ts';
import {queueKey, selectedReview} from './queue.ts';
import type {ReviewState} from './review-state.ts';
import {type RowList, rowList, type Section} from './row-list.ts';
import type {PreviewState, State} from './state.ts';

/** A row of the diff pane: a row of the patch, or a comment below its lines. */
export type DiffRow =
	| ReviewRow
	| {readonly kind: 'seen'; readonly file: PatchFile; readonly lines: number}
	| {readonly kind: 'left-out'; readonly file: PatchFile}
	| ({readonly kind: 'comment'} & PositionedDraft);

/** All rows of the diff. Rows of a file are created when it is first shown. */
export type DiffRows = RowList<DiffRow> & {
	readonly files: readonly PatchFile[];
	/** Number of files that are marked as reviewed with their current content. */
	readonly reviewed: number;
	/** First row of each file. */
	readonly heads: readonly number[];
	/** The file of a section that has exactly the rows of the file's patch. */
	readonly plainFile: (section: number) => PatchFile | undefined;
};

/** From this many columns the sheet of the Review tab has room beside its diff. */
export const besideDiffFrom = 180;

/** From this width, old and new are side by side. Beside a sheet the diff needs more. */
const sideBySideFrom = {alone: 140, besideSheet: 240};

export const isSideBySide = ({size: {columns}, live, zoomed}: State): boolean =>
	columns >= (live || zoomed || columns < besideDiffFrom ? sideBySideFrom.alone : sideBySideFrom.besideSheet);

/**
 * The preview of the task selected in the queue, or the live change while its view is open. Undefined while
 * only another task's preview is known.
 */
export const shownPreview = (state: State): PreviewState | undefined => {
	if (state.live) return state.live.change;
	const row = selectedReview(state);
	return row && state.preview?.key.startsWith(`${queueKey(row)}@`) ? state.preview : undefined;
};

/** The changes since the person last looked, if the diff shows these. */
export const shownSince = (state: State): Comparison | undefined => {
	const preview = shownPreview(state);
	return preview?.state === 'ready' && !state.review.isWhole ? preview.since : undefined;
};

/** Rows of the diff as drawn. */
export const diffRows = (state: State): DiffRows => {
	const {drafts, reviewed, contents, opened} = state.review;
	const [since, isWide] = [shownSince(state), isSideBySide(state)];
	return rowsOfPatch(shownPreview(state), since, isWide, drafts, reviewed, contents, opened);
};

/**
 * The files of a change. In a long patch, the file at the cut and those after it have no lines until the
 * person loads them.
 */
const listedFiles = perObject(({patch, files, truncated}: Comparison): readonly PatchFile[] => {
	const read = readPatch(patch);
	if (!truncated) return read;
	const whole = read.slice(0, -1);
	const known = new Set(whole.map(({path}) => path));
	const others = files.filter(({path}) => !known.has(path));
	return [...whole, ...others.map(({path, added, removed}) => fileWithoutLines(path, added, removed))];
});

const withOpened = perObject((files: readonly PatchFile[]) =>
	memoized((opened: ReviewState['opened']) =>
		opened.size === 0 ? files : files.map(file => opened.get(file) ?? file),
	),
);

const filesOf = (change: Comparison, opened: ReviewState['opened']): readonly PatchFile[] =>
	withOpened(listedFiles(change))(opened);

/** The file at the cursor, if its lines have to be loaded. */
export const selectedLeftOutFile = (state: State): PatchFile | undefined => {
	const row = diffRows(state).at(cursorRow(state));
	return row && row.kind !== 'comment' && row.file.leftOut === 'all' ? row.file : undefined;
};

const unified = perObject(unifiedRows);
const paired = perObject(pairedRows);

const rowsOfPatch = memoized(
	(
		preview: PreviewState | undefined,
		since: Comparison | undefined,
		isWide: boolean,
		drafts: readonly DraftComment[],
		reviewed: readonly string[],
		contents: ReviewState['contents'],
		opened: ReviewState['opened'],
	): DiffRows => {
		const whole = preview?.state === 'ready' ? filesOf(preview.preview, opened) : [];
		const files = since ? filesOf(since, opened) : whole;
		const seen = new Set(reviewed);
		const all = positionDrafts(whole, preview, drafts, contents);
		const gone = all.filter(({draft}) => whole.every(({path}) => path !== draft.path));
		// The old side differs between this comparison and the whole change, so comments on it are not placed
		// here.
		const positioned = since ? all.filter(({draft}) => draft.side === 'new') : all;
		const commented = new Set(positioned.map(({draft}) => draft.path));
		const isPlain = (file: PatchFile): boolean =>
			!commented.has(file.path) && !seen.has(reviewMark(file)) && file.leftOut !== 'all';
		const rowsOf = isWide ? paired : unified;
		const lengthOf = isWide ? pairedLength : unifiedLength;
		const rows = rowList<DiffRow>([
			created(gone.map(commentRow)),
			...files.map(file => {
				if (isPlain(file)) return {length: lengthOf(file), rows: () => rowsOf(file)};
				const own = positioned.filter(({draft}) => draft.path === file.path);
				if (file.leftOut === 'all')
					return created([{kind: 'file', file}, {kind: 'left-out', file}, ...own.map(commentRow)]);
				if (!seen.has(reviewMark(file))) return created(withComments(rowsOf(file), own));
				const lines = file.added + file.removed;
				return created([{kind: 'file', file}, {kind: 'seen', file, lines}, ...own.map(commentRow)]);
			}),
		]);
		return {
			...rows,
			...{files, heads: rows.starts.slice(1)},
			reviewed: seen.size === 0 ? 0 : files.filter(file => seen.has(reviewMark(file))).length,
			plainFile: section => {
				const file = files[section - 1];
				return file && isPlain(file) ? file : undefined;
			},
		};
	},
);

/** The rows of a change without what a review adds. Old and new lines are below each other. */
export const rowsOfChange = perObject((change: Comparison): DiffRows => {
	const files = listedFiles(change);
	const sections = files.map(
		(file): Section<DiffRow> =>
			file.leftOut === 'all'
				? created([
						{kind: 'file', file},
						{kind: 'left-out', file},
					])
				: {length: unifiedLength(file), rows: () => unified(file)},
	);
	const rows = rowList(sections);
	return {...rows, files, heads: rows.starts, reviewed: 0, plainFile: section => files[section]};
});

type PositionedDraft = {
	readonly draft: DraftComment;
	readonly anchored: AnchoredLines;
	/** True if its lines are not among the shown ones. */
	readonly isAside?: boolean;
};

const commentRow = (positioned: PositionedDraft): DiffRow => ({kind: 'comment', ...positioned});

const created = (rows: readonly DiffRow[]): Section<DiffRow> => ({length: rows.length, rows: () => rows});

/** The drafts of the shown trace, each with its current position. */
const positionDrafts = (
	files: readonly PatchFile[],
	preview: PreviewState | undefined,
	drafts: readonly DraftComment[],
	contents: ReviewState['contents'],
): readonly PositionedDraft[] => {
	if (preview?.state !== 'ready') return [];
	return draftsOf(preview.key, drafts).map(draft => ({
		draft,
		anchored: anchor(draft, fileNow(files, draft, contents)),
	}));
};

const fileNow = (
	files: readonly PatchFile[],
	{path, side, blob: before}: DraftComment,
	contents: ReviewState['contents'],
): FileNow | undefined => {
	const blob = files.find(file => file.path === path)?.blobs[side];
	return blob === undefined ? undefined : {blob, lines: contents.get(blob), before: contents.get(before)};
};

/** Git's id of a file version whose lines are needed to find the current position of a comment. */
export const nextUnreadBlob = (state: State): string | undefined =>
	unknownBlob(shownPreview(state), state.review);

/** The same for any change. */
export const unknownBlob = (
	preview: PreviewState | undefined,
	{drafts, contents, opened}: ReviewState,
): string | undefined => {
	if (preview?.state !== 'ready' || drafts.length === 0) return;
	const files = filesOf(preview.preview, opened);
	return draftsOf(preview.key, drafts)
		.flatMap(draft => {
			const now = fileNow(files, draft, contents);
			return now === undefined || anchor(draft, now).state !== 'outdated' ? [] : [now.blob, draft.blob];
		})
		.find(blob => blob !== '' && !contents.has(blob));
};

const draftsOf = (key: string, drafts: readonly DraftComment[]): readonly DraftComment[] => {
	const traceId = key.split('/')[0];
	return drafts.filter(draft => draft.traceId === traceId);
};

/**
 * Inserts comments below the last of their lines. Comments with uncertain or hidden lines go below the head
 * of their file.
 */
const withComments = (
	rows: readonly ReviewRow[],
	positioned: readonly PositionedDraft[],
): readonly DiffRow[] => {
	const isShown = (one: PositionedDraft): boolean => rows.some(row => isAt(row, one));
	const unpositioned = positioned.filter(one => !isShown(one));
	return rows.flatMap((row): readonly DiffRow[] => [
		row,
		...(row.kind === 'file'
			? unpositioned.map(one => commentRow({...one, isAside: true}))
			: positioned.filter(one => isAt(row, one)).map(commentRow)),
	]);
};

const isAt = (row: ReviewRow, {draft: {side}, anchored}: PositionedDraft): boolean =>
	anchored.state !== 'outdated' && row.kind === 'line' && row[side]?.[side] === anchored.endLine;

/** The row at the cursor. */
export const cursorRow = (state: State): number =>
	Math.max(0, Math.min(state.review.cursor, diffRows(state).length - 1));

/** First and last row of the selected range, or of the cursor. */
export const selectedRows = (state: State) => range(state.review.from ?? cursorRow(state), cursorRow(state));

const range = memoized((from: number, to: number): readonly [first: number, last: number] => [
	Math.min(from, to),
	Math.max(from, to),
]);

/** Columns of the highest line number. */
export const lineNumberWidth = (state: State): number => lineDigits(diffRows(state).files);

/** The same for the files of any diff. */
export const lineDigits = memoized((files: readonly PatchFile[]): number => {
	let highest = 1;
	for (const {shape} of files) highest = Math.max(highest, shape.highest);
	return String(highest).length;
});

/** Max rows of a range. A comment on more rows could not quote them. */
const maxRangeLines = 2 * maxQuoteLength;

/**
 * The position of a comment on the selected rows: lines of one side of one file, the new side if there is
 * any. Undefined if the rows are no such lines.
 */
export const selectedPosition = (state: State): Omit<DraftComment, 'text'> | undefined => {
	const [first, last] = selectedRows(state);
	if (last - first > maxRangeLines) return;
	const preview = shownPreview(state);
	const rows = diffRows(state)
		.slice(first, last + 1)
		.filter(row => row.kind === 'line');
	const [{file} = {file: undefined}] = rows;
	if (file === undefined || preview === undefined || rows.some(row => row.file !== file)) return;
	const side: Side = rows.some(row => row.new) ? 'new' : 'old';
	// Comments are sent about the whole change, so only its lines can have comments.
	if (shownSince(state) && (side === 'old' || !isInWhole(state, file))) return;
	const lines = rows.flatMap(row => row[side] ?? []);
	const [line, endLine] = [lines[0]?.[side], lines.at(-1)?.[side]];
	// Lines of two hunks are not contiguous.
	if (line === undefined || endLine === undefined || endLine - line !== lines.length - 1) return;
	const quote = lines
		.map(({text}) => text)
		.join('\n')
		.slice(0, maxQuoteLength);
	const traceId = preview.key.split('/')[0] ?? '';
	return {traceId, path: file.path, side, line, endLine, quote, blob: file.blobs[side]};
};

const isInWhole = (state: State, {path}: PatchFile): boolean => {
	const preview = shownPreview(state);
	return (
		preview?.state === 'ready' &&
		filesOf(preview.preview, state.review.opened).some(file => file.path === path)
	);
};

/** The comment at the cursor: its own row, or the line above it. */
export const selectedDraft = (state: State): DraftComment | undefined => {
	const rows = diffRows(state);
	const at = cursorRow(state);
	const row = rows.at(at);
	if (row?.kind === 'comment') return row.draft;
	const next = rows.at(at + 1);
	return state.review.from === undefined && row?.kind === 'line' && next?.kind === 'comment'
		? next.draft
		: undefined;
};

/**
 * The comments to send with a rejection: those with certain lines, at their current position. Also the number
 * of the others.
 */
export const commentsOn = (
	preview: PreviewState,
	{drafts, contents, opened}: ReviewState,
): {readonly comments: readonly ReviewComment[]; readonly outdated: number} => {
	const files = preview.state === 'ready' ? filesOf(preview.preview, opened) : [];
	const positioned = positionDrafts(files, preview, drafts, contents);
	const comments = positioned.flatMap(({draft: {traceId: _, blob: __, ...comment}, anchored}) =>
		anchored.state === 'outdated' ? [] : [{...comment, line: anchored.line, endLine: anchored.endLine}],
	);
	return {comments, outdated: draftsOf(preview.key, drafts).length - comments.length};
};

/** The tree of a task at which the person looked before the given one. */
export const lastViewedWork = ({review}: State, task: string, tree: string): string | undefined => {
	const last = review.looked.find(other => other.task === task);
	if (last === undefined || tree === '') return;
	return last.tree === tree ? last.before : last.tree;
};
