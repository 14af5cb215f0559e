import * as z from 'zod/mini';
import {accepted} from '../../domain/errors.ts';
import {action, field, type Subject} from './action.ts';
import {expected, taskId, traceId} from './fields.ts';

const whyNotQueued = ({trace}: Subject): string | undefined =>
	trace?.landing === undefined ? 'It is not in the landing queue.' : undefined;

export const cancelLanding = action({
	id: 'landing.cancel',
	label: 'Stop landing',
	confirm: true,
	anywhere: true,
	progressLabel: 'Stopping',
	summary: 'Take an approved merge out of the landing queue; it waits for your decision again.',
	shape: '{v, traceId, taskId}',
	input: z.object({traceId}),
	blocked: whyNotQueued,
	perform: async (context, input) => {
		const {cancelLanding: cancel} = await import('../../actions/cancel-landing.ts');
		return cancel(context, input);
	},
	done: () => ['It left the landing queue and waits for your decision. Nothing was merged.'],
});

const whyNotRetried = ({trace, task}: Subject): string | undefined => {
	if (trace?.landing !== undefined) return 'It is in the landing queue already.';
	return task?.status === 'waiting_review' && task.review === 'final'
		? undefined
		: 'Only a final review can land.';
};

export const retryLanding = action({
	id: 'landing.retry',
	label: 'Check again',
	anywhere: true,
	progressLabel: 'Checking',
	summary: 'Approve a merge again whose checks failed: they run once more on what would land.',
	shape: '{v, traceId, taskId, commit, base, landing: null or {position, tree}}',
	input: z.object({
		traceId,
		taskId,
		tree: field(z.optional(z.string()), {
			summary:
				'Check and merge only if this tree would be merged: its id from "proposal diff", or at least 12 digits of it.',
			hint: '<tree>',
		}),
		wait: field(z.optional(z.boolean()), {
			summary: 'Return once it has landed (exit 0), or is back with you (exit 8).',
		}),
		expected,
	}),
	blocked: whyNotRetried,
	perform: async (context, input) => {
		const {approveProposal} = await import('../../actions/approve-proposal.ts');
		const approved = await approveProposal(context, {...input, again: true});
		if (!approved.ok) return approved;
		const {traceId: trace, taskId: task, commit, base, landing} = approved.value;
		return accepted({traceId: trace, taskId: task, commit, base, landing});
	},
	done: ({commit, base, landing}) => [
		landing === null
			? `Merged into ${base}: ${commit}`
			: `It is number ${landing.position} in the landing queue.`,
	],
});
