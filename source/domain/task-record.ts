import type {Task} from './task.ts';

/** The spec's task snapshot, with its fields in order, for files and scripts; absent fields are empty. */
export const taskRecord = (traceId: string, task: Task) => ({
	traceId,
	taskId: task.taskId,
	title: task.title,
	bee: task.bee,
	sector: task.sector ?? '',
	intent: task.intent ?? '',
	review: task.review,
	status: task.status,
	dependsOn: task.dependsOn,
	summary: task.summary,
	commit: task.commit,
	proposalWorkspace: task.proposalWorkspace ?? '',
	updatedAt: task.updatedAt,
});
