import type {Evidence, Verification} from './evidence.ts';
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
	 * What its run left in the workspace, which the proposal has all of; absent when the agent emitted it by
	 * itself.
	 */
	readonly tree?: string;
	/** Hive verifies its files (docs/architecture.md §6); absent where nothing is to verify them. */
	readonly verification?: Verification;
};

/** A guard's word on one proposal. */
export type Verdict = {
	readonly sequence: number;
	/** Sequence of the proposal it judges. */
	readonly proposal?: number;
	readonly passed: boolean;
	readonly summary: string;
	readonly agentId?: string;
};

/** What a person's rejections of a review left on record. */
export type Rejection = {
	readonly times: number;
	/** What the last one asked for. */
	readonly asked: readonly string[];
	/** Names the work that the last one was about; absent where that is not known. */
	readonly work?: string;
};

/** Task snapshot of the ledger. */
export type Task = {
	readonly taskId: string;
	readonly title: string;
	readonly body: string;
	readonly bee: string;
	readonly sector?: string;
	readonly intent?: string;
	readonly review: Review;
	readonly status: TaskStatus;
	readonly dependsOn: readonly string[];
	/** The task that it does again with what a person asked for. */
	readonly reworks?: string;
	readonly summary: string;
	readonly commit: string;
	readonly proposalWorkspace?: Workspace;
	readonly updatedAt: string;
	/** The run that holds the task, or held it last. */
	readonly agentId?: string;
	/**
	 * Of a blocked one: the limit of its tool that blocks it passes then (UTC, RFC 3339), and it is ready
	 * again.
	 */
	readonly pausedUntil?: string;
	/** Its next run begins a new session of its tool. */
	readonly fresh?: true;
	/** How often the task became ready. */
	readonly attempt: number;
	/** Its `task.ready` for this attempt is in the log. */
	readonly announced: boolean;
	/** Its `task.status ready` for this attempt is in the log too. */
	readonly reported?: true;
	/** Of a wait for a commit gate: no bee will look at it any more, so that a person is needed. */
	readonly unattended?: true;
	/** Of one in review: a person has to answer it, or to say what follows from a run that changed nothing. */
	readonly waitsFor?: TaskWait;
	/** A person completed it. */
	readonly approved?: true;
	/** Of a completed gate: its work is on the branch of the trace, unmerged. */
	readonly left?: true;
	readonly proposal?: Proposal;
	readonly verdict?: Verdict;
	/** Of the newest proposal: what verifying it came to. */
	readonly evidence?: Evidence;
	/** The run whose proposal a guard judged last: what it changed needs no other proposal. */
	readonly judged?: string;
	/** What a person asked to have changed; cleared by the next proposal. */
	readonly feedback?: string;
	/** Absent until a person has rejected its review. */
	readonly rejected?: Rejection;
};

/** A person's decision is due: no bee has still to look at it. */
export const awaitsPerson = (task: Task): boolean =>
	task.status === 'waiting_review' && (isReviewed(task) || task.unattended === true);

/** A person reviews it: as it was planned, or while it waits for an answer (docs/rules.md §1). */
export const isReviewed = ({review, waitsFor}: Pick<Task, 'review' | 'waitsFor'>): boolean =>
	review !== 'none' || waitsFor !== undefined;

/** A limit of its tool has to pass before it goes on; honey does not help. */
export const isPaused = ({status, pausedUntil}: Task): boolean =>
	status === 'blocked' && pausedUntil !== undefined;

/** Statuses that late results no longer move (docs/rules.md §1). A failed task can still be retried. */
export const isTerminal = (status: TaskStatus): boolean =>
	status === 'completed' || status === 'failed' || status === 'cancelled';
