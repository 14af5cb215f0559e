import type {NotifyCategory} from '../../domain/notify.ts';
import type {Trace} from '../../domain/trace.ts';

/** What needs a person, most pressing first: what is short to answer and holds work up leads. */
export const inboxKinds = [
	'invite',
	'question',
	'conflict',
	'review',
	'no_change',
	'failed',
	'blocked',
	'configuration',
	'paused',
] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** Rows of the action table. */
type InboxAction =
	| 'proposal.approve'
	| 'proposal.reject'
	| 'proposal.update'
	| 'task.start'
	| 'task.retry'
	| 'task.cancel'
	| 'bee.retry'
	| 'energy.add'
	| 'invite.accept'
	| 'invite.reject'
	| 'configuration.accept'
	| 'kill';

/** One cause for which a person is needed. It is there as long as the cause is. */
export type InboxEntry = {
	/** Names the cause in every face and after every restart; the next cause of the same thing has another. */
	readonly key: string;
	readonly kind: InboxKind;
	readonly category: NotifyCategory;
	/** Absent of what concerns the whole colony. */
	readonly traceId?: string;
	/** Of several tasks with one cause the first. */
	readonly taskId?: string;
	readonly inviteId?: string;
	/** The run that failed, is paused or asks, where no task shows it. */
	readonly agentId?: string;
	/** The broken file of the configuration, from the colony's root on. */
	readonly file?: string;
	/** What a person called it, else its id. */
	readonly title: string;
	/** What is the matter, in one sentence. */
	readonly sentence: string;
	/** Of a single question: the answers that its agent offers; absent for none. */
	readonly options?: readonly string[];
	/** UTC, RFC 3339; absent where nobody noted it. */
	readonly since?: string;
	/** What can be done about it, the likeliest first; nothing where a file has to be mended. */
	readonly actions: readonly InboxAction[];
};

/**
 * Of what in a trace: a task, an invite, or the trace itself; since when: whatever is another when it comes
 * again.
 */
export const causeKey = (kind: InboxKind, {traceId}: Trace, what: string, when: string): string =>
	`${kind}:${traceId}/${what}@${when}`;

/** The command that answers a question; nothing of another entry. */
export const answerCommand = ({kind, traceId, taskId, agentId}: InboxEntry): string | undefined => {
	if (kind !== 'question') return undefined;
	const run =
		taskId === undefined ? `bee retry ${agentId}` : `task retry --trace ${traceId} --task ${taskId}`;
	return `hive ${run} --feedback "<answer>"`;
};

export const because = (what: string, why: string): string => `${what}${why === '' ? '.' : `: ${why}`}`;
