import {beeOf, type Colony} from '../colony/colony.ts';
import type {Trace} from '../domain/trace.ts';
import {isPastGate} from '../ledger/direct-run.ts';
import {honeyOf, isFree} from './decide-tasks.ts';
import type {Machine, OwedRun} from './machine.ts';
import type {Step} from './steps.ts';

/** What is owed no more, wherever the trace belongs: a run answers it, something newer does, or a gate or a kill made an end of it. */
export const decideDrops = (trace: Trace, {owed}: Machine): Step[] =>
	owed
		.filter(one => trace.killed || isOver(trace, one))
		.map(({trigger, bee}) => ({do: 'drop', trigger, bee}));

/** Claims for the runs that events ask for. What honey, workspace or places put off stays owed. */
export const decideDirectRuns = (trace: Trace, colony: Colony, machine: Machine): Step[] =>
	machine.owed.flatMap((owed): Step[] => {
		const bee = beeOf(colony, owed.bee);
		if (bee === undefined) return [{do: 'drop', trigger: owed.trigger, bee: owed.bee}];
		if (isOver(trace, owed)) return [];
		const authorIsOpen = owed.author !== undefined && trace.runs.get(owed.author)?.status === 'running';
		if (authorIsOpen || machine.freePlaces < 1 || honeyOf(trace, colony) < 1) return [];
		if (!isFree(bee, trace, colony, machine)) return [];
		const task = owed.taskId === undefined ? {} : {taskId: owed.taskId};
		return [{do: 'claim', bee: bee.role, ...task, trigger: owed.trigger, reason: 'direct.dispatch'}];
	});

const isOver = (trace: Trace, owed: OwedRun): boolean => isSuperseded(trace, owed) || isAnswered(trace, owed);

/** A run answers it that no retry replaced, or whose work has passed its gate before the retry was served. */
const isAnswered = (trace: Trace, owed: OwedRun): boolean =>
	[...trace.runs.values()].some(
		run => run.trigger === owed.trigger && run.bee === owed.bee && (!run.replaced || isPastGate(trace, run)),
	);

/** A proposal that has a newer one, and a verdict that is not the newest on the newest proposal, start nothing (design.md §3). */
const isSuperseded = (trace: Trace, {kind, taskId, trigger}: OwedRun): boolean => {
	const task = taskId === undefined ? undefined : trace.tasks.get(taskId);
	if (task === undefined) return false;
	if (kind.startsWith('code.proposal')) return task.proposal?.sequence !== trigger;
	if (kind.startsWith('verification.'))
		return task.proposal !== undefined && task.verdict?.sequence !== trigger;
	return false;
};
