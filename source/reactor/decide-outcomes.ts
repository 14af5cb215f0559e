import {type Colony, declares} from '../colony/colony.ts';
import {isFree, type Reason} from '../domain/reason.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {repeatableRun} from '../ledger/direct-run.ts';
import {awaitedReasons} from './decide-pending.ts';
import {announcement, completion} from './runtime-events.ts';
import {heldReasons, type Situation} from './situation.ts';
import type {Step} from './steps.ts';

/** Where each task goes whose run ended well (docs/architecture.md §6). */
export const decideOutcomes = (situation: Situation): Step[] =>
	[...situation.trace.tasks.values()].flatMap(task => {
		const run = task.status === 'running' ? runOf(situation.trace, task) : undefined;
		return run?.status === 'completed' && isFree(runningReasons(situation, task))
			? [outcome(situation, task, run)]
			: [];
	});

const runOf = (trace: Trace, {agentId}: Task): RunRecord | undefined =>
	agentId === undefined ? undefined : trace.runs.get(agentId);

const outcome = ({colony, machine}: Situation, task: Task, run: RunRecord): Step => {
	const {taskId, review} = task;
	const summary = run.summary ?? '';
	const proposed = proposedBy(task, run);
	if (review === 'required')
		return announcement(taskId, 'waiting_review', proposed === 'root' ? verdictSummary(task, run) : summary);
	// Isolated proposals wait for the bee that completes tasks.
	const isGated = proposed === 'isolated' && receiversOf(colony).length > 0;
	return isGated ? announcement(taskId, 'waiting_review', summary) : completion(task, summary, machine.now);
};

const proposedBy = ({proposal}: Task, {agentId}: RunRecord): 'isolated' | 'root' | undefined =>
	proposal?.agentId === agentId ? proposal.workspace : undefined;

/** Bees that publish `task.completed`. */
const receiversOf = ({bees}: Colony): string[] =>
	[...bees.values()].filter(bee => declares(bee, 'VERIFICATION', 'task.completed')).map(({role}) => role);

/** What a running task waits for: its run, or the guard of what it proposed in the root, which a person's review awaits. */
export function* runningReasons(situation: Situation, task: Task): Generator<Reason, undefined> {
	const run = runOf(situation.trace, task);
	if (run?.status === 'running') yield {for: 'run', run};
	else if (run !== undefined && task.review === 'required' && proposedBy(task, run) === 'root')
		yield* guardReasons(situation, task);
	yield* heldReasons(situation);
}

/** Runs that look at the newest proposal of the task, and those that are asked to. */
function* guardReasons(situation: Situation, {proposal}: Task): Generator<Reason, undefined> {
	if (proposal === undefined) return;
	const judges = ({trigger}: {readonly trigger?: number}) => trigger === proposal.sequence;
	for (const run of situation.open.filter(judges)) yield {for: 'run', run};
	for (const run of situation.machine.pending.filter(judges)) yield* awaitedReasons(situation, run);
}

/** What a task in review waits for: the merge that takes it, else its guard and a person. */
export function* reviewReasons(situation: Situation, task: Task): Generator<Reason, undefined> {
	const {trace, colony, merge} = situation;
	if (trace.merge?.taskId === task.taskId) return yield* merge;
	yield* guardReasons(situation, task);
	yield* repeatReasons(trace, task);
	yield {for: 'review', review: task.review, receivers: receiversOf(colony)};
}

/** A guard that failed gave no verdict; a person can have it look again before the work passes its gate. */
export function* repeatReasons(trace: Trace, task: Task): Generator<Reason, undefined> {
	const run = repeatableRun(trace, task);
	if (run !== undefined) yield {for: 'retry', run};
}

const verdictSummary = (task: Task, run: RunRecord): string => {
	const {verdict} = task;
	if (verdict === undefined) return `${run.summary ?? ''} (no guard gave a verdict)`.trim();
	return `${verdict.passed ? 'Guard passed' : 'Guard failed'}: ${verdict.summary}`;
};
