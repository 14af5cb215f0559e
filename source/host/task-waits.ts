import type {ActionContext} from '../actions/context.ts';
import {beeOf, type Colony, declares, takesTasks} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {WaitFacts} from '../ledger/waits.ts';
import {honeyOf, isWriter} from '../reactor/decide-tasks.ts';

/** The facts that `waitsOf` needs, as the reactor of this checkout would see them. */
export const waitFacts = (
	trace: Trace,
	task: Task,
	traces: Iterable<Trace>,
	{colony, place}: Pick<ActionContext, 'colony' | 'place'>,
	reactorIsAlive: boolean,
): WaitFacts => {
	const open = [...traces].flatMap(other =>
		openRuns(other)
			.filter(run => run.place === place)
			.map(run => ({...run, traceId: other.traceId})),
	);
	const problem = problemOf(task, colony);
	return {
		honey: honeyOf(trace, colony),
		reactor: reactorIsAlive ? 'here' : 'none',
		...(trace.place === undefined || trace.place === place ? {} : {elsewhere: trace.place}),
		...(problem === undefined ? {} : {problem}),
		holders: holdersFor(trace, task, colony, open),
		freePlaces: colony.defaults.maxParallelRuns - open.length,
		receivers: [...colony.bees.values()]
			.filter(bee => declares(bee, 'VERIFICATION', 'task.completed'))
			.map(({role}) => role),
	};
};

const problemOf = (task: Task, colony: Colony): string | undefined => {
	const bee = beeOf(colony, task.bee);
	if (bee === undefined) return `a bee "${task.bee || colony.defaults.defaultBee}", which is not there`;
	if (!takesTasks(bee)) return `another bee: "${bee.role}" does not take tasks`;
	const sector = task.sector ?? bee.sector;
	return sector === undefined || colony.sectors.has(sector)
		? undefined
		: `the sector "${sector}", which is not there`;
};

type OpenRun = RunRecord & {readonly traceId: string};

/** One writer or any number of readers: whoever keeps this task's bee out (design.md §3). */
const holdersFor = (trace: Trace, task: Task, colony: Colony, open: readonly OpenRun[]): OpenRun[] => {
	const bee = beeOf(colony, task.bee);
	if (bee === undefined) return [];
	return open.filter(run => {
		const other = beeOf(colony, run.bee);
		if (other === undefined || other.worktree !== bee.worktree) return false;
		if (bee.worktree && run.traceId !== trace.traceId) return false;
		return isWriter(other) || isWriter(bee);
	});
};
