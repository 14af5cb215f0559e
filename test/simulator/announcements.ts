import type {StoredEvent} from '../../source/domain/event.ts';
import {type Fold, openedBy} from './invariants.ts';

/** What is said of each task that becomes ready, and of each that a run failed; one sentence per breach. */
export const misannounced = (folds: readonly Fold[]): string[] => [
	...unreported(folds),
	...folds.flatMap(failures),
];

/** Each time that a task becomes ready `task.status` says so once, before the task is claimed. */
const unreported = (folds: readonly Fold[]): string[] => {
	/** Tasks that became ready and of which nothing is said yet. */
	const due = new Set<string>();
	return folds.flatMap(fold => {
		const {event, after} = fold;
		for (const taskId of madeReady(fold)) due.add(nameOf(event, taskId));
		const run = after.runs.get(openedBy(fold) ?? '');
		if (run?.taskId !== undefined && run.trigger === undefined && due.has(nameOf(event, run.taskId)))
			return [`${event.sequence}: ${run.taskId} was claimed before it was said to be ready`];
		if (!isStatus(event, 'ready') || after.killed) return [];
		const isDue = due.delete(nameOf(event, String(event.payload.taskId)));
		return isDue ? [] : [`${event.sequence}: ${event.payload.taskId} was said to be ready out of turn`];
	});
};

const madeReady = ({before, after}: Fold): string[] =>
	[...after.tasks.values()]
		.filter(({taskId, status, attempt}) => {
			const earlier = before.tasks.get(taskId);
			return status === 'ready' && (earlier?.status !== 'ready' || earlier.attempt !== attempt);
		})
		.map(({taskId}) => taskId);

/**
 * A run that failed is said to have failed its task only where it does: not after a kill, a cancel or a
 * retry.
 */
const failures = ({event, before, after}: Fold): string[] => {
	const {taskId, agentId} = event.payload;
	if (!isStatus(event, 'failed') || agentId === undefined) return [];
	const [earlier, task] = [before, after].map(({tasks}) => tasks.get(String(taskId)));
	const isOfRun = earlier?.status === 'running' && earlier.agentId === agentId;
	return isOfRun && task?.status === 'failed'
		? []
		: [`${event.sequence}: run ${agentId} was said to fail ${taskId}, which was ${earlier?.status}`];
};

const isStatus = ({payload}: StoredEvent, status: string): boolean =>
	payload.kind === 'task.status' && payload.status === status;

const nameOf = ({traceId}: StoredEvent, taskId: string): string => `${traceId} ${taskId}`;
