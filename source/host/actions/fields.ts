import * as z from 'zod/mini';
import {field} from './action.ts';

/** Fields that mean the same in every action that has them. */

export const traceId = field(z.string(), {
	summary: 'Trace to act on; the end of its id is enough.',
	hint: '<id>',
	complete: 'traces',
});

export const taskId = field(z.string(), {summary: 'Task to act on.', hint: '<id>', complete: 'tasks'});

/** Of actions that repeat a run. */
export const fresh = field(z.optional(z.boolean()), {
	summary: 'Start a new session of the agent tool instead of resuming the previous one.',
});

/** An optional text. */
export const textField = (summary: string) => field(z.optional(z.string()), {summary, hint: '<text>'});

/** What a person was shown of the task when they decided. The action is refused if it has changed since. */
export const expected = z.optional(
	z.object({
		status: z.optional(z.string()),
		agentId: z.optional(z.string()),
		proposal: z.optional(z.number()),
	}),
);

/** Params of bees that a request sets, by name (docs/rules.md §9). Checked by the action. */
export const params = z.optional(z.record(z.string(), z.string()));

/** The branch that a new trace is merged into; default: the one that is checked out. */
export const base = z.optional(z.string());

export const basedOn = (branch: string | undefined): readonly string[] =>
	branch === undefined ? [] : [`Base: ${branch}`];

/** Limits of a new trace beside honey. */
export const limits = z.optional(
	z.object({
		maxCost: z.optional(z.number().check(z.positive())),
		maxTokens: z.optional(z.int().check(z.positive())),
	}),
);
