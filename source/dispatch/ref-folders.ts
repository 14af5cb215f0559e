import {artifactsDirectory} from '../runs/layout.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';

/**
 * Where files that events of a trace name are looked for: the colony root, the trace's worktree and its
 * artifacts.
 */
export const refFolders = (root: string, traceId: string): readonly string[] => [
	root,
	worktreePath({root, traceId}),
	artifactsDirectory(root, traceId),
];
