import type {EmittedSum} from './emitted.ts';
import type {OutsideFact} from './outside.ts';
import type {NoChangePolicy, Question} from './question.ts';
import type {Proposal, Verdict, Workspace} from './task.ts';

export type RunStatus = 'completed' | 'failed' | 'cancelled';

/** The trees of a workspace, everything in it that git does not ignore. */
export type Trees = {readonly before: string; readonly after: string};

/** What the ledger knows of one adapter invocation: opened by its claim, closed by `run.finished`. */
export type RunRecord = {
	readonly agentId: string;
	readonly bee: string;
	readonly taskId?: string;
	/** Sequence of the event that a direct run answers; absent for a task's own run. */
	readonly trigger?: number;
	/** The kind of that event; absent in logs that do not say it. */
	readonly answers?: string;
	/** The checkout whose reactor runs it. */
	readonly place: string;
	/** Absent in logs that do not say it: then it is the bee's own. */
	readonly workspace?: Workspace;
	readonly status: 'running' | RunStatus;
	/** `task.status running` is in the log. */
	readonly announced: boolean;
	/**
	 * It is hive's own, and runs what verifies the work of this bee: no agent, no honey, a worktree for itself.
	 */
	readonly verifies?: string;
	/** A person talks with it: it takes no slot and has no time-out, and whoever is there has ended it. */
	readonly interactive?: true;
	/**
	 * A retry took the task from this run, which must end; or, of a direct run that failed, asks for another of
	 * its bee.
	 */
	readonly replaced: boolean;
	/** It began a new session of its tool though an earlier one could be gone on with: a person wanted that. */
	readonly fresh?: true;
	/** Of a replaced direct run: what a person said that its next run should do differently. */
	readonly feedback?: string;
	/** `task.completed` that the run emitted while it held its task, applied when it ends well. */
	readonly completion?: {readonly summary: string; readonly commit: string};
	readonly startedAt: string;
	readonly finishedAt?: string;
	readonly exitCode?: number;
	readonly summary?: string;
	/**
	 * Of the workspace before and after it, where they are known; the same twice of a run that left its
	 * worktree as it found it.
	 */
	readonly trees?: Trees;
	/** What people should know of it though it changed no outcome; absent for nothing. */
	readonly warnings?: readonly string[];
	/** What was other outside of its workspace when it ended; absent for nothing. */
	readonly outside?: readonly OutsideFact[];
	/** How many more facts there were than the log carries. */
	readonly outsideMore?: number;
	/** What it asked a person, oldest first; absent for nothing. */
	readonly questions?: readonly Question[];
	/**
	 * Of a run that could have proposed, ended well and changed nothing: what its configuration said of that as
	 * it ended.
	 */
	readonly noChange?: NoChangePolicy;
	/** Its newest proposal, of a run that belongs to no task; a task keeps its own. */
	readonly proposal?: Proposal;
	/** A guard's newest word on that proposal. */
	readonly verdict?: Verdict;
	/**
	 * Its tool met a limit that passes then (UTC, RFC 3339): what it was to do waits for that, and is gone on
	 * with.
	 */
	readonly pausedUntil?: string;
	/** Absent for nothing. */
	readonly emitted?: EmittedSum;
};

/** It ended over a limit of its tool: not for good, for what it was to do goes on when that has passed. */
export const isPausedRun = ({status, pausedUntil}: RunRecord): boolean =>
	status === 'failed' && pausedUntil !== undefined;

/** Warnings of one run that the log carries, and characters of each; its `status.json` has them whole. */
export const mostWarnings = 20;
export const longestWarning = 500;

export type Usage = {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheReadTokens?: number;
	readonly cacheWriteTokens?: number;
	/** US dollars. */
	readonly costUsd?: number;
	/** The cost is not the tool's word: it is made of the machine's prices. */
	readonly isEstimated?: true;
	readonly model?: string;
	/** By which the tool itself knows its conversation. */
	readonly toolSession?: string;
	/** Names the tool and its stream. */
	readonly source: string;
};

export type Artifact = {readonly kind: 'diff' | 'log' | 'json'; readonly path: string};

/** What an adapter asks to have started (docs/rules.md §8). Paths are absolute. */
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
	/** Why the run is not `completed`, in words for people. */
	readonly error?: string;
};

/**
 * The id of an event that the runtime says of a run: whoever says it again says the same event
 * (docs/architecture.md §2).
 */
export const runEventId = (traceId: string, agentId: string, step: string, index = 0): string =>
	`${runEventPrefix(traceId, agentId)}${step}/${index}`;

export const runEventPrefix = (traceId: string, agentId: string): string => `${traceId}/${agentId}/`;

/** Tokens that usage counts, each once, in the order they are shown. */
export const usageFields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** What of it the limits of a trace count, and the log carries. */
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
