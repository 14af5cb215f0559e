import type {KnownSettings} from '../ports/git.ts';
import type {CaptureAfter} from '../workspaces/trees/run-trees.ts';

/**
 * Input of the program that records the workspace as a git tree after a run. The supervisor keeps the input
 * during the run, so that the agent cannot change it.
 */
export type TreeJob = CaptureAfter & {
	/** The folder of the run's containment, which need not exist. */
	readonly contained: string;
	/** The colony's machine-local folder. It has the git settings that a person has accepted. */
	readonly machineDir: string;
	readonly settings?: KnownSettings;
};
