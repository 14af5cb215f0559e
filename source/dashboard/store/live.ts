import type {RunRecord} from '../../domain/run.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import type {LiveChange} from '../../host/review/live-change.ts';
import type {Preview} from '../../host/review/preview.ts';
import {formatActivity, type RunActivities} from '../../host/views/activity.ts';
import {localTime} from '../../host/views/local-time.ts';
import {type Line, span} from '../parts/line.ts';
import {memoized, perObject} from './memo.ts';
import {fullTitle, type Traces, traceTitle} from './names.ts';
import type {LiveState, State} from './state.ts';

/** The subject of the live view. Undefined if none is open, or if the trace does not exist. */
export const liveView = (state: State) => state.live && viewOf(state.traces, state.live);

const viewOf = memoized((traces: Traces, {traceId, taskId, agentId}: LiveState) => {
	const trace = traces.get(traceId);
	if (trace === undefined) return undefined;
	const task = trace.tasks.get(taskId ?? '');
	const run = trace.runs.get(agentId ?? '');
	return {trace, ...(task && {task}), ...(run && {run})};
});

/** The title of the live view's subject. */
export const liveTitle = (state: State): string => {
	const view = liveView(state);
	if (view === undefined) return '';
	return view.task ? fullTitle(state.traces, view.trace, view.task) : traceTitle(state.traces, view.trace);
};

/** The line above the live diff: what works in the worktree now. */
export const liveHead = (state: State): readonly Line[] => {
	const trace = liveView(state)?.trace;
	return trace === undefined ? noLines : headOf(trace, state.activities, state.live?.changedAt);
};

const noLines: readonly Line[] = [];

const headOf = memoized(
	(trace: Trace, activities: RunActivities, changedAt: number | undefined): readonly Line[] => {
		const at = openRuns(trace).filter(worksInWorktree);
		const changed = changedAt === undefined ? '' : ` · files changed at ${localTime(changedAt)}`;
		if (at.length === 0) return [[span(`No run is at work there${changed}`, 'dim')]];
		return at.map(({agentId, bee}, index) => {
			const activity = activities.get(agentId);
			const step = activity === undefined ? '' : formatActivity(activity);
			return [
				span(`▶ ${bee}`, 'info'),
				span(step === '' ? '' : ` ${step}`),
				span(index === 0 ? changed : '', 'dim'),
			];
		});
	},
);

/** True for a run that has the trace's worktree as its workspace. */
export const worksInWorktree = ({workspace}: RunRecord): boolean => workspace === 'isolated';

/** True if a run of the trace has worked in its worktree. */
export const hasWorktree = perObject(({runs}: Trace): boolean => [...runs.values()].some(worksInWorktree));

/** The change in the form in which the diff shows it. Nothing is known of a merge. */
export const previewOfLive = ({files, patch, truncated, fork, work}: LiveChange): Preview => ({
	...{files, patch, truncated, fork, work},
	...{workspace: 'isolated', branch: '', base: '', tree: ''},
	...{conflicts: [], unsaved: [], carried: [], notTaken: [], planted: []},
});
