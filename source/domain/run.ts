import type {EmittedSum} from './emitted.ts';
import type {OutsideFact} from './outside.ts';
import {isAwaited, type NoChangePolicy, type Question} from './question.ts';
import type {ReserveLimit} from './reserve-limit.ts';
import type {Proposal, Verdict, Workspace} from './task.ts';

export type RunStatus = 'completed' | 'failed' | 'cancelled';

/** Tool calls of an agent that did not succeed, as its stream reports them. */
export type ToolTrouble = {
	/** Number of calls that failed, and of calls that a permission denied. */
	readonly failed: number;
	readonly denied: number;
	/** One line: the last call that failed or was denied, at most `maxTroubleText` characters. */
	readonly last: string;
};

/** Beginning of the summary of a run that changed nothing; the agent's words follow. */
export const changedNothing = 'Changed nothing';

/** Maximum number of characters of `ToolTrouble.last`. */
export const maxTroubleText = 200;

/** Git trees of a workspace before and after a run. They hold all files that git does not ignore. */
export type Trees = {readonly before: string; readonly after: string};

/** The ledger's record of one adapter invocation: opened by its claim, closed by `run.finished`. */
export type RunRecord = {
	readonly agentId: string;
	readonly bee: string;
	readonly taskId?: string;
	/** Sequence of the event that a direct run answers; absent for a task's own run. */
	readonly trigger?: number;
	/** Kind of that event; absent in logs that do not have it. */
	readonly answers?: string;
	/** The checkout whose reactor runs it. */
	readonly place: string;
	/** Absent in logs that do not have it; it is then the bee's own. */
	readonly workspace?: Workspace;
	readonly status: 'running' | RunStatus;
	/** True if the log has its `task.status running`. */
	readonly announced: boolean;
	/** Set for hive's own run that verifies the work of this bee: no agent, no honey, and its own worktree. */
	readonly verifies?: string;
	/** Set if it checks what a landing would put on the base: that tree. */
	readonly lands?: string;
	/** Set if a person talks with it. It takes no slot and has no timeout; the person ends it. */
	readonly interactive?: true;
	/**
	 * True if a retry took the task from this run, which must end. For a failed direct run: true if a retry
	 * requests another run of its bee.
	 */
	readonly replaced: boolean;
	/**
	 * Set if a person wanted it to begin a new session of its tool, though an earlier one could be continued.
	 */
	readonly fresh?: true;
	/** For a replaced direct run: what a person wants its next run to do differently. */
	readonly feedback?: string;
	/** The `task.completed` that the run emitted while it held its task; applied when the run ends well. */
	readonly completion?: {readonly summary: string; readonly commit: string};
	readonly startedAt: string;
	readonly finishedAt?: string;
	readonly exitCode?: number;
	readonly summary?: string;
	/** Trees of the workspace before and after it, if known; equal if the run changed nothing. */
	readonly trees?: Trees;
	/** Problems that people should know about though they changed no outcome; absent if none. */
	readonly warnings?: readonly string[];
	/** Differences outside its workspace when it ended; absent if none. */
	readonly outside?: readonly OutsideFact[];
	/** Number of further differences, which the log does not carry. */
	readonly outsideMore?: number;
	/** Absent if no call failed, or if the log is older than this field. */
	readonly toolTrouble?: ToolTrouble;
	/** Its questions to a person, oldest first; absent if none. */
	readonly questions?: readonly Question[];
	/**
	 * For a run that could have proposed, ended well and changed nothing: the policy of its configuration when
	 * it ended.
	 */
	readonly noChange?: NoChangePolicy;
	/** The newest proposal of a run without a task; a task stores its own. */
	readonly proposal?: Proposal;
	/** A guard's newest verdict on that proposal. */
	readonly verdict?: Verdict;
	/**
	 * Set if its tool met a limit that passes at this time (UTC, RFC 3339). Its work is deferred and continues
	 * then.
	 */
	readonly pausedUntil?: string;
	/** Set if hive stopped it because its trace had spent this limit; its work continues after a top-up. */
	readonly limit?: ReserveLimit;
	/** Absent if it emitted nothing. */
	readonly emitted?: EmittedSum;
};

/** True if it ended because of a limit of its tool; its work continues when the limit has passed. */
export const isPausedRun = ({status, pausedUntil}: RunRecord): boolean =>
	status === 'failed' && pausedUntil !== undefined;

/**
 * Maximum number of warnings of one run in the log, and of characters of each; its `status.json` has all in
 * full.
 */
export const maxWarnings = 20;
export const maxWarningLength = 500;

export type Usage = {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheReadTokens?: number;
	readonly cacheWriteTokens?: number;
	/** US dollars. */
	readonly costUsd?: number;
	/** Set if the tool did not report the cost and it was calculated from the machine's prices. */
	readonly isEstimated?: true;
	readonly model?: string;
	/** The tool's own id of its conversation. */
	readonly toolSession?: string;
	/** Name of the tool and its stream. */
	readonly source: string;
};

export type Artifact = {readonly kind: 'diff' | 'log' | 'json'; readonly path: string};

/** The input to start an adapter (docs/rules.md §8). Paths are absolute. */
export type RunRequest = {
	readonly bee: string;
	readonly prompt: string;
	readonly colonyRoot: string;
	readonly workspace: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly traceId: string;
	readonly agentId: string;
	readonly taskId?: string;
};

/** How an adapter run ended. */
export type RunResult = {
	readonly status: RunStatus;
	/** The final text: the agent's own summary, else its standard output. */
	readonly output: string;
	readonly artifacts: readonly Artifact[];
	readonly exitCode: number;
	readonly usage?: Usage;
	/** The reason why the run is not `completed`, as text for people. */
	readonly error?: string;
};

/**
 * The id of an event that the runtime emits about a run. It is the same each time, so repeating the append is
 * safe (docs/architecture.md §2).
 */
export const runEventId = (traceId: string, agentId: string, step: string, index = 0): string =>
	`${runEventPrefix(traceId, agentId)}${step}/${index}`;

export const runEventPrefix = (traceId: string, agentId: string): string => `${traceId}/${agentId}/`;

/** The token counts of usage, in the order in which they are shown. Each token is in one of them. */
export const usageFields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** The part of usage that the log carries and the limits of a trace count. */
export type Used = Pick<Usage, (typeof usageFields)[number] | 'costUsd' | 'isEstimated'>;

export const usedOf = (usage: Usage): Used => ({
	...Object.fromEntries(usageFields.flatMap(field => (usage[field] ? [[field, usage[field]]] : []))),
	...(usage.costUsd === undefined ? {} : {costUsd: usage.costUsd}),
	...(usage.isEstimated === undefined ? {} : {isEstimated: usage.isEstimated}),
});

export const tokensOf = (used: Used): number =>
	usageFields.reduce((sum, field) => sum + (used[field] ?? 0), 0);

export type UsageSum = Readonly<Record<(typeof usageFields)[number], number>> &
	Pick<Usage, 'costUsd' | 'isEstimated'>;

/** True while the run waits for a person's answer. It keeps its workspace and gives its slot back. */
export const isWaitingRun = ({questions = []}: Pick<RunRecord, 'questions'>): boolean =>
	questions.some(isAwaited);

/**
 * True if the run counts against `max_parallel_runs`. Sessions, checks of landings and runs that wait for an
 * answer do not.
 */
export const takesSlot = (run: Pick<RunRecord, 'interactive' | 'lands' | 'questions'>): boolean =>
	!run.interactive && run.lands === undefined && !isWaitingRun(run);
