import type {RunRecord} from '../../domain/run.ts';
import type {RunActivity} from '../../host/views/activity.ts';
import {runFacts} from '../../host/views/run-facts.ts';
import {type Line, line, span} from '../parts/line.ts';
import {factRows} from '../parts/sheet-rows.ts';
import {areaOf, inside} from './layout.ts';
import {memoized} from './memo.ts';
import {shownActivities} from './past.ts';
import {runList} from './selectors.ts';
import type {State} from './state.ts';

/** Facts about the selected run, wrapped to the pane of the runs. A group starts with its name. */
export const rowsOfRunFacts = (state: State): readonly Line[] => {
	const run = runList.selected(state)?.run;
	if (run === undefined) return none;
	const {width} = inside(areaOf(state, 'runs'));
	return rowsOf(run, shownActivities(state).get(run.agentId), width - 1);
};

const none: readonly Line[] = [];

/** Columns before and after the end of a run in the row below it. */
const indentWidth = 4;

const rowsOf = memoized((run: RunRecord, activity: RunActivity | undefined, width: number): readonly Line[] =>
	runFacts(run, activity, width - indentWidth).flatMap(({name, lines}) => [
		line(` ${name}`, 'dim'),
		...lines.flatMap(one => factRows(one, width - 2).map(row => [span('   '), ...row])),
	]),
);
