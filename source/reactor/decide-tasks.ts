import {type Bee, beeOf, type Colony, proposesIn, takesTasks} from '../colony/colony.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {Holders, Machine} from './machine.ts';
import {announcement, readiness} from './runtime-events.ts';
import type {Step} from './steps.ts';

const exhausted = 'Honey reserve exhausted';

/** What each ready task is owed: its announcement, then a claim, a block, or the reason why it cannot run. */
export const decideTasks = (trace: Trace, colony: Colony, machine: Machine): Step[] =>
	[...trace.tasks.values()]
		.filter(({status}) => status === 'ready')
		.flatMap(task => decideTask(trace, task, colony, machine));

const decideTask = (trace: Trace, task: Task, colony: Colony, machine: Machine): Step[] => {
	if (!task.announced) return [readiness(task)];
	const bee = beeOf(colony, task.bee);
	const problem = dispatchProblem(task, bee, colony);
	if (bee === undefined || problem !== undefined) {
		return [announcement(task.taskId, 'failed', problem ?? '')];
	}
	if (honeyOf(trace, colony) < 1) {
		return [announcement(task.taskId, 'blocked', exhausted)];
	}
	const earlier = openRuns(trace).some(run => run.taskId === task.taskId && run.trigger === undefined);
	if (earlier || machine.freePlaces < 1 || !isFree(bee, trace, colony, machine)) return [];
	return [{do: 'claim', bee: bee.role, taskId: task.taskId, reason: 'task.dispatch'}];
};

/** A bee or sector that is gone fails the task and spends nothing (design.md §4.4). */
const dispatchProblem = (task: Task, bee: Bee | undefined, colony: Colony): string | undefined => {
	if (bee === undefined) return `There is no bee "${task.bee || colony.defaults.defaultBee}" in .hive/bees/`;
	if (!takesTasks(bee)) return `The bee "${bee.role}" does not take task.ready`;
	const sector = task.sector ?? bee.sector;
	if (sector !== undefined && !colony.sectors.has(sector))
		return `There is no sector "${sector}" in .hive/colony.yaml`;
	return undefined;
};

/** A task is about to fail for what the configuration lacks; it may have been written a moment ago. */
export const lacksDispatch = (trace: Trace, colony: Colony): boolean =>
	[...trace.tasks.values()].some(
		task => task.status === 'ready' && dispatchProblem(task, beeOf(colony, task.bee), colony) !== undefined,
	);

/** Before its first claim a trace has the colony's reserve and what was added. */
export const honeyOf = (trace: Trace, colony: Colony): number =>
	trace.energyRemaining + (trace.energyBudget === undefined ? colony.defaults.energyBudget : 0);

/** One writer or any number of readers (design.md §3). */
export const isFree = (bee: Bee, trace: Trace, colony: Colony, machine: Machine): boolean => {
	const {writers, readers} = bee.worktree ? worktreeHolders(trace, colony) : machine.root;
	return writers === 0 && (readers === 0 || !isWriter(bee));
};

export const isWriter = (bee: Bee): boolean => proposesIn(bee) !== undefined;

const worktreeHolders = (trace: Trace, colony: Colony): Holders => {
	const bees = openRuns(trace).flatMap(run => {
		const bee = beeOf(colony, run.bee);
		return bee?.worktree ? [bee] : [];
	});
	const writers = bees.filter(isWriter).length;
	return {writers, readers: bees.length - writers};
};
