import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {areaOf, inside} from '../layout.ts';
import {wrapColumns} from '../parts/cells.ts';
import type {Line} from '../parts/line.ts';
import {decisionLines, plantedLines} from './decision.ts';
import {type DiffRow, diffText, sideRows} from './diff.ts';
import {type LogView, logLines} from './log.ts';
import {memoized} from './memo.ts';
import {queueList, selectedTask, selectedTrace} from './selectors.ts';
import type {PreviewState, State, TextId} from './state.ts';

/** Rows of a scrolling text as its pane shows them, wrapped when that is on. */
export const textRows = (state: State, text: TextId): readonly string[] => {
	const {width} = inside(areaOf(state, text));
	if (text === 'log') return logRows(state.log, state.wrap ? width - 1 : 0);
	return text === 'diff' ? diffTexts(diffRows(state)) : state.colony;
};

/** The first row shown: the end while the text is followed, never past it. */
export const firstRow = (state: State, text: TextId): number => {
	const last = lastFirstRow(state, text);
	const {follow, top} = state.scroll[text];
	return follow ? last : Math.min(top, last);
};

/** What to know of the selected task before deciding about it. */
export const taskDecision = (state: State): readonly Line[] =>
	decision(selectedTrace(state), selectedTask(state));
const decision = memoized((trace: Trace | undefined, task: Task | undefined) =>
	trace && task ? decisionLines(trace, task) : [],
);

/** What stands above the diff: what to know before deciding. */
export const diffHead = (state: State): readonly Line[] => {
	const row = queueList.selected(state);
	return headOf(row?.trace, row?.task, state.preview);
};

const headOf = memoized(
	(trace: Trace | undefined, task: Task | undefined, preview: PreviewState | undefined): readonly Line[] => {
		if (!trace || !task) return [];
		const planted = preview?.state === 'ready' ? preview.preview.planted : [];
		return [...plantedLines(planted), ...decisionLines(trace, task)];
	},
);

/** Rows of its window: the log keeps one for its status, the diff those above it. */
export const textHeight = (state: State, text: TextId): number => {
	const kept = text === 'log' ? 1 : text === 'diff' ? diffHead(state).length : 0;
	return Math.max(1, inside(areaOf(state, text)).height - kept);
};

export const lastFirstRow = (state: State, text: TextId): number =>
	Math.max(0, textRows(state, text).length - textHeight(state, text));

/** Rows where hunks and files of the patch begin. */
export const diffMarks = memoized((rows: readonly string[]) => ({
	hunks: rows.flatMap((row, index) => (row.startsWith('@@') ? [index] : [])),
	files: rows.flatMap((row, index) => (row.startsWith('diff --git ') ? [index] : [])),
}));

const logRows = memoized((log: LogView, width: number): readonly string[] =>
	width > 0 ? logLines(log).flatMap(row => wrapColumns(row, width)) : logLines(log),
);

/** From this width on old and new stand side by side. */
const sideBySideWidth = 140;

/** Rows of the diff as they are drawn. */
export const diffRows = ({preview, size}: Pick<State, 'preview' | 'size'>): readonly DiffRow[] =>
	rowsOfPatch(preview, size.columns >= sideBySideWidth);

const rowsOfPatch = memoized((preview: PreviewState | undefined, isWide: boolean): readonly DiffRow[] => {
	if (preview?.state !== 'ready' || preview.preview.patch === '') return [];
	const lines = preview.preview.patch.replace(/\n$/, '').split('\n');
	return isWide ? sideRows(lines) : lines.map(whole => ({whole}));
});

const diffTexts = memoized((rows: readonly DiffRow[]): readonly string[] => rows.map(diffText));
