import {type Bee, beeOf, type Colony, ownWorkspace, takesTasks} from '../colony/colony.ts';
import {brokenBee} from '../colony/find-bee.ts';
import type {Lack, Reason} from '../domain/reason.ts';
import {lacking} from '../domain/reserve.ts';
import type {Task} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {announcement, readiness, resumption} from './runtime-events.ts';
import {claimReasons, honeyReasons, type Situation} from './situation.ts';
import type {Step} from './steps.ts';

/**
 * The steps due for each ready task: its announcements, then a claim, or its new status if it cannot run.
 * Paused tasks whose limit has passed are resumed.
 */
export const decideTasks = (situation: Situation): Step[] => [
	...[...situation.trace.tasks.having(blocked)].flatMap(task => decidePaused(situation, task)),
	...[...situation.trace.tasks.having(ready)].flatMap(task => decideTask(situation, task)),
];

const ready = taskMarks(['ready']);
const blocked = taskMarks(['blocked']);

/** Resumes a task once its tool's limit has passed. */
const decidePaused = ({machine}: Situation, {taskId, pausedUntil}: Task): Step[] =>
	pausedUntil === undefined || pausedUntil > machine.now ? [] : [resumption(taskId, pausedUntil)];

/** What a blocked task waits for: its tool's limit, or the honey, money or tokens that the trace lacks. */
export const blockedReasons = (situation: Situation, {pausedUntil}: Task): readonly Reason[] =>
	pausedUntil === undefined ? honeyReasons(situation) : [{for: 'limit', until: pausedUntil}];

const decideTask = (situation: Situation, task: Task): Step[] => {
	const {taskId} = task;
	if (!task.announced) return [readiness(task)];
	if (task.reported !== true) return [announcement(taskId, 'ready', '')];
	const {value: reason} = readyReasons(situation, task).next();
	switch (reason?.for) {
		case undefined:
			return claim(situation, task);
		case 'configuration':
			return [{...announcement(taskId, 'failed', formatLack(reason)), because: 'configuration'}];
		case 'honey':
			return [announcement(taskId, 'blocked', lacking[reason.lacks].status)];
		default:
			return [];
	}
};

const claim = ({colony}: Situation, {taskId, bee: role}: Task): Step[] => {
	const bee = beeOf(colony, role);
	if (bee === undefined) return [];
	return [{do: 'claim', bee: bee.role, taskId, workspace: ownWorkspace(bee), reason: 'task.dispatch'}];
};

const roleOf = ({colony}: Situation, {bee}: Task): string => bee || colony.defaults.defaultBee;

/**
 * Yields the reasons why a ready task cannot be claimed. A lack in the configuration fails it; a lack of
 * honey blocks it.
 */
export function* readyReasons(situation: Situation, task: Task): Generator<Reason, undefined> {
	const bee = beeOf(situation.colony, task.bee);
	yield* lacks(situation, task, bee);
	if (bee === undefined) return yield* situation.reactor;
	const earlier = situation.open.filter(
		({taskId, trigger}) => taskId === task.taskId && trigger === undefined,
	);
	yield* claimReasons(situation, bee, ownWorkspace(bee), {before: earlier});
}

/** A bee or sector that no longer exists fails the task, at no cost. */
const lacks = (situation: Situation, task: Task, bee: Bee | undefined): Reason[] => {
	const lack = (what: Lack, name: string): Reason[] => [{for: 'configuration', lack: what, name}];
	if (bee === undefined) return [lackOfBee(situation.colony, roleOf(situation, task))];
	if (!takesTasks(bee)) return lack('tasks', bee.role);
	const sector = task.sector ?? bee.sector;
	return sector === undefined || situation.colony.sectors.has(sector) ? [] : lack('sector', sector);
};

/** The reason if there is no such bee or its file is broken. */
export const lackOfBee = (colony: Colony, name: string): LackReason => {
	const broken = brokenBee(colony, name);
	const where = broken === undefined ? {} : {broken: `${broken.path}: ${broken.message}`};
	return {for: 'configuration', lack: 'bee', name, ...where};
};

type LackReason = Extract<Reason, {for: 'configuration'}>;

/** Describes what the configuration lacks, as the summary of the task that fails for it. */
export const formatLack = ({lack, name, broken}: LackReason): string => {
	switch (lack) {
		case 'bee':
			return broken === undefined
				? `There is no bee "${name}" in .hive/bees/`
				: `The bee "${name}" cannot be used: ${broken}`;
		case 'tasks':
			return `The bee "${name}" does not take task.ready`;
		case 'sector':
			return `There is no sector "${name}" in .hive/colony.yaml`;
		case 'program':
			return `${name}: command not found`;
	}
};
