import type {KnownSettings} from '../ports/git.ts';
import type {CaptureAfter} from '../workspaces/trees/run-trees.ts';

/**
 * The input of the program that takes the tree after a run. The supervisor holds it while the agent runs, out
 * of the agent's reach.
 */
export type TreeJob = CaptureAfter & {
	/** This machine's folder of the colony, which has the git settings that a person accepted. */
	readonly machineDir: string;
	readonly settings?: KnownSettings;
};
