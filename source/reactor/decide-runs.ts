import {timedOut} from '../dispatch/outcome.ts';
import {isAwaited} from '../domain/question.ts';
import {lacking, nothingSpent, reachedLimit, spend} from '../domain/reserve.ts';
import type {ReserveLimit} from '../domain/reserve-limit.ts';
import type {RunRecord} from '../domain/run.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {verificationOver} from '../ledger/evidence.ts';
import type {Machine} from './machine.ts';
import {runsHere} from './occupancy.ts';
import {announcement, expiredAnswer} from './runtime-events.ts';
import type {Step} from './steps.ts';
import {expiryOf} from './waited-time.ts';

/**
 * One step for each open run of this checkout: begin, stop or collect it. A run that only has to be watched
 * has no step.
 */
export const decideRuns = (trace: Trace, machine: Machine): Step[] => {
	const limit = limitReachedByNow(trace, machine);
	return runsHere(trace, machine.checkout).flatMap(run => {
		const isAnother = limit !== undefined && machine.usage?.has(run.agentId);
		const unwanted = unwantedBecause(trace, machine, run) ?? (isAnother ? lacking[limit].status : undefined);
		return [
			...(unwanted === undefined ? announce(run) : []),
			...expire(trace, run, machine),
			...stepOf(run, unwanted, machine),
		];
	});
};

/** The limit of the trace that is reached with what its open runs have used so far. */
const limitReachedByNow = (trace: Trace, {usage}: Machine): ReserveLimit | undefined => {
	if (usage === undefined || usage.size === 0) return undefined;
	let {spent = nothingSpent} = trace;
	for (const {agentId} of openRuns(trace)) {
		const used = usage.get(agentId);
		if (used !== undefined) spent = spend(spent, used);
	}
	return reachedLimit({...trace, spent});
};

/** Answers in a person's place what has waited for longer than its timeout. */
const expire = ({killed}: Trace, {questions = []}: RunRecord, {now}: Machine): Step[] =>
	killed
		? []
		: questions
				.filter(question => isAwaited(question) && (expiryOf(question) ?? Infinity) <= Date.parse(now))
				.map(expiredAnswer);

const announce = ({announced, taskId, agentId}: RunRecord): Step[] =>
	announced || taskId === undefined ? [] : [announcement(taskId, 'running', '', agentId)];

const stepOf = (run: RunRecord, unwanted: string | undefined, machine: Machine): Step[] => {
	switch (machine.runs.get(run.agentId)) {
		case 'ended':
		case 'vanished':
			return [{do: 'collect', run}];
		case 'overdue':
			return [{do: 'stop', run, reason: unwanted ?? timedOut}];
		case 'alive':
			return unwanted === undefined ? [] : [{do: 'stop', run, reason: unwanted}];
		case 'unbegun':
			return [unwanted === undefined ? {do: 'begin', run} : {do: 'stop', run, reason: unwanted}];
		case 'busy':
		case undefined:
			return [];
	}
};

/** The reason why this run is no longer needed, or `undefined` if it is. */
const unwantedBecause = (trace: Trace, machine: Machine, run: RunRecord): string | undefined => {
	if (trace.killed) return trace.killReason;
	if (run.replaced) return 'replaced by a retry';
	if (run.verifies !== undefined)
		return machine.isUnwanted?.(run.agentId) ? 'another tree would land' : verificationOver(trace, run);
	const task =
		run.taskId === undefined || run.trigger !== undefined ? undefined : trace.tasks.get(run.taskId);
	if (task !== undefined && task.agentId === run.agentId && task.status !== 'running') {
		return `the task is ${task.status}`;
	}
	return undefined;
};
