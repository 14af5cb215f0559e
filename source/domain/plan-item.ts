import * as z from 'zod/mini';
import {params} from './params.ts';
import {oneOf, taskId, title} from './payload-shapes.ts';
import {expected, id, text} from './shapes.ts';
import {reviews} from './task.ts';

/** The fields that describe a task's work, whether it is planned or started at once. */
export const taskText = {
	title: z.optional(title),
	body: z.optional(text),
	/** Role of the bee that runs it; empty means the colony's default bee. */
	bee: z.optional(text),
	sector: z.optional(text),
	intent: z.optional(text),
};

/**
 * One element of `payload.tasks` in `task.plan` (docs/rules.md §2). A new field is added here; the compiler
 * then asks for its reader in `ledger/plan-events.ts`.
 */
export const planItem = z.object(
	{
		...taskText,
		taskId: id,
		title: title.check(z.refine(value => value.trim() !== '', {error: 'required'})),
		review: z.optional(oneOf(reviews)),
		/** Over the params of its bee and of the request. */
		params: z.optional(params),
		dependsOn: z.optional(z.readonly(z.array(taskId, {error: expected('a list of task ids')}))),
		/**
		 * The task that this one repeats with a person's requested changes. Its first run continues that task's
		 * session.
		 */
		reworks: z.optional(taskId),
	},
	{error: expected('an object with taskId and title')},
);

export type PlanItem = Readonly<z.output<typeof planItem>>;

export const planFields: readonly string[] = Object.keys(planItem.shape);
