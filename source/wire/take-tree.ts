import type {TreeJob} from '../dispatch/tree-job.ts';
import {createFiles} from '../drivers/files.ts';
import {createGit} from '../drivers/git.ts';
import {runToEnd} from '../drivers/run-to-end.ts';
import {takeOver} from '../workspaces/contained/take-over.ts';
import {readAccepted} from '../workspaces/outside/planted.ts';
import {captureAfter} from '../workspaces/trees/run-trees.ts';
import {diagnosingGit} from '../workspaces/worktree/diagnosing-git.ts';

/** Writes `after`, or `tree-error`, in the directory of a run whose agent has ended. */
export const takeTreeOf = async (job: TreeJob): Promise<void> => {
	const files = createFiles();
	const git = createGit(process.env, () => readAccepted(files, job.machineDir), runToEnd, job.settings);
	// If that fails, the collection tries again and reports why.
	await takeOver(git, job.contained).catch(() => {});
	await captureAfter({git: diagnosingGit(git), files}, job);
};
