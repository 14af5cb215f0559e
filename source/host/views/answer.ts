import type {Payload, StoredEvent} from '../../domain/event.ts';
import {localMoment} from './local-time.ts';

/** The subject of the request: a trace, a task in it, or an invite. */
type Asked = {
	readonly traceId?: string;
	readonly taskId?: string;
	readonly inviteId?: string;
	/** Key of its inbox entry. */
	readonly cause?: string;
};

/** Agent ids of people in the log, with where they acted. */
const people: Readonly<Record<string, string>> = {
	human: 'at the terminal',
	cli: 'at the terminal',
	console: 'on the page',
	chat: 'in the chat',
};

export const isPerson = (agentId: string | undefined): boolean => people[agentId ?? ''] !== undefined;

/**
 * Describes in a sentence how a cause for which a person was needed ended: who answered, where and when.
 *
 * @param events of its trace since the cause arose, oldest first
 */
export const formatAnswer = (asked: Asked, events: readonly StoredEvent[], now: number): string => {
	const answer = answerTo(asked, events);
	if (answer === undefined) return 'Over: it needs no person any more.';
	const where = people[answer.agentId ?? ''] ?? '';
	return `${verbOf(answer.payload, asked)}: answered ${where} at ${localMoment(answer.at, now)}.`;
};

/** The event with which a person answered; undefined if none did. */
const answerTo = (
	{traceId, taskId, inviteId, cause}: Asked,
	events: readonly StoredEvent[],
): StoredEvent | undefined => {
	const answers = events.filter(
		event => event.traceId === traceId && people[event.agentId ?? ''] !== undefined,
	);
	const isQuestion = cause?.startsWith('question:') ?? false;
	const isPlan = cause?.startsWith('plan:') ?? false;
	return (
		// Other questions of the trace may be answered in between.
		answers.find(({payload}) => isQuestion && cause?.endsWith(`@${String(payload.questionId)}`)) ??
		answers.find(({payload}) => isPlan && cause?.endsWith(`@${String(payload.plan)}`)) ??
		answers.find(
			({payload}) =>
				(isQuestion && payload.kind === 'human.answer') ||
				(taskId !== undefined && payload.taskId === taskId) ||
				(inviteId !== undefined && payload.inviteId === inviteId),
		) ??
		answers.find(({payload}) => inviteId === undefined || payload.kind === 'system.kill')
	);
};

/** Names the person of an agent id in the log, by where they acted. */
export const personOf = (agentId: string): string => {
	const where = people[agentId];
	return where === undefined ? agentId : `a person ${where}`;
};

const verbs: Readonly<Record<string, string>> = {
	'task.completed': 'Approved',
	'merge.started': 'Approved',
	'landing.requested': 'Approved',
	'landing.left': 'Taken out of the landing queue',
	'update.started': 'Updated',
	'session.requested': 'Accepted',
	'human.feedback': 'Sent back',
	'human.answer': 'Answered',
	'plan.accepted': 'Accepted',
	'plan.edited': 'Edited',
	'plan.returned': 'Sent back',
	'task.plan': 'Sent back',
	'task.ready': 'Retried',
	'run.retry': 'Retried',
	'energy.add': 'Topped up',
	'system.kill': 'Killed',
};

const verbOf = ({kind, action, status}: Payload, {cause = ''}: Asked): string => {
	if (kind === 'task.ready' && cause.startsWith('blocked:')) return 'Started';
	if (kind === 'beekeeper.ready')
		return action === 'defer' ? 'Deferred' : action === 'reject' ? 'Rejected' : 'Accepted';
	if (kind === 'task.status')
		return status === 'cancelled' ? 'Cancelled' : status === 'ready' ? 'Retried' : 'Moved on';
	return verbs[kind] ?? 'Moved on';
};
