import {shortTree} from '../../actions/approval.ts';

/**
 * Returns the command that approves exactly what would be merged now. If that conflicts, or is not known,
 * returns the command that shows it.
 */
export const approveCommand = (
	{traceId, taskId}: {readonly traceId?: string | undefined; readonly taskId?: string | undefined},
	tree: string,
): string =>
	tree === ''
		? `hive proposal diff --trace ${traceId}`
		: `hive proposal approve --trace ${traceId} --task ${taskId} --tree ${shortTree(tree)}`;
