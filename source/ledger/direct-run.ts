import {isVerdict, proposedIn} from '../domain/proposal-kind.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Proposal, Task} from '../domain/task.ts';
import {isGated, type Trace} from '../domain/trace.ts';

/**
 * Returns the last run that an event about the task started, such as its guard's, if it failed and is not
 * superseded. Otherwise returns the last run that verified it, under the same conditions
 * (docs/architecture.md §6).
 */
export const failedDirectRun = (trace: Trace, task: Task): RunRecord | undefined => {
	return (
		failedLast(task, directRuns(trace, task, 'bees')) ?? failedLast(task, directRuns(trace, task, 'hive'))
	);
};

/** The runs that events about the task started: those of bees, or hive's own, which verify. */
const directRuns = ({runs}: Trace, task: Task, whose: 'bees' | 'hive'): RunRecord[] =>
	[...runs.values()].filter(
		({taskId, trigger, verifies}) =>
			taskId === task.taskId && trigger !== undefined && (verifies === undefined) === (whose === 'bees'),
	);

const failedLast = ({proposal}: Task, runs: readonly RunRecord[]): RunRecord | undefined => {
	const last = runs.at(-1);
	const failed = last !== undefined && hasFailed(last);
	const current = (last?.trigger ?? 0) >= (proposal?.sequence ?? 0);
	return failed && current ? last : undefined;
};

/**
 * The reason why the guard of the newest proposal gave no verdict: the first line of its failed run's
 * summary. `undefined` if no run failed.
 */
export const guardFailure = (trace: Trace, task: Task): string | undefined =>
	failedLast(task, directRuns(trace, task, 'bees'))?.summary?.split('\n', 1)[0];

/** The same for a proposal from a run without a task. */
export const unownedGuardFailure = ({runs}: Trace, {sequence}: Proposal): string | undefined => {
	const last = [...runs.values()].findLast(({trigger}) => trigger === sequence);
	return last !== undefined && hasFailed(last) ? last.summary?.split('\n', 1)[0] : undefined;
};

/**
 * The failed direct run that a retry of the task repeats (docs/architecture.md §6). The task must wait for
 * review or be completed, and the trace must be open. No gate may have taken the work that the run looked at.
 */
export const repeatableRun = (trace: Trace, task: Task): RunRecord | undefined => {
	const mayRepeat = task.status === 'waiting_review' || task.status === 'completed';
	if (trace.killed || trace.merge !== undefined || task.review === 'final' || !mayRepeat) return undefined;
	const failed = failedDirectRun(trace, task);
	if (failed === undefined || isPastGate(trace, failed)) return undefined;
	// A verdict on a task that a person has completed starts no run.
	return task.approved === true && failed.trigger === task.verdict?.sequence ? undefined : failed;
};

/** True if a direct run that failed, or is paused, can be repeated: no later run has answered its event. */
export const mayRunAgain = (trace: Trace, run: RunRecord): boolean =>
	!trace.killed &&
	run.trigger !== undefined &&
	!run.interactive &&
	hasFailed(run) &&
	lastAnswer(trace, run)?.agentId === run.agentId;

const hasFailed = ({status}: RunRecord): boolean => status === 'failed' || status === 'cancelled';

/** The newest run of the same bee that answers the same event. */
export const lastAnswer = ({runs}: Trace, {trigger, bee}: RunRecord): RunRecord | undefined =>
	[...runs.values()].findLast(run => run.trigger === trigger && run.bee === bee);

/**
 * True if the event is superseded and must start no run. That is a proposal that has a newer one, or a
 * verdict that is not the newest on the newest proposal. It is also any verdict on a task that a person has
 * completed.
 */
export const isSuperseded = (
	{tasks}: Trace,
	{kind, taskId = '', trigger}: {kind: string; taskId?: string; trigger: number},
): boolean => {
	const task = tasks.get(taskId);
	if (task === undefined) return false;
	if (proposedIn(kind) !== undefined) return task.proposal?.sequence !== trigger;
	if (!isVerdict(kind)) return false;
	return task.approved === true || (task.proposal !== undefined && task.verdict?.sequence !== trigger);
};

/**
 * True if a gate was completed after the run about a task began. The work that it checked is merged, or left
 * on its branch.
 */
export const isPastGate = (trace: Trace, run: RunRecord): boolean =>
	run.taskId !== undefined && isGated(trace, run);
