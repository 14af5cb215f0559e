import {type Task, type TaskStatus, taskStatuses} from './task.ts';

/**
 * When a task gets its turn (docs/rules.md §2). A gate: when all other work is over. A queued task: when
 * those before it are over. A withheld task: when a person has accepted its plan. Any other task: when its
 * needs are completed.
 */
const turns = ['gate', 'queued', 'dependent', 'withheld'] as const;
type TaskTurn = (typeof turns)[number];

/** The turns of tasks that are work, and no gates. */
export const workTurns: readonly TaskTurn[] = ['queued', 'dependent', 'withheld'];

/** Tasks without dependencies run one after another; gates are opened when all other work is over. */
export const turnOf = ({
	review,
	withheld,
	dependsOn,
}: Pick<Task, 'review' | 'withheld' | 'dependsOn'>): TaskTurn => {
	if (review === 'final') return 'gate';
	if (withheld) return 'withheld';
	return dependsOn.length === 0 ? 'queued' : 'dependent';
};

const bitOf = (status: TaskStatus, turn: TaskTurn): number =>
	1 << (taskStatuses.indexOf(status) * turns.length + turns.indexOf(turn));

const bits = new Map(
	taskStatuses.map(status => [status, new Map(turns.map(turn => [turn, bitOf(status, turn)]))]),
);

/** The mark of a task in a roster. */
export const markOfTask = (task: Task): number => bits.get(task.status)?.get(turnOf(task)) ?? 0;

/** The marks of tasks with one of the statuses and one of the kinds of turn; by default any kind. */
export const taskMarks = (statuses: readonly TaskStatus[], ways: readonly TaskTurn[] = turns): number =>
	statuses.flatMap(status => ways.map(turn => bitOf(status, turn))).reduce((all, bit) => all | bit, 0);
