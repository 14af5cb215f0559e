import {expectAccepted} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import type {Failpoint} from '../../source/ports/crash-points.ts';
import {type MergeRequest, mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';

export const traceId = 'trace-1';
export const git = createGit();

/**
 * A repository with a trace in a worktree, and actions on both. As after `hive init`, `.hive` ignores
 * worktrees.
 */
export const createScene = async (files: Readonly<Record<string, string>>) => {
	const repository = await createRepository({'.hive/.gitignore': 'worktrees/\nruns/\n', ...files});
	const location = {root: repository.root, traceId};
	const made = expectAccepted(await ensureWorktree({git}, location));
	const preview = async () => expectAccepted(await previewMerge(git, location));
	const merge = (request: Partial<MergeRequest> & {readonly tree: string}, reach?: Failpoint) =>
		mergeTrace(git, {...location, subject: 'Add the feature', body: 'Why it was added.', ...request}, reach);
	const approve = async (reach?: Failpoint) => merge({tree: (await preview()).tree}, reach);
	return {repository, worktree: openRepository(made.path), made, location, preview, merge, approve};
};
