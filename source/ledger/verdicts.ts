import type {RunRecord} from '../domain/run.ts';
import {waitAfter} from '../domain/run-questions.ts';
import {isReviewed, type Review, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {evidenceProblem, lacksEvidence} from './evidence.ts';

/** True if a guard passed the newest proposal of the task; a newer proposal drops the verdict. */
export const isPassed = ({verdict}: Task): boolean => verdict?.passed === true;

/**
 * True if its newest proposal is isolated and no guard passed it. If a bee judges it, the task cannot
 * complete by itself.
 */
export const awaitsVerdict = (task: Task): boolean =>
	task.proposal?.workspace === 'isolated' && !isPassed(task);

/** Clears `unattended`: there is a new event about the task, which bees may answer. */
export const attended = ({unattended: _over, ...task}: Task): Task => task;

/**
 * Records the author of the newest proposal as judged. A proposal that an agent emitted itself is not
 * recorded, since it may not hold all changes of its run.
 */
export const judgedTask = (task: Task): Task =>
	task.proposal?.tree === undefined || task.proposal.agentId === undefined
		? task
		: {...task, judged: task.proposal.agentId};

/** True if its run ended well and a person's turn begins as soon as the guard has passed. */
export const awaitsGuard = ({runs}: Trace, {status, review, agentId, proposal}: Task): boolean =>
	status === 'running' && proposal !== undefined && isReviewDue(review, runs.get(agentId ?? ''));

/** True if the run ended well and a person has to decide next about its task. */
const isReviewDue = (review: Review, run: RunRecord | undefined): boolean =>
	run?.status === 'completed' && (review === 'required' || waitAfter(run) !== undefined);

/**
 * The reason why the run's verdict on the newest proposal does not count, or `undefined`
 * (docs/architecture.md §6).
 */
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
 * The reason why a run may not complete the task, or `undefined`; if there is one, a person decides
 * (docs/architecture.md §6).
 */
export const completionProblem = (task: Task, run: RunRecord): string | undefined => {
	const {taskId, status, proposal, verdict} = task;
	if (isReviewed(task)) return 'a person decides that';
	if (run.verifies !== undefined) return 'it is verified only';
	// In old logs, whose claims name no workspace, the run's own report was enough.
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
 * Earlier runs of the task in the run's workspace that changed something after the last judged proposal, in
 * the order of their claims. Failed and killed runs count too. Their changes belong to the next proposal
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
