import {beeOf, type Colony, takesTasks} from '../colony/colony.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import type {Task} from '../domain/task.ts';
import {type Trace, titleOf} from '../domain/trace.ts';
import {unownedWork} from '../ledger/unowned.ts';

/** The author of the work: a task, or a run without a task. */
export type Author = Pick<Task, 'title' | 'body' | 'bee' | 'sector' | 'intent' | 'params' | 'evidence'> & {
	/** How text names the task or the run. */
	readonly named: string;
	/** Absent for a run of no task. */
	readonly taskId?: string;
};

export const asAuthor = (task: Task): Author => ({...task, named: `the task ${task.taskId}`});

/** Returns the last author that proposed in the worktree, or left work there. */
export const lastAuthor = (trace: Trace): Author | undefined => {
	const task = lastProposer(trace);
	const run = unownedWork(trace).at(-1);
	const isTask = (task?.proposal?.sequence ?? 0) > (run?.proposal?.sequence ?? 0);
	if (run === undefined || isTask) return task && asAuthor(task);
	const {bee, agentId, summary = ''} = run;
	const title = titleOf(trace) || `what ${bee} did`;
	return {
		title,
		body: [title, summary].filter(Boolean).join('\n\n'),
		bee,
		named: `the run ${agentId} of ${bee}`,
	};
};

/** The task whose proposal in the worktree is the newest. */
const lastProposer = (trace: Trace): Task | undefined =>
	[...trace.tasks.values()]
		.filter(({proposal}) => proposal?.workspace === 'isolated')
		.sort((one, other) => (other.proposal?.sequence ?? 0) - (one.proposal?.sequence ?? 0))[0];

/**
 * False for a bee that only events start, since a task for it would fail. True for a missing bee, which may
 * come back.
 */
export const canRework = (colony: Colony, author: Author): boolean => {
	const bee = beeOf(colony, author.bee);
	return bee === undefined || takesTasks(bee);
};

/**
 * Returns a task for the bee of an earlier one. With `fresh`, it does not resume that one's session of its
 * tool.
 */
export const reworkOf = (
	author: Author,
	{taskId, title, body, fresh = false}: {taskId: string; title: string; body: string; fresh?: boolean},
): PlanItem => ({
	taskId,
	title: title.slice(0, 120),
	body: `${body}\n\nThis reworks ${author.named}:\n\n${author.body || author.title}`,
	bee: author.bee,
	dependsOn: [],
	...(fresh || author.taskId === undefined ? {} : {reworks: author.taskId}),
	...(author.sector === undefined ? {} : {sector: author.sector}),
	...(author.intent === undefined ? {} : {intent: author.intent}),
	...(author.params === undefined ? {} : {params: author.params}),
});
