import {isWaitingRun} from '../../domain/run.ts';
import {asksPerson, mayRunAgain} from '../../host/views/run.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {selectedReview} from '../store/queue.ts';
import {focusedPane, isEmptyColony, type Subject, shownPlan, subjectOf} from '../store/selectors.ts';
import type {PaneId, State} from '../store/state.ts';
import {collapseStateAt} from '../store/trace-list.ts';
import {actRows, requestRow} from './act-rows.ts';
import {appRows, copyRows} from './app-rows.ts';
import {moveRows} from './move-rows.ts';
import type {Group, Row, Scope} from './row.ts';
import {viewRows} from './view-rows.ts';

/** Every key of the dashboard. Input, footer, help, palette and readme read this table and nothing else. */
const groups = {
	Act: [...actRows, requestRow],
	View: viewRows,
	Copy: copyRows,
	Move: moveRows,
	App: appRows,
} as const satisfies Readonly<Record<Group, readonly Row[]>>;

export type ActionId = (typeof groups)[Group][number]['action'];
export type Binding = Row & {readonly action: ActionId; readonly group: Group};

const groupNames: readonly Group[] = ['Act', 'View', 'Copy', 'Move', 'App'];

/** All rows, group by group, in the order of the help. */
export const bindings: readonly Binding[] = groupNames.flatMap(group =>
	groups[group].map(row => ({...row, group})),
);

/** The active scopes, the nearest first. */
export const scopesOf = (state: State): readonly Scope[] => {
	const pane = focusedPane(state);
	if (state.live) return ['live', ...scopesOfPane(pane)];
	// The pane that replaces a task's diff has no text to scroll.
	const own: Scope[] = pane === 'diff' && !selectedReview(state) ? ['everywhere'] : scopesOfPane(pane);
	if (state.detail) return ['detail', 'past', ...own];
	if (state.tab === 'traces' && pane !== 'log') own.unshift('past');
	if (state.tab === 'traces' && isEmptyColony(state)) own.unshift('begin');
	const collapseState = pane === 'traces' ? collapseStateAt(state) : undefined;
	if (collapseState !== undefined) own.unshift(collapseState);
	if (state.tab === 'sessions') return ['sessions', ...own];
	if (shownPlan(state) !== undefined && markedReviews(state).length === 0) return ['plan', ...own];
	if (isRepeatable(subjectOf(state))) return ['run', ...own];
	return subjectOf(state).invite === undefined || markedReviews(state).length > 0 ? own : ['invite', ...own];
};

/**
 * True if the selected run can be answered or retried: it has a question for a person, or it failed. A failed
 * run must have no task or a running one, which a retry of the task would start over.
 */
const isRepeatable = ({trace, task, run}: Subject): boolean =>
	trace !== undefined &&
	run !== undefined &&
	(asksPerson(trace, run) ||
		isWaitingRun(run) ||
		((task === undefined || task.status === 'running') && mayRunAgain(trace, run)));

const scopesOfPane = (pane: PaneId): Scope[] => {
	if (pane === 'log') return ['log', 'texts', 'everywhere'];
	if (pane === 'diff') return ['diff', 'texts', 'everywhere'];
	if (pane === 'colony' || pane === 'detail' || pane === 'sheet') return ['texts', 'everywhere'];
	if (pane === 'traces') return ['traces', 'everywhere'];
	return pane === 'events' ? ['events', 'everywhere'] : ['everywhere'];
};
