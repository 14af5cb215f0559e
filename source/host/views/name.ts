import {isGateId} from '../../domain/ids.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';

/** What a person called a trace; one that was begun to talk in by that. */
export const traceName = (trace: Trace): string => titleOf(trace) || talkName(trace) || '(no title yet)';

const talkName = ({runs}: Trace): string => {
	const [first] = runs.values();
	return first?.interactive ? `Talk with ${first.bee}` : '';
};

const reworkWord = 'Rework: ';

/**
 * What a task is called: by its title, a gate that hive adds by what it does, a rework of a rework by what
 * was reworked first.
 */
export const taskName = ({taskId, title}: Pick<Task, 'taskId' | 'title'>): string => {
	if (isGateId(taskId)) return taskId.replace(/^_review-?/, 'Merge gate ').trimEnd();
	let first = title;
	let times = 0;
	for (; first.startsWith(reworkWord); times += 1) first = first.slice(reworkWord.length);
	return times > 1 ? `Rework ${times}: ${first}` : title || taskId;
};

/**
 * A task where somebody may have to name it to a command: `Sort the list (order)`, or its id alone where it
 * is called nothing else.
 */
export const nameWithId = (trace: Trace, taskId: string): string => {
	const task = trace.tasks.get(taskId);
	const name = task === undefined ? taskId : taskName(task);
	return name === taskId ? taskId : `${name} (${taskId})`;
};

/** What a decision about the task is about: at a final gate all that its trace did. */
export const reviewName = (trace: Trace, task: Task): string =>
	task.review === 'final' ? traceName(trace) : taskName(task);

/** What a run works on: its task, or what the whole trace asks for. */
export const runName = (trace: Trace, {taskId, verifies}: RunRecord): string => {
	const task = trace.tasks.get(taskId ?? '');
	const name = task === undefined ? traceName(trace) : taskName(task);
	return verifies === undefined ? name : `Verify: ${name}`;
};
