import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {RunActivities} from '../../host/views/activity.ts';
import {detailSections, newestRun} from '../../host/views/detail/detail.ts';
import type {DetailFacts, Section} from '../../host/views/detail/section.ts';
import {sharingTexts} from './clashes.ts';
import {memoized} from './memo.ts';
import {pastEvent, shownTraces} from './past.ts';
import type {DetailTab, State} from './state.ts';
import {timelineLines} from './timeline.ts';

export type DetailView = {readonly trace: Trace; readonly task?: Task; readonly run?: RunRecord};

/** The current subject of the detail. Undefined if no detail is open, or if the subject does not exist. */
export const detailView = (state: State): DetailView | undefined => {
	const {detail} = state;
	return detail && viewOf(shownTraces(state).get(detail.traceId), detail.taskId, detail.agentId);
};

const viewOf = memoized(
	(
		trace: Trace | undefined,
		taskId: string | undefined,
		agentId: string | undefined,
	): DetailView | undefined => {
		if (trace === undefined) return undefined;
		const task = taskId === undefined ? undefined : trace.tasks.get(taskId);
		const run = agentId === undefined ? newestRun(trace, task) : trace.runs.get(agentId);
		const isGone =
			(task === undefined && taskId !== undefined) || (run === undefined && agentId !== undefined);
		if (isGone) return undefined;
		return {trace, ...(task && {task}), ...(run && {run})};
	},
);

export type NamedTab = {readonly id: DetailTab; readonly title: string};

const noTabs: readonly NamedTab[] = [];

/** The tabs of the detail. */
export const detailTabs = (state: State): readonly NamedTab[] => {
	const view = detailView(state);
	return view === undefined ? noTabs : tabsOf(view, sectionsOf(state, view));
};

const tabsOf = memoized(
	({task, run, trace}: DetailView, sections: readonly Section[]): readonly NamedTab[] => [
		...sections,
		...(task === undefined && trace.runs.size > 0 ? [{id: 'timeline', title: 'Timeline'} as const] : []),
		...(run === undefined
			? []
			: ([
					{id: 'stdout', title: 'Output'},
					{id: 'stderr', title: 'Errors'},
				] as const)),
	],
);

/** The tab that is shown. */
export const shownTab = (state: State): DetailTab | undefined => {
	const {detail} = state;
	if (detail === undefined) return undefined;
	const tabs = detailTabs(state);
	const has = (id: DetailTab | undefined): boolean => tabs.some(tab => tab.id === id);
	if (has(detail.chosen)) return detail.chosen;
	if (detail.isOfRun && !has('failure') && has('stdout')) return 'stdout';
	return tabs[0]?.id;
};

const sectionsOf = (state: State, view: DetailView): readonly Section[] => {
	const {detail, activities, now, past} = state;
	if (past === undefined)
		return sections(view, detail?.facts, activities, sharingTexts(state, view.trace.traceId), now);
	const event = pastEvent(past);
	return sections(view, factsBy(detail?.facts, event?.sequence ?? 0), nothingDone, noSharing, timeOf(state));
};

const nothingDone: RunActivities = new Map();
const noSharing: readonly string[] = [];

/** The facts up to a moment in the past. Waits concern the present only. */
const factsBy = memoized(
	(facts: DetailFacts | undefined, sequence: number): DetailFacts | undefined =>
		facts && {...facts, waits: [], causes: facts.causes.filter(cause => cause.sequence <= sequence)},
);

const sections = memoized(
	(
		view: DetailView,
		facts: DetailFacts | undefined,
		activities: RunActivities,
		sharing: readonly string[],
		now: number,
	): readonly Section[] => detailSections(view, {facts, activities, sharing, now}),
);

/** Lines of the shown tab, except the output of a run. */
export const detailLines = (state: State, width: number): Section['lines'] => {
	const view = detailView(state);
	const shown = shownTab(state);
	if (view === undefined) return noLines;
	if (shown === 'timeline') return timelineLines(view.trace, timeOf(state), width);
	return sectionsOf(state, view).find(({id}) => id === shown)?.lines ?? noLines;
};

const noLines: Section['lines'] = [];

/** The time of what is shown: now, or that of the shown past event. */
const timeOf = ({now, past}: State): number =>
	past === undefined ? now : Date.parse(pastEvent(past)?.at ?? '');

/** The focused pane of a detail. The output of a run is the log. */
export const detailPane = (state: State): 'detail' | 'log' | undefined => {
	const shown = shownTab(state);
	if (state.detail === undefined) return undefined;
	return shown === 'stdout' || shown === 'stderr' ? 'log' : 'detail';
};
