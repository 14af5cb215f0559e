import * as z from 'zod/mini';
import {action, field} from './action.ts';

/** An invite, with its trace if two have the same id, and the `updatedAt` that a face showed. */
const named = {inviteId: z.string(), traceId: z.optional(z.string()), shownAt: z.optional(z.string())};

export const acceptInvite = action({
	id: 'invite.accept',
	label: 'Accept',
	confirm: true,
	progressLabel: 'Accepting',
	summary: 'Accept an invite: a session with its bee begins.',
	description:
		'The session costs one unit of honey of its trace; without honey the invite stays as it is. If several people accept it at once, one succeeds. A deferred invite can be accepted too, and so can one that its session left incomplete.',
	examples: ['invite accept inv-0199…'],
	shape: '{v, traceId, inviteId, bee, sequence}',
	needsReactor: true,
	input: z.object({
		...named,
		columns: z.optional(z.int()),
		rows: z.optional(z.int()),
		trueColor: z.optional(z.boolean()),
	}),
	perform: async (context, input) => {
		const {acceptInvite: accept} = await import('../../actions/accept-invite.ts');
		return accept(context, input);
	},
	done: ({inviteId, bee, traceId}) => [
		`Accepted ${inviteId}: a session with ${bee} is requested in ${traceId}.`,
	],
});

export const rejectInvite = action({
	id: 'invite.reject',
	label: 'Reject',
	danger: true,
	confirm: true,
	progressLabel: 'Answering',
	summary: 'Reject an invite, or defer it.',
	examples: ['invite reject inv-0199…', 'invite reject inv-0199… --defer'],
	shape: '{v, traceId, inviteId, status}',
	input: z.object({
		...named,
		defer: field(z.optional(z.boolean()), {summary: 'Defer it instead: it can be accepted later.'}),
	}),
	perform: async (context, input) => {
		const {rejectInvite: reject} = await import('../../actions/reject-invite.ts');
		return reject(context, input);
	},
	done: ({inviteId, status}) => [
		status === 'deferred'
			? `Deferred ${inviteId}; "hive invite accept ${inviteId}" accepts it later.`
			: `Rejected ${inviteId}.`,
	],
});

export const recordInvite = action({
	id: 'invite.record',
	label: 'Record',
	progressLabel: 'Recording an invite in',
	summary: 'Record an invite: it waits until a person accepts it.',
	description: 'With the id of a pending or deferred invite, it replaces the text of that invite.',
	examples: ['invite record --trace trace-0199… --bee drone --intent grilling -b "Talk over the dark theme"'],
	shape: '{v, traceId, inviteId, bee, status}',
	input: z.object({
		traceId: z.string(),
		bee: z.string(),
		task: z.string(),
		intent: z.optional(z.string()),
		artifactRef: z.optional(z.string()),
		inviteId: z.optional(z.string()),
	}),
	perform: async (context, input) => {
		const {recordInvite: record} = await import('../../actions/record-invite.ts');
		return record(context, input);
	},
	done: ({inviteId, bee}) => [`Recorded ${inviteId}: it invites to ${bee}.`],
});
