import {isFree, type Reason} from '../domain/reason.ts';
import {type Task, taskStatuses} from '../domain/task.ts';
import {taskMarks, workTurns} from '../domain/task-marks.ts';
import {isGated, type Trace} from '../domain/trace.ts';
import {guardFailure, unownedGuardFailure} from '../ledger/direct-run.ts';
import {decideGate, gateReasons} from '../ledger/final-gate.ts';
import {unownedProposals, unownedWork} from '../ledger/unowned.ts';
import {awaitedReasons} from './decide-pending.ts';
import {announcement, completion, plan} from './runtime-events.ts';
import {heldReasons, type Situation} from './situation.ts';
import type {Step} from './steps.ts';

/** Opens, creates or skips the final gate once all other work is over and nothing is pending. */
export const decideGateSteps = (situation: Situation): Step[] => {
	if (!isFree(closedReasons(situation))) return [];
	const {trace, machine} = situation;
	const decision = decideGate(trace, machine.branchDiffers);
	switch (decision.gate) {
		case 'none':
			return [];
		case 'create':
			return [plan(decision.item)];
		case 'open':
			return [announcement(decision.task.taskId, 'waiting_review', openSummary(trace))];
		case 'skip':
			return [completion(decision.task, skipped, machine.now)];
	}
};

/** A guard that failed to give a verdict does not hold up a gate, but the summary mentions it. */
const openSummary = (trace: Trace): string => {
	const unjudged = [...trace.tasks.having(work)].filter(
		task => task.proposal?.workspace === 'isolated' && task.verdict === undefined,
	);
	const words = unjudged.flatMap(task => {
		const failure = guardFailure(trace, task);
		return failure === undefined ? [] : [`${task.taskId}: no verdict: ${failure}`];
	});
	return ['Ready for review and merge', ...words, ...formatUnowned(trace)].join('; ');
};

/** Failures of runs without a task, which no task shows: failed runs, and guards that gave no verdict. */
const formatUnowned = (trace: Trace): string[] => {
	const failed = unownedWork(trace)
		.filter(run => run.status !== 'completed' && !isGated(trace, run))
		.map(({bee, status, summary = ''}) => `${bee} ${status}: ${summary.split('\n', 1)[0]}`);
	const unjudged = unownedProposals(trace).flatMap(({bee, proposal, verdict}) => {
		const failure = verdict === undefined ? unownedGuardFailure(trace, proposal) : undefined;
		return failure === undefined ? [] : [`${bee}: no verdict: ${failure}`];
	});
	return [...failed, ...unjudged];
};

const work = taskMarks(taskStatuses, workTurns);

const skipped = {summary: 'Final gate skipped: nothing to merge', commit: ''};

/** Yields what keeps the gate closed; without one, what keeps every gate closed. */
export function* closedReasons(situation: Situation, gate?: Task): Generator<Reason, undefined> {
	const {trace, machine} = situation;
	if (gate?.withheld) yield {for: 'plan'};
	yield* gateReasons(trace, gate);
	for (const run of machine.pending) yield* awaitedReasons(situation, run);
	yield* heldReasons(situation);
}
