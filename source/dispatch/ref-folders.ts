import {artifactsDirectory} from '../runs/layout.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';

/**
 * The folders in which to find files that events of a trace name: the colony root, the trace's worktree and
 * its artifacts.
 */
export const refFolders = (root: string, traceId: string): readonly string[] => [
	root,
	worktreePath({root, traceId}),
	artifactsDirectory(root, traceId),
];
