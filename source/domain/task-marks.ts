import {type Task, type TaskStatus, taskStatuses} from './task.ts';

/**
 * How a task comes to its turn: a gate when everything else is over, one of the queue when those before it
 * are over, any other when what it needs is completed (docs/rules.md §2).
 */
const turns = ['gate', 'queued', 'dependent'] as const;
type TaskTurn = (typeof turns)[number];

/** Tasks without dependencies go one after another; gates are opened when everything else is over. */
export const turnOf = ({review, dependsOn}: Pick<Task, 'review' | 'dependsOn'>): TaskTurn =>
	review === 'final' ? 'gate' : dependsOn.length === 0 ? 'queued' : 'dependent';

const bitOf = (status: TaskStatus, turn: TaskTurn): number =>
	1 << (taskStatuses.indexOf(status) * turns.length + turns.indexOf(turn));

const bits = new Map(
	taskStatuses.map(status => [status, new Map(turns.map(turn => [turn, bitOf(status, turn)]))]),
);

/** The mark that a task has in a roster. */
export const markOfTask = (task: Task): number => bits.get(task.status)?.get(turnOf(task)) ?? 0;

/**
 * The marks of tasks in one of the statuses that come to their turn in one of the ways; in any way unless
 * named.
 */
export const taskMarks = (statuses: readonly TaskStatus[], ways: readonly TaskTurn[] = turns): number =>
	statuses.flatMap(status => ways.map(turn => bitOf(status, turn))).reduce((all, bit) => all | bit, 0);
