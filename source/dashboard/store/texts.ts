import type {RunRecord} from '../../domain/run.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Wait} from '../../host/waits.ts';
import {areaOf, inside} from '../layout.ts';
import {wrapColumns, wrapWords} from '../parts/cells.ts';
import {type Line, line} from '../parts/line.ts';
import {timeWidth} from '../parts/words.ts';
import {sharingLines} from './clashes.ts';
import {beginLines, decisionLines, judgementLines, plantedLines, warningTexts} from './decision.ts';
import {detailLines} from './detail.ts';
import {type DetailRow, detailRows} from './detail-rows.ts';
import {diffText} from './diff-text.ts';
import {type LogView, logLines, logTimes} from './log.ts';
import {memoized} from './memo.ts';
import {colonyRows} from './places.ts';
import {type ReviewRow, selectedReview} from './queue.ts';
import {type DiffRow, diffRows} from './review.ts';
import {selectedRun, selectedTask, selectedWaits} from './selectors.ts';
import type {PreviewState, State, TextId} from './state.ts';
import {selectedTrace} from './trace-list.ts';

/** Rows of a scrolling text as its pane shows them, wrapped when that is on. */
export const textRows = (state: State, text: TextId): readonly string[] => {
	if (text === 'log') return shownLog(state).texts;
	if (text === 'detail') return plainRows(rowsOfDetail(state));
	return text === 'diff' ? diffTexts(diffRows(state)) : colonyRows(state.colony, state.status.places);
};

/** Rows of the part of the detail that is shown. */
export const rowsOfDetail = (state: State): readonly DetailRow[] => {
	const width = inside(areaOf(state, 'detail')).width - 2;
	return detailRows(detailLines(state, width), width);
};

const plainRows = memoized((rows: readonly DetailRow[]): readonly string[] => rows.map(({text}) => text));

/** The first row shown: the end while the text is followed, never past it. */
export const firstRow = (state: State, text: TextId): number => {
	const last = lastFirstRow(state, text);
	const {follow, top} = state.scroll[text];
	return follow ? last : Math.min(top, last);
};

/** What to know of the selected task before deciding about it. */
export const taskDecision = (state: State): readonly Line[] =>
	decision(selectedTrace(state), selectedTask(state), selectedWaits(state));
const decision = memoized(
	(trace: Trace | undefined, task: Task | undefined, waits: readonly Wait[]): readonly Line[] =>
		trace && task ? [...decisionLines(trace, task), ...beginLines(trace, task, waits)] : [],
);

/** What stands above the diff: what to know before deciding. */
export const diffHead = (state: State): readonly Line[] => {
	const row = selectedReview(state);
	const {width, height} = inside(areaOf(state, 'diff'));
	const sharing = row ? sharingLines(state.clashes.overlaps, state.traces, row.trace.traceId) : nothing;
	return headOfDiff(row, state.preview, sharing, width, height);
};

const nothing: readonly Line[] = [];

const headOfDiff = memoized(
	(
		row: ReviewRow | undefined,
		preview: PreviewState | undefined,
		sharing: readonly Line[],
		width: number,
		height: number,
	): readonly Line[] => {
		if (!row) return [];
		const {trace, task, entry} = row;
		const planted = preview?.state === 'ready' ? preview.preview.planted : [];
		return [
			...plantedLines(planted),
			...(entry.kind === 'conflict' ? [line(`✗ ${entry.sentence} u updates it.`, 'bad')] : []),
			...decisionLines(trace, task),
			...(task.review === 'final' ? [...judgementLines(trace, task), ...sharing] : []),
			...warningRows(warningTexts(trace, task), width - 1, height),
		];
	},
);

/** What stands above the log: what hive warns of about its run. */
export const logHead = (state: State): readonly Line[] => {
	const {width, height} = inside(areaOf(state, 'log'));
	return headOfLog(selectedRun(state)?.run, width, height);
};

const headOfLog = memoized((run: RunRecord | undefined, width: number, height: number) =>
	warningRows(run?.warnings ?? [], width, height),
);

/** Warnings whole, as far as half of their pane has room. */
const warningRows = (texts: readonly string[], width: number, height: number): readonly Line[] => {
	const rows = texts.flatMap(text => wrapWords(`! ${sanitizeLine(text)}`, width));
	const room = Math.max(1, Math.floor(height / 2));
	const shown = rows.length <= room ? rows : [...rows.slice(0, room - 1), '! … the rest: hive replay'];
	return shown.map(text => line(text, 'accent'));
};

/** Rows of its window, without those above it; the log keeps one for its status. */
export const textHeight = (state: State, text: TextId): number => {
	const head = text === 'log' ? logHead(state) : text === 'diff' ? diffHead(state) : [];
	const kept = head.length + (text === 'log' ? 1 : 0);
	return Math.max(1, inside(areaOf(state, text)).height - kept);
};

export const lastFirstRow = (state: State, text: TextId): number =>
	Math.max(0, textRows(state, text).length - textHeight(state, text));

/** Rows where hunks and files of the patch begin. */
export const diffMarks = memoized((rows: readonly DiffRow[]) => ({
	hunks: rows.flatMap(({kind}, index) => (kind === 'hunk' ? [index] : [])),
	files: rows.flatMap(({kind}, index) => (kind === 'file' ? [index] : [])),
}));

/** From this width on the log has a column of times, where any is known. */
const timesWidth = 100;

/** The time beside each row of the log, empty for rows that go on with a line; nothing where they have no column. */
export const logRowTimes = (state: State): readonly string[] | undefined =>
	hasTimes(state) ? shownLog(state).times : undefined;

const hasTimes = ({size, log}: State): boolean => size.columns >= timesWidth && isTimed(log.times);

const isTimed = memoized((times: readonly string[]): boolean => times.some(time => time !== ''));

const shownLog = (state: State): LogRows => {
	const width = inside(areaOf(state, 'log')).width - (hasTimes(state) ? timeWidth + 1 : 0);
	return logRows(state.log, state.wrap ? width - 1 : 0);
};

type LogRows = {readonly texts: readonly string[]; readonly times: readonly string[]};

const logRows = memoized((log: LogView, width: number): LogRows => {
	const [lines, times] = [logLines(log), logTimes(log)];
	if (width <= 0) return {texts: lines, times};
	const rows = lines.map(text => wrapColumns(text, width));
	return {
		texts: rows.flat(),
		times: rows.flatMap((row, at) => row.map((_, part) => (part === 0 ? (times[at] ?? '') : ''))),
	};
});

const diffTexts = memoized((rows: readonly DiffRow[]): readonly string[] => rows.map(diffText));
