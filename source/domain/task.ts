import type {Evidence, Verification} from './evidence.ts';
import type {Params} from './params.ts';
import type {TaskWait} from './question.ts';

export const taskStatuses = [
	'planned',
	'ready',
	'running',
	'waiting_review',
	'completed',
	'failed',
	'blocked',
	'cancelled',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const reviews = ['none', 'required', 'final'] as const;
export type Review = (typeof reviews)[number];

/** Where runs work: in the trace's worktree, or in the colony root (docs/rules.md §6). */
export type Workspace = 'isolated' | 'root';

/** The newest proposal of a task. */
export type Proposal = {
	readonly sequence: number;
	readonly workspace: Workspace;
	readonly agentId?: string;
	readonly summary: string;
	/**
	 * The tree that its run left in the workspace; the proposal has all of it. Absent if the agent emitted the
	 * proposal itself.
	 */
	readonly tree?: string;
	/** Set if hive verifies its files (docs/architecture.md §6); absent if no verification is configured. */
	readonly verification?: Verification;
};

/** A guard's verdict on one proposal. */
export type Verdict = {
	readonly sequence: number;
	/** Sequence of the judged proposal. */
	readonly proposal?: number;
	readonly passed: boolean;
	readonly summary: string;
	readonly agentId?: string;
};

/** The record of a person's rejections of a review. */
export type Rejection = {
	readonly times: number;
	/** The changes that the last rejection asked for. */
	readonly asked: readonly string[];
	/** Identifies the work that the last rejection was about; absent if unknown. */
	readonly work?: string;
	/** Sequence of the last rejection's event, which has the comments on lines; absent in older snapshots. */
	readonly sequence?: number;
};

/** Task snapshot of the ledger. */
export type Task = {
	readonly taskId: string;
	readonly title: string;
	readonly body: string;
	readonly bee: string;
	readonly sector?: string;
	readonly intent?: string;
	/** Params of its bee that its plan sets, whether the colony allows them or not. */
	readonly params?: Params;
	readonly review: Review;
	readonly status: TaskStatus;
	readonly dependsOn: readonly string[];
	/** The task that this one repeats with a person's requested changes. */
	readonly reworks?: string;
	readonly summary: string;
	readonly commit: string;
	readonly proposalWorkspace?: Workspace;
	readonly updatedAt: string;
	/** The run that holds the task, or held it last. */
	readonly agentId?: string;
	/**
	 * For a task that is blocked by a limit of its tool: when the limit passes (UTC, RFC 3339). The task is
	 * ready again then.
	 */
	readonly pausedUntil?: string;
	/** Set while its plan waits for a person, who has to accept it first. */
	readonly withheld?: true;
	/** Set if its next run begins a new session of its tool. */
	readonly fresh?: true;
	/** How often the task became ready. */
	readonly attempt: number;
	/** True if the log has its `task.ready` for this attempt. */
	readonly announced: boolean;
	/** Set if the log also has its `task.status ready` for this attempt. */
	readonly reported?: true;
	/**
	 * For a task that waits for a commit gate: set if no bee will check it any more. A person is needed then.
	 */
	readonly unattended?: true;
	/**
	 * For a task in review: set if a person has to answer it, or to decide about a run that changed nothing.
	 */
	readonly waitsFor?: TaskWait;
	/** Set if a person completed it. */
	readonly approved?: true;
	/** For a completed gate: set if its work is on the branch of the trace, unmerged. */
	readonly left?: true;
	readonly proposal?: Proposal;
	readonly verdict?: Verdict;
	/** The result of verifying the newest proposal. */
	readonly evidence?: Evidence;
	/** The run whose proposal a guard judged last; its changes need no other proposal. */
	readonly judged?: string;
	/** The changes that a person asked for; cleared by the next proposal. */
	readonly feedback?: string;
	/** Absent until a person rejects its review. */
	readonly rejected?: Rejection;
};

/** True if a person has to decide now: no bee has still to look at it. */
export const awaitsPerson = (task: Task): boolean =>
	task.status === 'waiting_review' && (isReviewed(task) || task.unattended === true);

/** True if a person reviews it, either as planned or while it waits for an answer (docs/rules.md §1). */
export const isReviewed = ({review, waitsFor}: Pick<Task, 'review' | 'waitsFor'>): boolean =>
	review !== 'none' || waitsFor !== undefined;

/** True if it waits for a limit of its tool to pass; honey does not help. */
export const isPaused = ({status, pausedUntil}: Task): boolean =>
	status === 'blocked' && pausedUntil !== undefined;

/**
 * True for statuses that late results cannot change (docs/rules.md §1). A failed task can still be retried.
 */
export const isTerminal = (status: TaskStatus): boolean =>
	status === 'completed' || status === 'failed' || status === 'cancelled';
