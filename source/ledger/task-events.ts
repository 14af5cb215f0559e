import {type Payload, runtimeAgent, type StoredEvent} from '../domain/event.ts';
import {type TaskWait, taskWaits} from '../domain/question.ts';
import {exhausted} from '../domain/reserve.ts';
import {waitAfter} from '../domain/run-questions.ts';
import {isPaused, isTerminal, type Rejection, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {Draft} from './draft.ts';
import {foldLanded, foldMergedThere} from './landings.ts';
import {foldNote} from './notes.ts';
import {instantOf, limitIn, textOf} from './payload.ts';
import {gatesLeft} from './queue.ts';
import {feedbackIn, rejectedBy} from './rejections.ts';
import {
	cancelTask,
	completeGate,
	completeTask,
	dependenciesCompleted,
	moveTask,
	pauseTask,
	readyTask,
} from './transitions.ts';
import {attended, completionProblem} from './verdicts.ts';

/**
 * `task.ready`: starts a planned task, retries a failed or paused one, or takes a running one from the run
 * that it replaces (docs/rules.md §1). No bee starts a task whose plan waits for a person.
 */
export const foldReady = (draft: Draft, event: StoredEvent): void => {
	const taskId = textOf(event.payload, 'taskId');
	if (draft.trace.killed || taskId === '') return;
	const task = draft.task(taskId);
	if (task === undefined) return park(draft, taskId);
	if (task.review === 'final') return;
	if (task.status === 'ready') return draft.putTask({...task, announced: true});
	const replaces = textOf(event.payload, 'replaces');
	if (task.status === 'waiting_review' || task.status === 'completed')
		return repeatDirectRun(draft, task, replaces);
	const replaced = task.status === 'running' && replaces !== '' && task.agentId === replaces;
	const mayStart = !task.withheld || draft.run(event.agentId ?? '') === undefined;
	const startable = task.status === 'planned' && mayStart && dependenciesCompleted(draft, task);
	if (!startable && !replaced && !isPaused(task) && task.status !== 'failed') return;
	if (replaced) replaceRun(draft, replaces);
	readyTask(draft, event, {...task, ...overlay(event), ...freshIn(event)}, true);
};

const park = (draft: Draft, taskId: string): void => {
	if (!draft.trace.parked.includes(taskId)) draft.trace.parked = [...draft.trace.parked, taskId];
};

const replaceRun = (draft: Draft, agentId: string): void => {
	const run = draft.run(agentId);
	if (run?.status === 'running') draft.putRun({...run, replaced: true});
};

/**
 * Replaces a failed direct run of a task that waits, or is completed, by another of the same bee
 * (docs/architecture.md §6).
 */
const repeatDirectRun = (draft: Draft, task: Task, agentId: string): void => {
	const run = draft.run(agentId);
	const failed = run?.status === 'failed' || run?.status === 'cancelled';
	if (!failed || run.taskId !== task.taskId || run.trigger === undefined) return;
	draft.putRun({...run, replaced: true});
	draft.putTask(attended(task));
};

const overlay = ({payload}: StoredEvent): Partial<Task> =>
	Object.fromEntries(
		(['title', 'body', 'bee', 'sector', 'intent', 'feedback'] as const)
			.map(field => [field, textOf(payload, field)] as const)
			.filter(([, text]) => text !== ''),
	);

/** Set if a person wants the next run to begin a new session of its tool. */
const freshIn = ({payload}: StoredEvent): Pick<Task, 'fresh'> =>
	payload.fresh === true ? {fresh: true} : {};

/**
 * `task.status`: the transitions between a claim and `task.completed`; never into `running` or `completed`.
 */
export const foldStatus = (draft: Draft, event: StoredEvent): void => {
	const task = draft.task(textOf(event.payload, 'taskId'));
	if (task === undefined || draft.trace.killed) return;
	const summary = textOf(event.payload, 'summary');
	const agentId = textOf(event.payload, 'agentId');
	statusRules.get(textOf(event.payload, 'status'))?.({draft, event, task, summary, agentId});
};

type StatusMove = {
	readonly draft: Draft;
	readonly event: StoredEvent;
	readonly task: Task;
	readonly summary: string;
	/** The run that the status is about; empty if it is about none. */
	readonly agentId: string;
};

const statusRules = new Map<string, (move: StatusMove) => void>([
	[
		'running',
		({draft, agentId}) => {
			const run = draft.run(agentId);
			if (run !== undefined) draft.putRun({...run, announced: true});
		},
	],
	[
		'waiting_review',
		({draft, event, task, summary}) => {
			const ended = task.status === 'running' && !holdsOpenRun(draft, task);
			const opensGate = task.status === 'planned' && task.review === 'final';
			if (ended || opensGate || task.status === 'waiting_review') {
				const waitsFor = waitIn(event.payload) ?? (ended ? waitAfterRun(draft, task) : task.waitsFor);
				const {unattended: _earlier, ...rest} = moveTask(draft, event, task, 'waiting_review', summary);
				const unattended = event.payload.unattended === true && {unattended: true as const};
				draft.putTask({...rest, ...unattended, ...(waitsFor !== undefined && {waitsFor})});
			}
		},
	],
	[
		'failed',
		({draft, event, task, summary, agentId}) => {
			if (task.status === 'failed') return replaceSummary(draft, event, task);
			const ofItsRun = task.status === 'running' && task.agentId === agentId;
			const undispatched = task.status === 'ready' && agentId === '';
			if (!ofItsRun && !undispatched) return;
			moveTask(draft, event, task, 'failed', summary);
		},
	],
	[
		'blocked',
		({draft, event, task, summary, agentId}) => {
			if (task.status === 'blocked') return replaceSummary(draft, event, task);
			const until = instantOf(event.payload, 'until');
			const ofItsRun = task.status === 'running' && task.agentId === agentId;
			if (until !== undefined && ofItsRun) pauseTask(draft, event, task, {summary, until});
			else if (ofItsRun && limitIn(event.payload) !== undefined)
				moveTask(draft, event, task, 'blocked', summary);
			else if (task.status === 'ready' && exhausted(draft.trace) !== undefined)
				moveTask(draft, event, task, 'blocked', summary);
		},
	],
	[
		'ready',
		({draft, event, task}) => {
			const reworks = task.status === 'waiting_review' && task.review !== 'final';
			if (reworks || isUnblocked(draft, event, task)) readyTask(draft, event, task);
			const now = draft.task(task.taskId);
			if (now?.status === 'ready') draft.putTask({...now, reported: true});
		},
	],
	[
		'cancelled',
		({draft, event, task, summary}) => {
			if (!isTerminal(task.status) || task.status === 'failed') cancelTask(draft, event, task, summary);
		},
	],
]);

/**
 * If the ended run has an open question, the task waits for its answer, even if the event does not say so.
 */
const waitAfterRun = (draft: Draft, {agentId = ''}: Task): TaskWait | undefined => {
	const run = draft.run(agentId);
	return run === undefined ? undefined : waitAfter(run);
};

const waitIn = ({waitsFor}: Payload): TaskWait | undefined => taskWaits.find(wait => wait === waitsFor);

/** A person replaces the reason of the task's status. Late events of hive and of runs replace nothing. */
const replaceSummary = (draft: Draft, event: StoredEvent, task: Task): void => {
	const {agentId = '', payload, at} = event;
	if (agentId === runtimeAgent || draft.run(agentId) !== undefined) return;
	draft.putTask({...task, summary: textOf(payload, 'summary'), updatedAt: at});
};

/**
 * True if a blocked task may continue. For a paused task the runtime's event must name the end of that pause.
 */
const isUnblocked = ({trace}: Draft, {payload}: StoredEvent, task: Task): boolean => {
	if (task.status !== 'blocked') return false;
	return isPaused(task) ? textOf(payload, 'until') === task.pausedUntil : exhausted(trace) === undefined;
};

const holdsOpenRun = (draft: Draft, task: Task): boolean =>
	task.agentId !== undefined && draft.run(task.agentId)?.status === 'running';

/**
 * `task.completed`. The run that holds the task may emit it early; it is stored until that run ends well. On
 * `required` and `final` only a person completes; a run's event is noted as a problem (docs/architecture.md
 * §6).
 */
export const foldCompleted = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId = ''} = event;
	const task = draft.task(textOf(payload, 'taskId'));
	if (task === undefined || isTerminal(task.status)) return closeMerge(draft, event, task);
	const reported = {summary: textOf(payload, 'summary'), commit: textOf(payload, 'commit')};
	const run = draft.run(agentId);
	if (
		run !== undefined &&
		run.status === 'running' &&
		task.agentId === agentId &&
		task.status === 'running'
	) {
		return draft.putRun({...run, completion: reported});
	}
	const problem = run === undefined ? undefined : completionProblem(task, run);
	if (run !== undefined && (problem !== undefined || holdsOpenRun(draft, task))) {
		const why = problem ?? 'a run of it is open';
		return draft.problem(event, `${run.bee} said that ${task.taskId} is complete: ${why}`);
	}
	const isLeft = leavesWork(draft, event, task);
	foldMergedThere(draft, event, reported.commit);
	closeMerge(draft, event, task);
	const isApproved = run === undefined && agentId !== runtimeAgent;
	const completed: Task = isApproved ? {...task, approved: true} : task;
	if (task.review === 'final') completeGate(draft, event, completed, {...reported, isLeft});
	else completeTask(draft, event, completed, reported);
};

/**
 * True if the task's merge leaves the work on the branch. A gate that is skipped while work is left merges
 * nothing either.
 */
const leavesWork = ({trace}: Draft, {agentId}: StoredEvent, {taskId}: Task): boolean =>
	trace.merge?.taskId === taskId
		? trace.merge.leave === true
		: agentId === runtimeAgent && gatesLeft(trace).length > 0;

const closeMerge = (draft: Draft, event: StoredEvent, task: Task | undefined): void => {
	const {merge} = draft.trace;
	if (task === undefined || merge?.taskId === undefined || merge.taskId !== task.taskId) return;
	delete draft.trace.merge;
	foldLanded(draft, event, merge, textOf(event.payload, 'commit'));
};

/**
 * `human.feedback`: returns a task that waits for review, or for a commit gate, for rework with the person's
 * message (docs/rules.md §1; docs/architecture.md §6). The message is also kept as a note.
 */
export const foldFeedback = (draft: Draft, event: StoredEvent): void => {
	foldNote(draft, event);
	if (draft.trace.killed) return;
	foldGateRejection(draft, event);
	const task = draft.task(textOf(event.payload, 'taskId'));
	if (task === undefined) return;
	const updated = {...task, ...freshIn(event)};
	if (task.status === 'waiting_review' && task.review !== 'final') {
		const rejected = rejectionIn(draft.trace, task, event);
		readyTask(draft, event, {...updated, feedback: feedbackIn(event), rejected});
	} else if (updated.fresh !== task.fresh && !isTerminal(task.status)) draft.putTask(updated);
};

const rejectionIn = (trace: Trace, task: Task, event: StoredEvent): Rejection =>
	rejectedBy(trace, task, {asked: feedbackIn(event), sequence: event.sequence});

/** Feedback on the rework of a gate names the rejected gate. */
const foldGateRejection = (draft: Draft, event: StoredEvent): void => {
	const gate = draft.task(textOf(event.payload, 'gate'));
	if (gate?.review === 'final' && !isTerminal(gate.status))
		draft.putTask({...gate, rejected: rejectionIn(draft.trace, gate, event)});
};
