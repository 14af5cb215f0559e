import type {CallRef} from '../../domain/call-ref.ts';
import type {Side} from '../../domain/review-comment.ts';
import {sanitizeLine, sanitizeProse} from '../../domain/sanitize.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {wrapAtColumns} from '../parts/cells.ts';
import {timeWidth} from '../parts/format.ts';
import {type Line, plainText} from '../parts/line.ts';
import type {SheetRow} from '../parts/sheet-rows.ts';
import {windowAround} from '../parts/window.ts';
import {beginLines, decisionLines} from './decision.ts';
import {detailLines} from './detail.ts';
import {type DetailRow, detailRows} from './detail-rows.ts';
import {clipCode, formatDiffRow} from './diff-text.ts';
import {diffHead, logHead} from './heads.ts';
import {areaOf, inside} from './layout.ts';
import {isSameCall, type LogView, logLines, logTimes, type Unfolded} from './log.ts';
import {colonyRows} from './machines.ts';
import {memoized} from './memo.ts';
import {type DiffRow, diffRows, isSideBySide, lineNumberWidth} from './review.ts';
import {logOfRun, selectedTask} from './selectors.ts';
import {sheetCursor, shownSheetRows} from './sheet-text.ts';
import type {State, TextId} from './state.ts';
import {selectedTrace} from './trace-list.ts';
import {selectedWaits} from './waits.ts';

/** A text whose rows are all in memory. */
export type PlainTextId = Exclude<TextId, 'diff'>;

/** Rows of a scrolling text as its pane shows them, wrapped if wrapping is on. */
export const textRows = (state: State, text: PlainTextId): readonly string[] => {
	if (text === 'log') return shownLog(state).texts;
	if (text === 'detail') return plainRows(rowsOfDetail(state));
	if (text === 'sheet') return textsOfSheet(shownSheetRows(state));
	return colonyRows(state.colony, state.status.places);
};

/** Rows of the shown tab of the detail. */
export const rowsOfDetail = (state: State): readonly DetailRow[] => {
	const width = inside(areaOf(state, 'detail')).width - 2;
	return detailRows(detailLines(state, width), width);
};

const textsOfSheet = memoized((rows: readonly SheetRow[]): readonly string[] =>
	rows.map(({line}) => plainText(line)),
);

const plainRows = memoized((rows: readonly DetailRow[]): readonly string[] => rows.map(({text}) => text));

/** The first visible row. If the text is followed, it is such that the end is visible. */
export const firstRow = (state: State, text: TextId): number => {
	if (text === 'sheet')
		return windowAround(sheetCursor(state), shownSheetRows(state).length, textHeight(state, text)).start;
	const last = lastFirstRow(state, text);
	const {follow, top} = state.scroll[text];
	return follow ? last : Math.min(top, last);
};

/** Facts for the decision about the selected task. */
export const taskDecision = (state: State): readonly Line[] =>
	decision(selectedTrace(state), selectedTask(state), selectedWaits(state));
const decision = memoized(
	(trace: Trace | undefined, task: Task | undefined, waits: readonly Wait[]): readonly Line[] =>
		trace && task ? [...decisionLines(trace, task), ...beginLines(trace, task, waits)] : [],
);

/** Rows of the text's window, without the head above it. The log uses one row for its status. */
export const textHeight = (state: State, text: TextId): number => {
	const head = text === 'log' ? logHead(state) : text === 'diff' ? diffHead(state) : [];
	const kept = head.length + (text === 'log' ? 1 : 0);
	return Math.max(1, inside(areaOf(state, text)).height - kept);
};

export const lastFirstRow = (state: State, text: TextId): number =>
	text === 'diff'
		? firstAbove(state, diffRows(state).length - 1)
		: Math.max(0, textRows(state, text).length - textHeight(state, text));

/** The row after the last one that fits in the window. */
export const endRow = (state: State, text: TextId): number => {
	const [first, height] = [firstRow(state, text), textHeight(state, text)];
	if (text !== 'diff' || !state.wrap) return first + height;
	const rows = diffRows(state);
	let [end, left] = [first, height];
	for (; left > 0 && end < rows.length; end += 1) left -= diffRowHeight(state, rows.at(end));
	return end;
};

/** Screen rows left for the last row of the diff's window, which may be cut. */
export const heightOfLastRow = (state: State): number => {
	const height = textHeight(state, 'diff');
	if (!state.wrap) return height;
	const shown = diffRows(state).slice(firstRow(state, 'diff'), endRow(state, 'diff') - 1);
	return Math.max(
		1,
		shown.reduce((left, row) => left - diffRowHeight(state, row), height),
	);
};

/** The first row of the diff such that it and all rows down to `row` fit in the window. */
export const firstAbove = (state: State, row: number): number => {
	const height = textHeight(state, 'diff');
	if (!state.wrap) return Math.max(0, row - height + 1);
	const rows = diffRows(state);
	let first = Math.max(0, row);
	let left = height - diffRowHeight(state, rows.at(first));
	while (first > 0) {
		left -= diffRowHeight(state, rows.at(first - 1));
		if (left < 0) break;
		first -= 1;
	}
	return first;
};

/** Columns of the diff, and of the code on each side. */
export const diffColumns = (state: State): DiffColumns =>
	columnsOfDiff(inside(areaOf(state, 'diff')).width, lineNumberWidth(state), isSideBySide(state));

export type DiffColumns = {
	readonly whole: number;
	/** Columns of the left half, if there are two. */
	readonly half?: number;
	readonly code: Readonly<Record<Side, number>>;
};

/**
 * Before the code are the row's mark (only at the left), the line numbers, each with a space, and the sign.
 */
export const columnsOfDiff = memoized((whole: number, digits: number, isPaired: boolean): DiffColumns => {
	if (!isPaired) {
		const code = Math.max(1, whole - 2 * (digits + 1) - 2);
		return {whole, code: {old: code, new: code}};
	}
	const half = Math.floor((whole - 1) / 2);
	const code = {old: Math.max(1, half - digits - 3), new: Math.max(1, whole - 1 - half - digits - 2)};
	return {whole, half, code};
});

/** Screen rows of a row of the diff. */
const diffRowHeight = (state: State, row: DiffRow | undefined): number => {
	if (!state.wrap || row === undefined) return 1;
	const {whole, code} = diffColumns(state);
	if (row.kind !== 'line') return wrapAtColumns(sanitizeProse(formatDiffRow(row)), whole - 1).length;
	const rowsOf = (side: Side): number =>
		wrapAtColumns(sanitizeLine(clipCode(row[side]?.text ?? '')), code[side]).length;
	return isSideBySide(state) ? Math.max(rowsOf('old'), rowsOf('new')) : rowsOf(row.new ? 'new' : 'old');
};

/** From this width, the log has a column of times if any is known. */
const timesWidth = 100;

/** The time beside each row of the log. Empty for continuation rows. Undefined if there is no such column. */
export const logRowTimes = (state: State): readonly string[] | undefined =>
	hasTimes(state) ? shownLog(state).times : undefined;

const hasTimes = (state: State): boolean =>
	state.size.columns >= timesWidth && isTimed(logOfRun(state).times);

const isTimed = memoized((times: readonly string[]): boolean => times.some(time => time !== ''));

const shownLog = (state: State): LogRows => {
	const width = inside(areaOf(state, 'log')).width - (hasTimes(state) ? timeWidth + 1 : 0);
	return logRows(logOfRun(state), state.wrap ? width - 1 : 0);
};

/** The tool call of each row of the log, if it has one. */
export const logCalls = (state: State): LogRows['calls'] => shownLog(state).calls;

/** The row of the log at which the person is. */
export const logCursor = (state: State): number => {
	const last = Math.max(0, shownLog(state).texts.length - 1);
	const {follow, top} = state.scroll.log;
	return follow ? last : Math.min(last, logOfRun(state).cursor ?? top);
};

/** The tool call at the cursor of the log, else the nearest one above. */
export const selectedCall = (state: State): CallRef | undefined =>
	callAbove(shownLog(state).calls, logCursor(state));

const callAbove = memoized((calls: LogRows['calls'], row: number): CallRef | undefined => {
	for (let at = Math.min(row, calls.length - 1); at >= 0; at -= 1) if (calls[at]) return calls[at];
	return undefined;
});

type LogRows = {
	readonly texts: readonly string[];
	readonly times: readonly string[];
	readonly calls: readonly (CallRef | undefined)[];
};

const logRows = memoized((log: LogView, width: number): LogRows => {
	const lines = {texts: logLines(log), times: logTimes(log), calls: log.calls};
	const {texts, times, calls} = log.unfolded === undefined ? lines : withUnfolded(lines, log.unfolded);
	if (width <= 0) return {texts, times, calls};
	const rows = texts.map(text => wrapAtColumns(text, width));
	return {
		texts: rows.flat(),
		times: rows.flatMap((row, at) => row.map((_, part) => (part === 0 ? (times[at] ?? '') : ''))),
		calls: rows.flatMap((row, at) => row.map(() => calls[at])),
	};
});

/** Inserts the lines of a tool call below its line. */
const withUnfolded = (rows: LogRows, {call, lines = ['Reading…']}: Unfolded): LogRows => {
	const at = rows.calls.findIndex(other => isSameCall(other, call)) + 1;
	if (at === 0) return rows;
	const insert = <Value>(into: readonly Value[], values: readonly Value[]): readonly Value[] => [
		...into.slice(0, at),
		...values,
		...into.slice(at),
	];
	return {
		texts: insert(
			rows.texts,
			lines.map(text => `  │ ${text}`),
		),
		times: insert(
			rows.times,
			lines.map(() => ''),
		),
		calls: insert(
			rows.calls,
			lines.map(() => call),
		),
	};
};
