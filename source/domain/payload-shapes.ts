import * as z from 'zod/mini';
import {idRule, isTaskId} from './ids.ts';
import {longestWarning, mostWarnings} from './run.ts';
import {expected, id, text} from './shapes.ts';
import {reviews, type Workspace} from './task.ts';

export const taskId = text.check(z.refine(isTaskId, {error: `must be ${idRule}`}));
export const filled = text.check(z.refine(value => value.trim() !== '', {error: 'required'}));
const flat = text.check(z.regex(/^[^\n\r]*$/, {error: 'must be one line'}));
export const objectId = text.check(z.regex(/^[0-9a-f]{4,64}$/, {error: 'must be a git object id'}));
const number = z.number({error: expected('a whole number')});
export const amount = number.check(
	z.refine(value => Number.isSafeInteger(value) && value > 0, {error: 'must be a positive whole number'}),
);
export const atMost = (longest: number) =>
	filled.check(
		z.refine(value => value.trim().length <= longest, {error: `must be at most ${longest} characters`}),
	);
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
	z.enum(values, {error: expected(`one of ${values.join(', ')}`)});

export const taskText = {
	title: z.optional(text),
	body: z.optional(text),
	bee: z.optional(text),
	sector: z.optional(text),
	intent: z.optional(text),
};

export const planItem = z.object(
	{
		...taskText,
		taskId: id,
		title: filled,
		review: z.optional(oneOf(reviews)),
		dependsOn: z.optional(z.array(taskId, {error: expected('a list of task ids')})),
	},
	{error: expected('an object with taskId and title')},
);

export const proposal = (workspace: Workspace) =>
	z
		.object({
			taskId: z.optional(taskId),
			diff: z.optional(text),
			ref: z.optional(text),
			summary: z.optional(text),
			workspace: z.optional(
				oneOf(['isolated', 'root']).check(
					z.refine(value => value === workspace, {error: `must agree with the kind: ${workspace}`}),
				),
			),
			baseSha: z.optional(objectId),
			worktreePath: z.optional(
				text.check(z.refine(() => workspace === 'isolated', {error: 'a root proposal has no worktree'})),
			),
			sector: z.optional(flat),
		})
		.check(
			z.refine(({diff, ref, summary}) => Boolean(diff || ref || summary), {
				error: 'one of diff, ref and summary is required',
				path: ['summary'],
			}),
		);

export const note = z.object({summary: filled, taskId: z.optional(taskId), severity: z.optional(text)});
export const verdict = z.object({summary: filled, taskId: z.optional(taskId), proposal: z.optional(amount)});
export const warnings = z
	.array(text.check(z.maxLength(longestWarning, {error: `must be at most ${longestWarning} characters`})), {
		error: expected('a list of texts'),
	})
	.check(z.maxLength(mostWarnings, {error: `must be at most ${mostWarnings} texts`}));
export const artifact = z.object({ref: filled, artifactKind: z.optional(filled), title: z.optional(text)});
