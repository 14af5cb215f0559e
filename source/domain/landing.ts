/** The result of checking the tree of a merge. */
export type LandingCheck = {
	readonly tree: string;
	readonly passed: boolean;
	/** The run that checked it, perhaps of another trace. */
	readonly agentId: string;
};

/** A person's approval that skips the checks of what lands. */
export type WithoutChecks = {
	/** Empty if the person gave none. */
	readonly reason: string;
};

/** A final review that is approved and waits in the landing queue (docs/architecture.md §5). */
export type OpenLanding = {
	readonly taskId: string;
	/** The tree that the person was shown: the merge with the base of that moment. */
	readonly tree: string;
	/** The tree of the trace's own work. Other work is not landed. */
	readonly work: string;
	/** Short name of the branch that it lands on. */
	readonly base: string;
	readonly by: string;
	readonly strategy: LandingStrategy;
	/** The person's texts: for the merge commit, and for the task's summary. */
	readonly message?: string;
	readonly summary?: string;
	/** Set if it goes before those that are not. */
	readonly first?: true;
	/** Set if failed checks of earlier runs do not count. */
	readonly again?: true;
	/** Set if a request is opened once the checks have passed, and nothing is merged here. */
	readonly pullRequest?: true;
	/** Its newest checks, oldest first. */
	readonly checks: readonly LandingCheck[];
	/** Number of all its checks. */
	readonly checked: number;
	readonly at: string;
	readonly sequence: number;
};

/** Why a landing left the queue without landing. */
export type LeftLanding = {
	readonly taskId: string;
	readonly reason: string;
	/** The failed check, if one is the reason. */
	readonly check?: LandingCheck;
	/** The person's text for the merge commit, for the next approval. */
	readonly message?: string;
	/** Set if a request was to be opened. */
	readonly pullRequest?: true;
	/** The approved strategy, for the next approval. Absent for a merge commit. */
	readonly strategy?: LandingStrategy;
	readonly sequence: number;
};

/** A merge that reached the base, and the evidence for its tree. */
export type Landed = {
	readonly taskId: string;
	readonly tree: string;
	readonly commit: string;
	/** Short name of the branch; empty if the log does not say. */
	readonly base: string;
	readonly by: string;
	/** The run that checked the tree; absent if none was required. */
	readonly checkedBy?: string;
	readonly withoutChecks?: WithoutChecks;
	/** Set if the commits of the trace were replayed; `commit` is the last one. */
	readonly replayed?: true;
	readonly sequence: number;
};

/**
 * `squash`: one commit on the base, without the commits of the trace. `rebase`: these commits, replayed on
 * the base. Only the tree of the last one was checked.
 */
export const landingStrategies = ['merge', 'squash', 'rebase'] as const;
export type LandingStrategy = (typeof landingStrategies)[number];

/** What each strategy puts on the base. */
export const strategyEffects: Readonly<Record<LandingStrategy, string>> = {
	merge: 'a merge commit over those of the work',
	squash: 'one commit, without those of the work',
	rebase: 'each commit; only the last is checked',
};

/** Maximum number of checks of one approval. After it, the person is asked again. */
export const maxLandingChecks = 20;

/** Maximum number of checks that a trace keeps of a landing. */
export const keptLandingChecks = 5;

/** Maximum number of characters of the reason for landing without checks. */
export const maxOverrideReason = 500;
