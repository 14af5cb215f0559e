import {isGateId} from './ids.ts';
import {type Invite, rosterOfInvites} from './invite.ts';
import type {TraceIssue} from './issue.ts';
import type {Landed, LandingStrategy, LeftLanding, OpenLanding, WithoutChecks} from './landing.ts';
import type {Params} from './params.ts';
import {proposedIn} from './proposal-kind.ts';
import type {PullRequest} from './pull-request.ts';
import type {Spent} from './reserve.ts';
import {Roster} from './roster.ts';
import type {RunRecord} from './run.ts';
import {type Task, taskStatuses} from './task.ts';
import {markOfTask, taskMarks, workTurns} from './task-marks.ts';
import type {TraceBase} from './trace-base.ts';

/** A merge at a gate that is claimed and not over (docs/reliability.md §4). */
export type OpenMerge = {
	readonly taskId: string;
	readonly tree: string;
	readonly by: string;
	/** The person's texts: for the merge commit, and for the task's summary. */
	readonly message?: string;
	readonly summary?: string;
	/** Set if nothing is merged and the work is left on its branch. */
	readonly leave?: true;
	/** Absent for a merge commit. */
	readonly strategy?: LandingStrategy;
	/** The run that checked exactly this tree; absent if no check was required. */
	readonly checkedBy?: string;
	readonly withoutChecks?: WithoutChecks;
	readonly sequence: number;
};

/** A merge of the base into the worktree that is claimed and not over. */
export type OpenUpdate = {
	readonly taskId?: never;
	/** Commit of the trace branch before the update; empty if there was none. */
	readonly head: string;
	readonly by: string;
	readonly sequence: number;
};

/** An event of the trace that the fold refused, with the reason. */
type Problem = {readonly sequence: number; readonly message: string};

/** Information from a run or a person for later prompts, cut to the length that they show. */
export type Note = {
	readonly sequence: number;
	readonly kind: string;
	readonly text: string;
	/** For a run's summary: the bee, else the run. */
	readonly by?: string;
	/** For a review note. */
	readonly severity?: string;
};

/** The newest notes on a task, or on the trace as a whole under an empty id, oldest first. */
export type Notes = {readonly taskId: string; readonly notes: readonly Note[]};

/** The person's request that began the trace, as its event has it. */
type TraceRequest = {
	readonly sequence: number;
	/** Empty if the request has none. */
	readonly title: string;
	/** At most `maxRequestBody` characters; the event has all of it. */
	readonly body: string;
	/** Set if the body is cut. */
	readonly isCut?: true;
};

/** A plan under review. `waitingPlan` adds its tasks. */
type OpenPlan = {
	/** Sequence of the newest event that changed it. */
	readonly sequence: number;
	/** The run that published it. */
	readonly agentId: string;
	readonly at: string;
};

/** Maximum number of characters of a request that a snapshot keeps. */
export const maxRequestBody = 2000;

/** Trace snapshot of the ledger: the fold of the trace's events up to `sequence`. */
export type Trace = {
	readonly traceId: string;
	/** Sequence of the last folded event; 0 if there is none. */
	readonly sequence: number;
	readonly createdAt: string;
	readonly updatedAt: string;
	/** Empty if no event has given the trace a title. */
	readonly title: string;
	/** True if the title is from `trace.title`, which `feature.requested` does not override. */
	readonly titled: boolean;
	readonly summary: string;
	/** Absent if the trace did not begin with a request, for example with a task that a person created. */
	readonly request?: TraceRequest;
	/** Params of bees that its request sets for all its runs, whether the colony allows them or not. */
	readonly params?: Params;
	/** Set if a person accepts each plan of a bee before its tasks start. Its request says so. */
	readonly planReview?: true;
	/** The newest plan that a bee published under review; over once no task of it is withheld. */
	readonly plan?: OpenPlan;
	/** Absent until the first cue, task creation or claim seeds the reserve. */
	readonly energyBudget?: number;
	readonly energyRemaining: number;
	/** Maximum US dollars and tokens for all its runs together; absent for no limit (docs/rules.md §3). */
	readonly maxCost?: number;
	readonly maxTokens?: number;
	/** The usage of its ended runs; absent until one reports any. */
	readonly spent?: Spent;
	readonly killed: boolean;
	readonly killReason: string;
	/**
	 * The checkout that made the first claim, or that took the trace since. Diff, merge and stop work there.
	 */
	readonly place?: string;
	/** The branch that a person named to merge it into. Absent: the one checked out at its first claim. */
	readonly base?: TraceBase;
	/** In plan order. */
	readonly tasks: Roster<Task>;
	/** In order of their claims. */
	readonly runs: Roster<RunRecord>;
	readonly notes: Roster<Notes>;
	/** In order of their creation. */
	readonly invites: Roster<Invite>;
	/** Tasks that were started before their plan arrived. */
	readonly parked: readonly string[];
	/** At most one at a time; nothing new begins meanwhile. */
	readonly merge?: OpenMerge | OpenUpdate;
	/** An approved merge that waits in the landing queue; no agent begins meanwhile. */
	readonly landing?: OpenLanding;
	/** Why the newest approval did not land; absent once it is decided again. */
	readonly landingLeft?: LeftLanding;
	/** The issue at a forge from which it began. */
	readonly issue?: TraceIssue;
	/** The newest request at a forge. */
	readonly pullRequest?: PullRequest;
	/** The merges that reached the base, oldest first. */
	readonly landed?: readonly Landed[];
	/**
	 * Sequence of the `trace.purged` that ended it. Nothing else is known of the trace, and its id cannot be
	 * used again.
	 */
	readonly purged?: number;
	readonly problems: readonly Problem[];
};

export const rosterOfTasks = (tasks: Iterable<Task>): Roster<Task> =>
	Roster.of(tasks, ({taskId}) => taskId, markOfTask);

const openRun = 1;
const closedRun = 2;
/** Mark of a run with an unanswered question. */
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

/** Shared by all empty traces; a change is made to a copy and stays there. */
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

/** True if the trace has its request, or its first task or run. */
export const hasBegun = ({request, tasks, runs}: Trace): boolean =>
	request !== undefined || tasks.size + runs.size > 0;

/** True if the trace has an event and was not purged, so that people are shown it. */
export const isShown = ({sequence, purged}: Trace): boolean => sequence > 0 && purged === undefined;

/**
 * The title of a trace: its own, else that of its first task, else empty (docs/rules.md §4). A gate that hive
 * added does not count.
 */
export const titleOf = ({title, tasks}: Pick<Trace, 'title' | 'tasks'>): string => {
	const {first} = tasks;
	if (title !== '' || first === undefined) return title;
	const task = isGateId(first.taskId) ? tasks.having(workTasks).next().value : first;
	return task?.title ?? '';
};

/** The title of a trace, else its id. */
export const titleOrId = (trace: Trace): string => titleOf(trace) || trace.traceId;

const workTasks = taskMarks(taskStatuses, workTurns);

/** True if a gate was completed after the run began: the run's work is merged, or left on its branch. */
export const isGated = ({tasks}: Pick<Trace, 'tasks'>, {startedAt}: RunRecord): boolean =>
	[...tasks.having(passedGates)].some(({updatedAt}) => updatedAt >= startedAt);

const passedGates = taskMarks(['completed'], ['gate']);

/**
 * The newest run of a trace without work tasks, such as its planning run. A gate does not count as a task.
 * Guards are left out, since the gate shows their failures; so is a run whose work a gate has taken.
 */
export const runWithoutTasks = (trace: Trace): RunRecord | undefined => {
	const {tasks, runs} = trace;
	if (tasks.size === 0) return [...runs.values()].at(-1);
	if (tasks.hasAny(workTasks)) return undefined;
	const newest = [...runs.values()].findLast(({answers = ''}) => proposedIn(answers) === undefined);
	return newest === undefined || isGated(trace, newest) ? undefined : newest;
};

/** Runs that are claimed and not closed. */
export const openRuns = ({runs}: Trace): RunRecord[] => [...runs.having(openRun)];

/** Runs with an unanswered question, in order of their claims. */
export const askingRuns = ({runs}: Trace): RunRecord[] => [...runs.having(askingRun)];

/** The run that changed the worktree last, as far as the log has the runs' trees. */
export const lastThatChanged = ({runs}: Trace): RunRecord | undefined => {
	let last: RunRecord | undefined;
	for (const run of runs.values()) {
		const {workspace, trees, finishedAt = ''} = run;
		if (workspace !== 'isolated' || trees === undefined || trees.before === trees.after) continue;
		if (finishedAt >= (last?.finishedAt ?? '')) last = run;
	}
	return last;
};
