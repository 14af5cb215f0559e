import type {Trace} from '../../domain/trace.ts';
import {agentTitle, traceName} from '../../host/views/name.ts';
import {isOver, type TraceView, traceView} from '../../host/views/trace.ts';
import {matchesFilter, parseFilter, requiresFact} from './filter.ts';
import {createList} from './list.ts';
import {memoized, perObject} from './memo.ts';
import {shownTraces} from './past.ts';
import {searchTermsOfTrace} from './search-terms.ts';
import type {State, TraceSort} from './state.ts';

/** The sections of the list, from top to bottom. */
export const sections = ['Needs you', 'Running', 'Waiting', 'Finished'] as const;
export type TraceSection = (typeof sections)[number];

export type TraceRow = Omit<TraceView, 'status'> & {
	readonly status: Exclude<TraceView['status'], 'requested'>;
	readonly section: TraceSection;
	/** The title that an agent gave, if the person's own one differs. Empty otherwise. */
	readonly agentTitle: string;
	readonly trace: Trace;
	/** True if a task or an invite waits for a person. */
	readonly isWaiting: boolean;
	/** True if the trace has no work left and needs no person. */
	readonly isFinished: boolean;
};

/** The row for the finished traces, which are listed below it while it is expanded. */
type CollapsedRow = {readonly finished: number; readonly trace?: never};
export type TraceListRow = TraceRow | CollapsedRow;

export const collapsedRowId = 'finished';
/** Fewer finished traces than this are not collapsed: a row for one trace would only hide its title. */
const minCollapsed = 2;

const traceRow = perObject((trace: Trace): TraceRow => {
	const view = traceView(trace);
	const status = view.status === 'requested' ? 'planned' : view.status;
	const isWaiting = view.needs === 'waiting_review' || view.needs === 'invited';
	const isFinished = isOver(trace);
	return {
		...view,
		title: view.title === '' && trace.request === undefined ? '' : traceName(trace),
		agentTitle: agentTitle(trace),
		status,
		section: isFinished ? 'Finished' : sectionOf(view.needs, status),
		trace,
		isWaiting,
		isFinished,
	};
});

/** A paused trace goes on by itself, so it needs no person. */
const sectionOf = (needs: TraceRow['needs'], status: TraceRow['status']): TraceSection => {
	if (needs !== undefined && needs !== 'paused') return 'Needs you';
	return status === 'running' ? 'Running' : 'Waiting';
};

const compareNewest = ({trace: a}: TraceRow, {trace: b}: TraceRow): number =>
	a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1;
const urgency = ({needs, status}: TraceRow): number =>
	[
		'waiting_review',
		'invited',
		'failed',
		'blocked',
		'paused',
		'running',
		'ready',
		'planned',
		'completed',
		'cancelled',
	].indexOf(needs ?? status);
const traceOrders: Readonly<Record<TraceSort, (a: TraceRow, b: TraceRow) => number>> = {
	'needs you first': (a, b) => urgency(a) - urgency(b) || compareNewest(a, b),
	newest: compareNewest,
	title: (a, b) => a.title.localeCompare(b.title) || compareNewest(a, b),
};
const compareSections = ({section: a}: TraceRow, {section: b}: TraceRow): number =>
	sections.indexOf(a) - sections.indexOf(b);

/** Archived traces are listed only if the filter asks for them. */
const foundTraces = memoized(
	(
		traces: ReadonlyMap<string, Trace>,
		sort: TraceSort,
		text: string,
		archived: ReadonlySet<string>,
	): readonly TraceRow[] => {
		const filter = parseFilter(text);
		const showsArchived = requiresFact(filter, 'archived');
		return [...traces.values()]
			.map(traceRow)
			.filter(row => {
				const isArchived = archived.has(row.trace.traceId);
				if (isArchived && !showsArchived) return false;
				return (
					filter.length === 0 ||
					matchesFilter(filter, searchTermsOfTrace(row.trace, row, {...row, isArchived}))
				);
			})
			.sort((a, b) => compareSections(a, b) || traceOrders[sort](a, b));
	},
);

const found = (state: State): readonly TraceRow[] =>
	foundTraces(shownTraces(state), state.sort, state.filters.traces ?? '', state.archived);

/**
 * Collapses the finished traces into one row at the end. A selected finished trace stays visible. With a
 * filter, nothing is collapsed.
 */
const collapseFinished = memoized(
	(rows: readonly TraceRow[], isExpanded: boolean, selected: string): readonly TraceListRow[] => {
		const finished = rows.filter(row => row.isFinished);
		if (finished.length < minCollapsed) return rows;
		const shown = isExpanded ? finished : finished.filter(({traceId}) => traceId === selected);
		return [...rows.filter(row => !row.isFinished), {finished: finished.length}, ...shown];
	},
);

export const traceList = createList<TraceListRow>({
	name: 'traces',
	rows: state => {
		const rows = found(state);
		if (state.filters.traces) return rows;
		return collapseFinished(rows, state.isExpanded, selectedFinished(state));
	},
	id: ({trace}) => trace?.traceId ?? collapsedRowId,
});

/** Rows depend on the selection only if a finished trace is selected. */
const selectedFinished = (state: State): string => {
	const trace = shownTraces(state).get(state.selected.traces ?? '');
	return trace && traceRow(trace).isFinished ? trace.traceId : '';
};

export const selectedTrace = (state: State): Trace | undefined => traceList.selected(state)?.trace;

/**
 * The number of traces in the list, collapsed or not, and the position of the selected one, from 1. No
 * position if no trace is selected.
 */
export const tracePosition = (state: State): {readonly at?: number; readonly of: number} => {
	const of = found(state).length;
	const position = traceList.position(state);
	const [row, collapsedIndex] = [
		traceList.rows(state)[position],
		traceList.rows(state).findIndex(({trace}) => !trace),
	];
	if (row?.trace === undefined) return {of};
	return {at: collapsedIndex >= 0 && collapsedIndex < position ? position : position + 1, of};
};

/** True if the row of the finished traces is selected. */
export const isCollapsedRow = (state: State): boolean => {
	const row = traceList.selected(state);
	return row !== undefined && row.trace === undefined;
};

/**
 * Whether the finished traces are collapsed. Undefined unless their row, or one of them while expanded, is
 * selected.
 */
export const collapseStateAt = (state: State): 'folded' | 'unfolded' | undefined => {
	if (isCollapsedRow(state)) return state.isExpanded ? 'unfolded' : 'folded';
	const rows = traceList.rows(state);
	const collapsedIndex = state.isExpanded ? rows.findIndex(({trace}) => !trace) : -1;
	return collapsedIndex >= 0 && traceList.position(state) > collapsedIndex ? 'unfolded' : undefined;
};

/** The finished traces of the list, collapsed or not. */
export const finishedTraces = (state: State): readonly TraceRow[] => finishedIn(found(state));

const finishedIn = perObject((rows: readonly TraceRow[]) => rows.filter(row => row.isFinished));

/**
 * The traces that archiving applies to: the selected trace, or all finished ones if their row is selected.
 */
export const archivable = (state: State): readonly string[] => {
	const row = traceList.selected(state);
	if (row === undefined) return [];
	if (row.trace !== undefined) return row.isFinished ? [row.traceId] : [];
	return finishedTraces(state).map(({traceId}) => traceId);
};
