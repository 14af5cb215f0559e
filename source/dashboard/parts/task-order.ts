import type {Task} from '../../domain/task.ts';
import {type OrderedTask as Ordered, orderTasks as order} from '../../host/views/task-order.ts';

/** A task at its position in the tree, with the branches drawn before its name. */
export type OrderedTask = Ordered & {readonly branch: string};

const deepestDrawn = 5;

export const orderTasks = (tasks: ReadonlyMap<string, Task>): readonly OrderedTask[] =>
	order(tasks).map(entry => ({...entry, branch: branchOf(entry)}));

const branchOf = ({depth, isLast}: Ordered): string =>
	depth === 0 ? '' : `${'  '.repeat(Math.min(depth, deepestDrawn) - 1)}${isLast ? '└ ' : '├ '}`;
