import {verifierRole} from '../../domain/evidence.ts';
import {isGateId} from '../../domain/ids.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import {titleFrom} from '../../domain/title.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';

/**
 * Name of a trace: the person's own title, else its title. Without one, a trace that began with a session is
 * named after that.
 */
export const traceName = (trace: Trace): string =>
	ownTitle(trace) || titleOf(trace) || talkName(trace) || '(no title yet)';

/** The title of the person's request. A request without one has the first line of its body as title. */
const ownTitle = ({request}: Trace): string =>
	request === undefined ? '' : request.title || titleFrom(request.body);

/** The title that an agent gave to the trace, if the person's own title differs. Empty otherwise. */
export const agentTitle = (trace: Trace): string => {
	const title = trace.titled ? trace.title : '';
	const own = ownTitle(trace);
	return own === '' || title === own ? '' : title;
};

const talkName = ({runs}: Trace): string => {
	const [first] = runs.values();
	return first?.interactive ? `Talk with ${first.bee}` : '';
};

const reworkWord = 'Rework: ';

/**
 * Returns the name of a task: its title. A gate that hive adds is named by its purpose, and a rework of a
 * rework by the first reworked task.
 */
export const taskName = ({taskId, title}: Pick<Task, 'taskId' | 'title'>): string => {
	if (isGateId(taskId)) return taskId.replace(/^_review-?/, 'Final review ').trimEnd();
	let first = title;
	let times = 0;
	for (; first.startsWith(reworkWord); times += 1) first = first.slice(reworkWord.length);
	return times > 1 ? `Rework ${times}: ${first}` : title || taskId;
};

/**
 * Returns a task's name with the id that commands need: `Sort the list (order)`, or the id alone if it has no
 * other name.
 */
export const nameWithId = (trace: Trace, taskId: string): string => {
	const task = trace.tasks.get(taskId);
	const name = task === undefined ? taskId : taskName(task);
	return name === taskId ? taskId : `${name} (${taskId})`;
};

/** Subject of a decision about the task: for a final gate, all work of its trace. */
export const reviewName = (trace: Trace, task: Task): string =>
	task.review === 'final' ? traceName(trace) : taskName(task);

/** Name of a bee. Hive's own verification is no bee: it is named by what it does. */
export const beeName = (role: string): string => (role === verifierRole ? 'checks' : role);

/** Subject of a run: its task, or the request of the whole trace. */
export const runName = (trace: Trace, {taskId}: RunRecord): string => {
	const task = trace.tasks.get(taskId ?? '');
	return task === undefined ? traceName(trace) : taskName(task);
};
