import * as z from 'zod/mini';
import {formatCount} from '../../domain/format-count.ts';
import {waitingPlan} from '../../domain/plan-review.ts';
import {action, field, type Subject} from './action.ts';
import {traceId} from './fields.ts';
import {liveTrace} from './tasks.ts';

/** The state of the plan that the person saw. */
const plan = field(z.optional(z.int().check(z.minimum(1))), {
	summary: 'State of the plan that you saw, from "hive plan show"; refused if it has changed since.',
	hint: '<n>',
});

const whyNoPlan = (subject: Subject): string | undefined =>
	liveTrace(subject) ??
	(subject.trace !== undefined && waitingPlan(subject.trace) === undefined
		? 'No plan of it waits for you.'
		: undefined);

export const acceptPlan = action({
	id: 'plan.accept',
	label: 'Accept plan',
	confirm: true,
	progressLabel: 'Accepting the plan of',
	summary: "Accept a bee's plan: its tasks start in their turn.",
	examples: ['plan accept --trace trace-0199…'],
	shape: '{v, traceId, taskIds, ready}',
	needsReactor: true,
	input: z.object({traceId, plan}),
	blocked: whyNoPlan,
	perform: async (context, input) => {
		const {acceptPlan: accept} = await import('../../actions/review-plan.ts');
		return accept(context, input);
	},
	done: ({taskIds, ready}) => [
		`Accepted the plan: ${formatCount(taskIds.length, 'task')}, of which ${ready.length} ${ready.length === 1 ? 'is' : 'are'} ready.`,
	],
});

export const editPlan = action({
	id: 'plan.edit',
	label: 'Edit plan',
	progressLabel: 'Editing the plan of',
	summary: 'Change the tasks of a plan that waits for you. It still waits then.',
	description:
		'Without --tasks your editor opens with the plan as YAML: order, titles, bodies, bees, reviews, dependencies. Tasks can be added and removed. If the plan has a problem, all problems are listed and nothing changes.',
	examples: ['plan edit --trace trace-0199…', 'plan edit --trace trace-0199… --tasks plan.yaml'],
	shape: '{v, traceId, taskIds, removed, warnings}',
	input: z.object({
		traceId,
		// The items are validated by the action, so that every problem of every item is reported at once.
		tasks: field(z.array(z.looseObject({})), {
			summary: 'File with the tasks, as YAML or JSON; - for standard input.',
			hint: '<file|->',
			complete: 'files',
		}),
		plan,
	}),
	blocked: whyNoPlan,
	perform: async (context, input) => {
		const {editPlan: edit} = await import('../../actions/review-plan.ts');
		return edit(context, input);
	},
	done: ({taskIds, removed, warnings}) => [
		`The plan has ${formatCount(taskIds.length, 'task')} now, and waits for you to accept it.`,
		...(removed.length === 0 ? [] : [`Taken out: ${removed.join(', ')}.`]),
		...warnings.map(warning => `Warning: ${warning}`),
	],
});

export const returnPlan = action({
	id: 'plan.return',
	label: 'Return plan',
	progressLabel: 'Returning the plan of',
	summary: 'Send a plan back to the bee that made it, with your words.',
	description:
		'The tasks of the plan are dropped. The next run of the bee resumes the session of its tool, if there is one, and begins with your words. It costs one unit of honey.',
	examples: ['plan return --trace trace-0199… --body "Do the tests first"'],
	shape: '{v, traceId, agentId, bee}',
	needsReactor: true,
	input: z.object({
		traceId,
		body: field(z.string(), {summary: 'What should be different.', hint: '<text>'}),
		plan,
	}),
	blocked: whyNoPlan,
	perform: async (context, input) => {
		const {returnPlan: giveBack} = await import('../../actions/review-plan.ts');
		return giveBack(context, input);
	},
	done: ({bee}) => [`The bee ${bee} plans again.`],
});
