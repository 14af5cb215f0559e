import {landingWarnings} from '../../domain/landing.ts';
import type {RunRecord} from '../../domain/run.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {widthOf, wrapAtSpaces} from '../parts/cells.ts';
import {type Line, line, plainText, span} from '../parts/line.ts';
import {sharingLines} from './clashes.ts';
import {decisionLines, judgementLines, outsideLines, plantedLines, warningTexts} from './decision.ts';
import {areaOf, inside} from './layout.ts';
import {liveHead} from './live.ts';
import {memoized} from './memo.ts';
import {preflightLine} from './preflight.ts';
import {type ReviewRow, selectedReview} from './queue.ts';
import {shownPreview} from './review.ts';
import {selectedRun} from './selectors.ts';
import type {PreviewState, State} from './state.ts';

/** The lines above the diff, with facts for the decision. */
export const diffHead = (state: State): readonly Line[] => {
	if (state.live) return liveHead(state);
	const row = selectedReview(state);
	const {width, height} = inside(areaOf(state, 'diff'));
	const sharing = row ? sharingLines(state.clashes.overlaps, state.traces, row.trace.traceId) : nothing;
	return headOfDiff(row, shownPreview(state), sharing, width, height);
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
		const shown = preview?.state === 'ready' ? preview.preview : undefined;
		// The entry's own line says it already.
		const isShownByEntry = entry.kind === 'conflict' && (shown?.conflicts.length ?? 0) > 0;
		return [
			...plantedLines(shown?.planted ?? []),
			...(entry.kind === 'conflict' ? [line(`✗ ${entry.sentence} u updates it.`, 'bad')] : []),
			...(entry.kind === 'question' ? wrapToRows([entry.sentence], width - 1, height) : []),
			...decisionLines(trace, task),
			...(task.review === 'final'
				? [
						...joinIfFits(
							shown && !isShownByEntry ? [preflightLine(shown)] : [],
							judgementLines(trace, task),
							width - 1,
						),
						...sharing,
					]
				: []),
			...wrapToRows(
				markWarnings([...(shown ? landingWarnings(shown) : []), ...warningTexts(trace, task)]),
				width - 1,
				height,
			),
			...outsideLines(trace, task),
		];
	},
);

/** Puts both lines in one row if there is room, since a short screen has few rows. */
const joinIfFits = (one: readonly Line[], other: readonly Line[], width: number): readonly Line[] => {
	const [[first, ...more], [second, ...others]] = [one, other];
	if (first === undefined || second === undefined || more.length + others.length > 0)
		return [...one, ...other];
	const row = [...first, span(' · ', 'dim'), ...second];
	return widthOf(plainText(row)) <= width ? [row] : [first, second];
};

/** The lines above the log: warnings about its run. */
export const logHead = (state: State): readonly Line[] => {
	const {width, height} = inside(areaOf(state, 'log'));
	return headOfLog(selectedRun(state)?.run, width, height);
};

const headOfLog = memoized((run: RunRecord | undefined, width: number, height: number) =>
	wrapToRows(markWarnings(run?.warnings ?? []), width, height),
);

const markWarnings = (texts: readonly string[]): readonly string[] => texts.map(text => `! ${text}`);

/** Wrapped texts, up to half of their pane's height. */
const wrapToRows = (texts: readonly string[], width: number, height: number): readonly Line[] => {
	const rows = texts.flatMap(text => wrapAtSpaces(sanitizeLine(text), width));
	const room = Math.max(1, Math.floor(height / 2));
	const shown = rows.length <= room ? rows : [...rows.slice(0, room - 1), '! … the rest: hive replay'];
	return shown.map(text => line(text, 'accent'));
};
