/** One step of the todo list that an agent keeps while it works. */
export type PlanStep = {
	/** One line, at most `maxStepLength` characters. */
	readonly text: string;
	readonly status: 'done' | 'active' | 'open';
};

/** A file that a run has changed in its workspace. */
export type TouchedFile = {
	/** Relative to the repository. */
	readonly path: string;
	/** Number of lines. Both are 0 for a binary file. */
	readonly added: number;
	readonly removed: number;
};

/** Maximum number of steps of a plan, and of characters of each. */
export const maxSteps = 50;
export const maxStepLength = 200;

/** Maximum number of touched files of a run. */
export const maxTouched = 200;

/** What a run planned and changed. Both are empty if nothing is known. */
export type RunProgress = {
	readonly plan: readonly PlanStep[];
	readonly touched: readonly TouchedFile[];
};
