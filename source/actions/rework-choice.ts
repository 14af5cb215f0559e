import type {Colony} from '../colony/colony.ts';
import {beeOf, proposesIn} from '../colony/colony.ts';
import type {ReviewComment} from '../domain/review-comment.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {changedFiles, pathText} from '../workspaces/trees/paths.ts';
import type {ActionContext} from './context.ts';
import {asAuthor, canRework, lastAuthor} from './rework.ts';

/** By id of a task: the paths that its runs changed in the worktree, as far as recorded. */
export type ChangedPaths = ReadonlyMap<string, ReadonlySet<string>>;

/** Max runs whose changes are read, the newest ones. */
const maxRuns = 100;

/** Reads what the runs of each task changed. Runs whose trees this checkout does not have are left out. */
export const readChangedPaths = async (
	{git, colony}: Pick<ActionContext, 'git' | 'colony'>,
	trace: Trace,
): Promise<ChangedPaths> => {
	const paths = new Map<string, Set<string>>();
	for (const {taskId, trees, workspace, verifies} of [...trace.runs.values()].slice(-maxRuns)) {
		if (taskId === undefined || trees === undefined || trees.before === trees.after) continue;
		if (workspace === 'root' || verifies !== undefined) continue;
		const changes = await changedFiles(git, colony.root, trees.before, trees.after).catch(() => []);
		const known = paths.get(taskId) ?? new Set();
		for (const {path} of changes) known.add(pathText(path));
		paths.set(taskId, known);
	}
	return paths;
};

/** Tasks that proposed in the worktree and whose bee can do a rework there, the newest proposal first. */
export const reworkable = (colony: Colony, trace: Trace): readonly Task[] =>
	[...trace.tasks.values()]
		.filter(task => task.proposal?.workspace === 'isolated' && isAble(colony, task))
		.toSorted((one, other) => (other.proposal?.sequence ?? 0) - (one.proposal?.sequence ?? 0));

const isAble = (colony: Colony, task: Task): boolean => {
	const bee = beeOf(colony, task.bee);
	return canRework(colony, asAuthor(task)) && (bee === undefined || proposesIn(bee) === 'isolated');
};

/**
 * Returns the task that the comments are about: the one whose runs changed the files of the most comments. Of
 * several it is the one with the newest proposal. Undefined if no task changed any of the files.
 *
 * @param tasks the newest proposal first
 */
export const taskOfComments = (
	tasks: readonly Task[],
	comments: readonly Pick<ReviewComment, 'path'>[],
	changed: ChangedPaths,
): Task | undefined => {
	const hits = ({taskId}: Task): number =>
		comments.filter(({path}) => changed.get(taskId)?.has(path) === true).length;
	let best: {readonly task: Task; readonly count: number} | undefined;
	for (const task of tasks) {
		const count = hits(task);
		if (count > (best?.count ?? 0)) best = {task, count};
	}
	return best?.task;
};

/** The tasks that can rework what a gate rejects, and the one that gets it if the person names none. */
export type ReworkChoice = {
	readonly tasks: readonly {readonly taskId: string; readonly title: string; readonly bee: string}[];
	/** Empty if the rework is for work without a task, or if no task can do it. */
	readonly chosen: string;
};

export const readReworkChoice = async (
	context: Pick<ActionContext, 'git' | 'colony'>,
	trace: Trace,
	comments: readonly Pick<ReviewComment, 'path'>[],
): Promise<ReworkChoice> => {
	const tasks = reworkable(context.colony, trace);
	const changed = comments.length === 0 ? new Map() : await readChangedPaths(context, trace);
	return {
		tasks: tasks.map(({taskId, title, bee}) => ({taskId, title: title || taskId, bee})),
		chosen: taskOfComments(tasks, comments, changed)?.taskId ?? lastAuthor(trace)?.taskId ?? '',
	};
};
