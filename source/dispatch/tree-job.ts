import type {KnownSettings} from '../ports/git.ts';
import type {LookAfter} from '../workspaces/trees/run-trees.ts';

/**
 * What the program that takes the tree after a run is given. The supervisor keeps it while the agent runs,
 * out of the agent's reach.
 */
export type TreeJob = LookAfter & {
	/** This machine's folder of the colony, which has what a person accepted of git's settings. */
	readonly machineDir: string;
	readonly settings?: KnownSettings;
};
