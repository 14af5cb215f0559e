import {beeOf, proposesIn} from '../colony/colony.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {formatEvidenceForPrompt} from '../domain/evidence.ts';
import {formatFeedback, type ReviewComment} from '../domain/review-comment.ts';
import {isReviewed, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {awaitsGuard} from '../ledger/verdicts.ts';
import {answersFor} from './answer-questions.ts';
import type {ActionContext} from './context.ts';
import {
	type AppendDecision,
	decideAndAppend,
	findOpenTask,
	type TaskInput,
	wrongStatus,
} from './decide-and-append.ts';
import {asAuthor, canRework, lastAuthor, reworkOf} from './rework.ts';
import {type ChangedPaths, readChangedPaths, reworkable, taskOfComments} from './rework-choice.ts';

export type RejectInput = TaskInput & {
	readonly feedback?: string | undefined;
	/** Comments on single lines, sent along. */
	readonly comments?: readonly ReviewComment[] | undefined;
	/**
	 * For a gate: the task whose bee does the rework. Default: the one that changed the files of the comments,
	 * else the last one that proposed.
	 */
	readonly rework?: string | undefined;
	/** True if the rework begins a new session of its tool. */
	readonly fresh?: boolean | undefined;
};

export type Rejected = {
	readonly traceId: string;
	readonly taskId: string;
	/** Id of the task that gets the feedback. */
	readonly reworkTaskId: string;
	/** Id of the task whose work is reworked; empty for work without a task. */
	readonly reworks: string;
};

/**
 * Rejects a proposal. The person's text is put into the next prompt (docs/rules.md §1; docs/architecture.md
 * §6). A `required` task returns for rework. A gate gets a rework task and opens again after it.
 *
 * @param also returns an event about the rework of a gate, which is appended with it
 */
export const rejectProposal = async (
	context: ActionContext,
	input: RejectInput,
	also?: (reworkTaskId: string) => Omit<HiveEvent, 'traceId'>,
): Promise<Outcome<Rejected>> => {
	const {traceId, taskId} = input;
	const feedback = input.feedback?.trim() || defaultFeedback(input);
	const {comments = [], rework} = input;
	const changed: ChangedPaths =
		comments.length === 0 || rework !== undefined
			? new Map()
			: await readChangedPaths(context, await loadTrace(context.bus, traceId));
	const decided = await decideAndAppend(context, traceId, trace => {
		const found = findOpenTask(trace, input);
		if (!found.ok) return found;
		const task = found.value;
		if (awaitsGuard(trace, task))
			return refuse('guard_running', {
				message: `The task ${taskId} is not ready for review: its guard has not judged it yet.`,
				hint: `Wait for its verdict, or start it over with "hive task retry --trace ${traceId} --task ${taskId}".`,
			});
		if (task.status !== 'waiting_review') return wrongStatus(task, 'in waiting_review');
		if (!isReviewed(task)) {
			return refuse('wrong_status', {
				message: `The task ${taskId} has no review that could be rejected: it waits for a commit gate.`,
				hint: `Send it back with "hive task retry --trace ${traceId} --task ${taskId} --feedback <text>", or approve it.`,
			});
		}
		if (task.review === 'final') return rejectGate(context, trace, {input, message: feedback, changed, also});
		const answers = task.waitsFor === 'question' ? answersOf(context, trace, task, input, feedback) : [];
		const event = feedbackFor(context, taskId, input, feedback);
		const value = {reworkTaskId: taskId, reworks: taskId};
		return accepted(answers.length === 0 ? {event, value} : {next: answers, value});
	});
	if (!decided.ok) return decided;
	return accepted({traceId, taskId, ...decided.value.value});
};

/** Text for the next run when the person wrote nothing. */
const defaultFeedback = ({comments = []}: RejectInput): string =>
	comments.length > 0
		? 'See the comments on lines.'
		: 'Rejected without a comment: find out what is wrong with the proposal, and change that.';

type Rejection = Outcome<AppendDecision<Pick<Rejected, 'reworkTaskId' | 'reworks'>>>;

/** The text of a rejection also answers the questions of its run. */
const answersOf = (
	{by}: ActionContext,
	{runs}: Trace,
	{agentId = ''}: Task,
	{fresh, comments = []}: RejectInput,
	feedback: string,
) => {
	const run = runs.get(agentId);
	return run === undefined ? [] : answersFor(by, run, formatFeedback(feedback, comments), fresh);
};

const feedbackFor = (
	{by}: ActionContext,
	taskId: string,
	{fresh, comments = []}: RejectInput,
	message: string,
	gate?: string,
): Omit<HiveEvent, 'traceId'> => {
	const payload = {
		...{kind: 'human.feedback', taskId, message},
		...(comments.length > 0 && {comments}),
		...(fresh && {fresh}),
		...(gate !== undefined && {gate}),
	};
	return {agentId: by, type: 'INSIGHT', payload};
};

type GateRejection = {
	readonly input: RejectInput;
	readonly message: string;
	readonly changed: ChangedPaths;
	readonly also?: ((reworkTaskId: string) => Omit<HiveEvent, 'traceId'>) | undefined;
};

const rejectGate = (
	context: ActionContext,
	trace: Trace,
	{input, message, changed, also}: GateRejection,
): Rejection => {
	const {by, ids, colony} = context;
	const {rework, fresh = false, comments = []} = input;
	const named =
		rework === undefined
			? taskOfComments(reworkable(colony, trace), comments, changed)
			: trace.tasks.get(rework);
	const author = named === undefined && rework === undefined ? lastAuthor(trace) : named && asAuthor(named);
	if (author === undefined) {
		return refuse('task_not_found', {
			message: `No task of ${trace.traceId} proposed the rejected work.`,
			hint: 'Name one with --rework <task>.',
		});
	}
	const bee = beeOf(colony, author.bee);
	if (bee !== undefined && proposesIn(bee) !== 'isolated') {
		return refuse('wrong_status', {
			message: `The bee "${bee.role}" of ${author.named} does not work in the worktree that the gate merges.`,
			hint: 'Name a task whose bee works there with --rework <task>.',
		});
	}
	if (!canRework(colony, author)) {
		return refuse('wrong_status', {
			message: `The bee "${author.bee}" takes no tasks, so it cannot be given the rework.`,
			hint: `Send your comments with "hive bee run ${author.bee} --trace ${trace.traceId} --body <text>"; the review waits for that run. Or give the rework to the bee of another task with --rework <task>.`,
		});
	}
	const title = `Rework: ${author.title}`;
	const body = [formatFeedback(message, comments), formatEvidenceForPrompt(author.evidence)]
		.filter(Boolean)
		.join('\n\n');
	const item = reworkOf(author, {taskId: ids.task(), title, body, fresh});
	const payload = {kind: 'task.plan', tasks: [item]};
	return accepted({
		event: {agentId: by, type: 'INSIGHT', payload},
		// Put first in its prompt, as for a task that is sent back.
		next: [
			feedbackFor(context, item.taskId, input, message, input.taskId),
			...(also === undefined ? [] : [also(item.taskId)]),
		],
		value: {reworkTaskId: item.taskId, reworks: author.taskId ?? ''},
	});
};
