import type {RunRecord} from '../domain/run.ts';
import {waitAfter} from '../domain/run-questions.ts';
import {isReviewed, type Review, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {evidenceProblem, lacksEvidence} from './evidence.ts';

/** A guard passed the newest proposal of the task: a newer one takes the verdict away. */
export const isPassed = ({verdict}: Task): boolean => verdict?.passed === true;

/**
 * Its newest proposal is isolated and no guard passed it: of itself it cannot be complete where somebody
 * judges it.
 */
export const awaitsVerdict = (task: Task): boolean =>
	task.proposal?.workspace === 'isolated' && !isPassed(task);

/** Something new is said of it, which bees may answer. */
export const attended = ({unattended: _over, ...task}: Task): Task => task;

/**
 * The task with its newest proposal on record as judged; one that an agent made by itself may not have all
 * that its run changed.
 */
export const judgedTask = (task: Task): Task =>
	task.proposal?.tree === undefined || task.proposal.agentId === undefined
		? task
		: {...task, judged: task.proposal.agentId};

/** Its run ended well, and it becomes a person's turn as soon as the guard is through. */
export const awaitsGuard = ({runs}: Trace, {status, review, agentId, proposal}: Task): boolean =>
	status === 'running' && proposal !== undefined && isReviewDue(review, runs.get(agentId ?? ''));

/** The run ended well, and a person has the next word on its task. */
const isReviewDue = (review: Review, run: RunRecord | undefined): boolean =>
	run?.status === 'completed' && (review === 'required' || waitAfter(run) !== undefined);

/** Why the run's verdict on the newest proposal does not count, if it does not (docs/architecture.md §6). */
export const verdictProblem = (
	{taskId, proposal}: Pick<Task, 'taskId' | 'proposal'>,
	run: RunRecord,
): string | undefined => {
	if (run.verifies !== undefined) return `${run.bee} judged ${taskId}, which it verifies only`;
	const isOwn = run.agentId === proposal?.agentId || (run.trigger === undefined && run.taskId === taskId);
	if (isOwn) return `${run.bee} judged its own work on ${taskId}`;
	if (run.workspace !== undefined && run.workspace !== proposal?.workspace)
		return `${run.bee} judged ${taskId} in the ${run.workspace} workspace, where its proposal is not`;
	return undefined;
};

/**
 * Why a run may not say that the task is complete, if it may not: a person decides that (docs/architecture.md
 * §6).
 */
export const completionProblem = (task: Task, run: RunRecord): string | undefined => {
	const {taskId, status, proposal, verdict} = task;
	if (isReviewed(task)) return 'a person decides that';
	if (run.verifies !== undefined) return 'it is verified only';
	// In logs whose claims name no workspace the run's word was enough.
	if (run.workspace === undefined) return undefined;
	if (status !== 'waiting_review') return `it is ${status}`;
	if (lacksEvidence(task)) return evidenceProblem(task);
	if (proposal === undefined) return undefined;
	if (verdict?.passed === false) return 'a guard failed its newest proposal';
	if (run.trigger === undefined || run.taskId !== taskId)
		return isPassed(task) ? undefined : 'no guard passed its newest proposal';
	return run.trigger < proposal.sequence
		? 'it has a newer proposal than the one it was asked about'
		: undefined;
};

/**
 * Earlier runs of the task in the run's workspace, in the order of their claims, whose changes no judged
 * proposal has, failed and killed ones too: what they changed belongs to the next proposal
 * (docs/architecture.md §6).
 */
export const unjudgedRuns = (trace: Trace, {agentId, taskId, workspace}: RunRecord): readonly RunRecord[] => {
	const task = taskId === undefined ? undefined : trace.tasks.get(taskId);
	if (task === undefined) return [];
	const own = [...trace.runs.values()].filter(run => run.taskId === taskId);
	const judged = own.findIndex(run => run.agentId === task.judged);
	const now = own.findIndex(run => run.agentId === agentId);
	return own
		.slice(judged + 1, now === -1 ? undefined : now)
		.filter(run => hasChanged(run) && (run.workspace ?? workspace) === workspace);
};

const hasChanged = ({trees}: RunRecord): boolean => trees !== undefined && trees.before !== trees.after;
