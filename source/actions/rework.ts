import type {PlanItem, Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';

/** The task whose proposal in the worktree is the newest. */
export const lastProposer = (trace: Trace): Task | undefined =>
	[...trace.tasks.values()]
		.filter(({proposal}) => proposal?.workspace === 'isolated')
		.sort((one, other) => (other.proposal?.sequence ?? 0) - (one.proposal?.sequence ?? 0))[0];

/** A task for the bee of an earlier one; with `fresh` it does not go on with that one's session of its tool. */
export const reworkOf = (
	author: Task,
	{taskId, title, body, fresh = false}: {taskId: string; title: string; body: string; fresh?: boolean},
): PlanItem => ({
	taskId,
	title: title.slice(0, 120),
	body: `${body}\n\nThis reworks the task ${author.taskId}:\n\n${author.body || author.title}`,
	bee: author.bee,
	dependsOn: [],
	...(fresh ? {} : {reworks: author.taskId}),
	...(author.sector === undefined ? {} : {sector: author.sector}),
	...(author.intent === undefined ? {} : {intent: author.intent}),
});
