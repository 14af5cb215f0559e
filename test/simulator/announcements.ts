import type {StoredEvent} from '../../source/domain/event.ts';
import {type Fold, openedBy} from './invariants.ts';

/** Checks the announcements of ready tasks and failed tasks. Returns one sentence per breach. */
export const misannounced = (folds: readonly Fold[]): string[] => [
	...unreported(folds),
	...folds.flatMap(failures),
];

/** `task.status` announces each ready task once, before the task is claimed. */
const unreported = (folds: readonly Fold[]): string[] => {
	/** Tasks that became ready and are not announced yet. */
	const due = new Set<string>();
	return folds.flatMap(fold => {
		const {event, after} = fold;
		for (const taskId of madeReady(fold)) due.add(nameOf(event, taskId));
		const run = after.runs.get(openedBy(fold) ?? '');
		if (run?.taskId !== undefined && run.trigger === undefined && due.has(nameOf(event, run.taskId)))
			return [`${event.sequence}: ${run.taskId} was claimed before it was announced as ready`];
		if (!isStatus(event, 'ready') || after.killed) return [];
		const isDue = due.delete(nameOf(event, String(event.payload.taskId)));
		return isDue ? [] : [`${event.sequence}: ${event.payload.taskId} was announced as ready out of turn`];
	});
};

const madeReady = ({before, after}: Fold): string[] =>
	[...after.tasks.values()]
		.filter(({taskId, status, attempt}) => {
			const earlier = before.tasks.get(taskId);
			return status === 'ready' && (earlier?.status !== 'ready' || earlier.attempt !== attempt);
		})
		.map(({taskId}) => taskId);

/** A failed run fails its task only if no kill, cancel or retry came before. */
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
