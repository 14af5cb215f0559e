import {join} from 'node:path';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';
import {worktreesFolder} from './worktree-state.ts';

/**
 * Makes git find the worktrees of a checkout that was moved, both hive's and the person's own. A worktree
 * that git cannot repair stays as it is, and is refused when a run would use it.
 */
export const repairWorktrees = async (git: Git, files: Pick<Files, 'list'>, root: string): Promise<void> => {
	const folder = join(root, worktreesFolder);
	const paths = (await files.list(folder)).map(name => join(folder, name));
	await git.attempt(['worktree', 'repair', '--', ...paths], {cwd: root});
};
