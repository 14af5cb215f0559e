import type {RunRecord} from '../../domain/run.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {wrapAtSpaces} from '../parts/cells.ts';
import {type Line, line} from '../parts/line.ts';
import {areaOf, inside} from './layout.ts';
import {liveHead} from './live.ts';
import {memoized} from './memo.ts';
import {selectedRun} from './selectors.ts';
import type {State} from './state.ts';

/** The lines above the live diff: the runs at work in its worktree. A diff in the Review tab has none. */
export const diffHead = (state: State): readonly Line[] => (state.live ? liveHead(state) : noLines);

const noLines: readonly Line[] = [];

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
