import {shortTree} from '../../actions/approval.ts';

/**
 * Approves, of a merge, only what would be merged now; where that conflicts, or is not known, shows it
 * instead.
 */
export const approveCommand = (
	{traceId, taskId}: {readonly traceId?: string | undefined; readonly taskId?: string | undefined},
	tree: string,
): string =>
	tree === ''
		? `hive proposal diff --trace ${traceId}`
		: `hive proposal approve --trace ${traceId} --task ${taskId} --tree ${shortTree(tree)}`;
