import {beeOf, type Colony, takesTasks} from '../colony/colony.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import type {Task} from '../domain/task.ts';
import {type Trace, titleOf} from '../domain/trace.ts';
import {unownedWork} from '../ledger/unowned.ts';

/** Whose work is reworked: a task's, or that of a run of no task. */
export type Author = Pick<Task, 'title' | 'body' | 'bee' | 'sector' | 'intent' | 'evidence'> & {
	/** The task, or the run. */
	readonly named: string;
	/** Absent for a run of no task. */
	readonly taskId?: string;
};

export const asAuthor = (task: Task): Author => ({...task, named: `the task ${task.taskId}`});

/** The last that proposed in the worktree, or that left work there. */
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

/** False of a bee that only events start: a task for it would fail. One that is gone may come back. */
export const canRework = (colony: Colony, author: Author): boolean => {
	const bee = beeOf(colony, author.bee);
	return bee === undefined || takesTasks(bee);
};

/**
 * A task for the bee of an earlier one; with `fresh` it does not go on with that one's session of its tool.
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
});
