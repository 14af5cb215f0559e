import {isGateId} from './ids.ts';
import {type Invite, rosterOfInvites} from './invite.ts';
import {proposedIn} from './proposal-kind.ts';
import type {Spent} from './reserve.ts';
import {Roster} from './roster.ts';
import type {RunRecord} from './run.ts';
import {type Task, taskStatuses} from './task.ts';
import {markOfTask, taskMarks} from './task-marks.ts';

/** A merge at a gate that was claimed and is not over (docs/reliability.md §4). */
export type OpenMerge = {
	readonly taskId: string;
	readonly tree: string;
	readonly by: string;
	/** What the person wrote: of the merge commit, and for the record. */
	readonly message?: string;
	readonly summary?: string;
	/** Nothing is merged: the work is left on its branch. */
	readonly leave?: true;
	readonly sequence: number;
};

/** The base being merged into the worktree: claimed, and not over either. */
export type OpenUpdate = {
	readonly taskId?: never;
	/** The trace branch before it; empty when there was none. */
	readonly head: string;
	readonly by: string;
	readonly sequence: number;
};

/** An event of the trace that the fold refused, and why. */
type Problem = {readonly sequence: number; readonly message: string};

/** What a run or a person said for later prompts, as far as those show it. */
export type Note = {
	readonly sequence: number;
	readonly kind: string;
	readonly text: string;
	/** Of a summary: the bee, else the run. */
	readonly by?: string;
	/** Of a review note. */
	readonly severity?: string;
};

/** The newest notes on a task, or on the trace as a whole under an empty id, oldest first. */
export type Notes = {readonly taskId: string; readonly notes: readonly Note[]};

/** Trace snapshot of the ledger: the fold of the trace's events up to `sequence`. */
export type Trace = {
	readonly traceId: string;
	/** The last event folded; 0 when there is none. */
	readonly sequence: number;
	readonly createdAt: string;
	readonly updatedAt: string;
	/** Empty when nothing has named the trace. */
	readonly title: string;
	/** True when `trace.title` named it, which `feature.requested` does not override. */
	readonly titled: boolean;
	readonly summary: string;
	/** Absent until the first cue, task creation or claim seeds the reserve. */
	readonly energyBudget?: number;
	readonly energyRemaining: number;
	/** US dollars and tokens that its runs may use, all together; absent without an end (docs/rules.md §3). */
	readonly maxCost?: number;
	readonly maxTokens?: number;
	/** What its ended runs used; absent until one says so. */
	readonly spent?: Spent;
	readonly killed: boolean;
	readonly killReason: string;
	/** The checkout of the first claim, or that took it since; diff, merge and stop act there. */
	readonly place?: string;
	/** In plan order. */
	readonly tasks: Roster<Task>;
	/** In order of their claims. */
	readonly runs: Roster<RunRecord>;
	readonly notes: Roster<Notes>;
	/** In order of their creation. */
	readonly invites: Roster<Invite>;
	/** Tasks that were made ready before their plan arrived. */
	readonly parked: readonly string[];
	/** At most one at a time; nothing new begins meanwhile. */
	readonly merge?: OpenMerge | OpenUpdate;
	/**
	 * Sequence of the `trace.purged` that made an end of it: nothing else is known of it, and its id is used
	 * up.
	 */
	readonly purged?: number;
	readonly problems: readonly Problem[];
};

export const rosterOfTasks = (tasks: Iterable<Task>): Roster<Task> =>
	Roster.of(tasks, ({taskId}) => taskId, markOfTask);

const openRun = 1;
const closedRun = 2;
/** It has a question without an answer. */
const askingRun = 4;

export const rosterOfRuns = (runs: Iterable<RunRecord>): Roster<RunRecord> =>
	Roster.of(
		runs,
		({agentId}) => agentId,
		({status, questions = []}) =>
			(status === 'running' ? openRun : closedRun) |
			(questions.some(({answer}) => answer === undefined) ? askingRun : 0),
	);

export const rosterOfNotes = (notes: Iterable<Notes>): Roster<Notes> =>
	Roster.of(
		notes,
		({taskId}) => taskId,
		() => 1,
	);

/** Of all traces that have none: what is put into a copy stays there. */
const noTasks = rosterOfTasks([]);
const noRuns = rosterOfRuns([]);
const noNotes = rosterOfNotes([]);
const noInvites = rosterOfInvites([]);

export const emptyTrace = (traceId: string): Trace => ({
	traceId,
	sequence: 0,
	createdAt: '',
	updatedAt: '',
	title: '',
	titled: false,
	summary: '',
	energyRemaining: 0,
	killed: false,
	killReason: '',
	tasks: noTasks,
	runs: noRuns,
	notes: noNotes,
	invites: noInvites,
	parked: [],
	problems: [],
});

/** Something was said of it, and it was not purged: people are shown it. */
export const isShown = ({sequence, purged}: Trace): boolean => sequence > 0 && purged === undefined;

/**
 * The name of a trace: its own title, the title of its first task, nothing (docs/rules.md §4). A gate that
 * hive adds names nothing.
 */
export const titleOf = ({title, tasks}: Pick<Trace, 'title' | 'tasks'>): string => {
	const {first} = tasks;
	if (title !== '' || first === undefined) return title;
	const task = isGateId(first.taskId) ? tasks.having(workTasks).next().value : first;
	return task?.title ?? '';
};

/** The title of a trace, else its id. */
export const titleOrId = (trace: Trace): string => titleOf(trace) || trace.traceId;

const workTasks = taskMarks(taskStatuses, ['queued', 'dependent']);

/** A gate was completed after the run began: what it left is merged, or on its branch. */
export const isGated = ({tasks}: Pick<Trace, 'tasks'>, {startedAt}: RunRecord): boolean =>
	[...tasks.having(passedGates)].some(({updatedAt}) => updatedAt >= startedAt);

const passedGates = taskMarks(['completed'], ['gate']);

/**
 * The newest run of a trace that has no task: of one that asked for a plan, its planning. A gate counts as
 * none, and tells of the guards that failed itself; what it has taken is over.
 */
export const runWithoutTasks = (trace: Trace): RunRecord | undefined => {
	const {tasks, runs} = trace;
	if (tasks.size === 0) return [...runs.values()].at(-1);
	if (tasks.hasAny(workTasks)) return undefined;
	const newest = [...runs.values()].findLast(({answers = ''}) => proposedIn(answers) === undefined);
	return newest === undefined || isGated(trace, newest) ? undefined : newest;
};

/** Runs that were claimed and are not closed. */
export const openRuns = ({runs}: Trace): RunRecord[] => [...runs.having(openRun)];

/** Runs with a question that has no answer, in order of their claims. */
export const askingRuns = ({runs}: Trace): RunRecord[] => [...runs.having(askingRun)];

/** The run whose work the worktree had last, as far as the log has its trees. */
export const lastThatChanged = ({runs}: Trace): RunRecord | undefined => {
	let last: RunRecord | undefined;
	for (const run of runs.values()) {
		const {workspace, trees, finishedAt = ''} = run;
		if (workspace !== 'isolated' || trees === undefined || trees.before === trees.after) continue;
		if (finishedAt >= (last?.finishedAt ?? '')) last = run;
	}
	return last;
};
