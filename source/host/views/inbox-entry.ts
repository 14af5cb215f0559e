import type {NotifyCategory} from '../../domain/notify.ts';
import type {Act} from '../../domain/question.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Judgement} from './format-judgement.ts';

/** Kinds of entries, most pressing first. Kinds that are quick to answer and hold work up come first. */
export const inboxKinds = [
	'invite',
	'question',
	'session',
	'conflict',
	'plan',
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
	| 'forge.send'
	| 'plan.accept'
	| 'plan.edit'
	| 'plan.return'
	| 'task.start'
	| 'task.retry'
	| 'task.cancel'
	| 'bee.retry'
	| 'question.answer'
	| 'energy.add'
	| 'invite.accept'
	| 'invite.reject'
	| 'configuration.accept'
	| 'kill';

/** One cause for which a person is needed. The entry exists as long as the cause does. */
export type InboxEntry = {
	/**
	 * Identifies the cause in every face and after every restart. A later cause of the same thing has another
	 * key.
	 */
	readonly key: string;
	readonly kind: InboxKind;
	readonly category: NotifyCategory;
	/** Absent if it concerns the whole colony. */
	readonly traceId?: string;
	/** The first, if several tasks have one cause. */
	readonly taskId?: string;
	readonly inviteId?: string;
	/** Of a plan: the sequence that a decision about it names. */
	readonly plan?: number;
	/** The question for whose answer a run waits. */
	readonly questionId?: string;
	/** What the run asks permission for: the tool, with its command, path or diff. */
	readonly act?: Act;
	/** The run that failed, is paused or asks, if no task shows it; the session that waits. */
	readonly agentId?: string;
	/** The broken file of the configuration, relative to the colony's root. */
	readonly file?: string;
	/** The name that a person gave it, else its id. */
	readonly title: string;
	/** The problem, in one sentence. */
	readonly sentence: string;
	/** The last rows on the screen of a session that waits. */
	readonly lastRows?: readonly string[];
	/** For a single question: the answers that its agent offers; absent if none. */
	readonly options?: readonly string[];
	/** For a review: what guards and checks found. */
	readonly judgement?: Judgement;
	/** UTC, RFC 3339; absent if it was not recorded. */
	readonly since?: string;
	/** Possible actions, the likeliest first; empty if a file has to be repaired, or a session answered. */
	readonly actions: readonly InboxAction[];
};

/**
 * Returns the key of a cause.
 * @param what a task, an invite, or the trace itself
 * @param when any value that differs when the cause occurs again
 */
export const causeKey = (kind: InboxKind, {traceId}: Trace, what: string, when: string): string =>
	`${kind}:${traceId}/${what}@${when}`;

/** Returns the command that answers a question; undefined for any other entry. */
export const answerCommand = (entry: InboxEntry): string | undefined => {
	const {kind, traceId, taskId, agentId, questionId, options} = entry;
	if (kind !== 'question') return undefined;
	if (questionId !== undefined) return answerCommandOf(questionId, options);
	const run =
		taskId === undefined ? `bee retry ${agentId}` : `task retry --trace ${traceId} --task ${taskId}`;
	return `hive ${run} --feedback "<answer>"`;
};

/** The command that answers one question. */
export const answerCommandOf = (questionId: string, options: readonly string[] = []): string =>
	`hive answer ${questionId} ${options.length === 0 ? '--body "<answer>"' : '--option <n>'}`;

export const because = (what: string, why: string): string => `${what}${why === '' ? '.' : `: ${why}`}`;
