import {beeOf, type Colony} from '../colony/colony.ts';
import {intentsOf} from '../colony/intents.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import {mayMove} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';
import {hasRoom, maxInvites} from '../ledger/invites.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';
import {requireInteractive} from './find-invite.ts';

export type InviteRecorded = {
	readonly traceId: string;
	readonly inviteId: string;
	readonly bee: string;
	readonly status: 'pending';
};

/** Invites people to talk with a bee about a task, or updates a waiting invite. */
export const recordInvite = async (
	context: ActionContext,
	input: {
		readonly traceId: string;
		readonly bee: string;
		readonly task: string;
		readonly intent?: string | undefined;
		readonly artifactRef?: string | undefined;
		readonly inviteId?: string | undefined;
	},
): Promise<Outcome<InviteRecorded>> => {
	const {traceId, bee, task, artifactRef, inviteId = context.ids.invite()} = input;
	const intent = input.intent?.trim().toLowerCase();
	if (!isName(inviteId)) return refuse('invalid_id', {message: `"${inviteId}" cannot be an invite id.`});
	if (task.trim() === '')
		return refuse('usage', {
			message: 'The invite does not say what the talk is about.',
			hint: 'Pass --body "<text>".',
		});
	const decided = await decideAndAppend(context, traceId, trace => {
		const refused =
			refuseUnlessOpen(trace) ??
			requireInteractive(context.colony, bee) ??
			refuseStrange(context.colony, bee, intent) ??
			refuseUnlessFree(trace, inviteId);
		if (refused !== undefined) return refused;
		const payload = {
			...{kind: 'session.invite', inviteId, bee, task, status: 'pending'},
			...(intent && {intent}),
			...(artifactRef && {artifactRef}),
		};
		const event = {traceId, agentId: context.by, type: 'SIGNAL' as const, payload};
		const checked = validateInTrace(context.colony, trace, event);
		return checked.ok ? accepted({event, value: undefined}) : checked;
	});
	return decided.ok ? accepted({traceId, inviteId, bee, status: 'pending'}) : decided;
};

/** Refuses an intent that the bee does not list. A bee that lists none takes any. */
const refuseStrange = (colony: Colony, role: string, intent = '') => {
	const bee = beeOf(colony, role);
	const known = bee === undefined ? [] : intentsOf(colony, bee);
	return intent === '' || known.length === 0 || known.includes(intent)
		? undefined
		: refuse('usage', {
				message: `The bee "${role}" has no intent "${intent}".`,
				hint: `Its intents: ${known.join(', ')}.`,
			});
};

const refuseUnlessFree = (trace: Trace, inviteId: string) => {
	const known = trace.invites.get(inviteId);
	if (known !== undefined && known.status !== 'pending' && !mayMove(known.status, 'pending'))
		return refuse('wrong_status', {
			message: `The invite ${inviteId} is ${known.status}: it cannot be recorded again.`,
			hint: 'Leave --invite-id out for a new one.',
		});
	if (known !== undefined || hasRoom(trace)) return undefined;
	return refuse('wrong_status', {
		message: `The trace ${trace.traceId} has ${maxInvites} open invites, which is the limit.`,
		hint: 'Answer some: "hive invite list --status all".',
	});
};
