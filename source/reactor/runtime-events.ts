import {type HiveEvent, type Payload, runtimeAgent} from '../domain/event.ts';
import type {Invite, InviteStatus} from '../domain/invite.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import {deny, noAnswerInTime, type Question, type TaskWait} from '../domain/question.ts';
import type {Task, TaskStatus} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {PendingInvite} from './machine.ts';
import type {Append} from './steps.ts';

/** `task.status`: the spec's signal for the transitions between a claim and completion. */
export const announcement = (taskId: string, status: TaskStatus, summary: string, agentId?: string): Append =>
	appendStep(
		'SIGNAL',
		{kind: 'task.status', taskId, status, summary, ...(agentId === undefined ? {} : {agentId})},
		`${taskId}/${status}`,
	);

/** A task waits for an answer, or for a person's decision about a run that changed nothing. */
export const personWait = ({taskId}: Task, waitsFor: TaskWait, summary: string): Append =>
	appendStep(
		'SIGNAL',
		{kind: 'task.status', taskId, status: 'waiting_review', summary, waitsFor},
		`${taskId}/${waitsFor}`,
	);

/** Hive's answer in a person's place, after `ask_timeout`: a permission is denied. */
export const expiredAnswer = ({questionId, source}: Question): Append =>
	appendStep(
		'INSIGHT',
		{
			kind: 'human.answer',
			questionId,
			...(source === 'permission' && {option: deny}),
			text: noAnswerInTime,
			timedOut: true,
		},
		`${questionId}/expired`,
	);

/** A paused task continues: the named time has come. */
export const resumption = (taskId: string, until: string): Append =>
	appendStep(
		'SIGNAL',
		{kind: 'task.status', taskId, status: 'ready', summary: '', until},
		`${taskId}/resumed`,
	);

/** A person has to act on a task that waits for a commit gate: no bee will. */
export const unattended = ({taskId}: Task, summary: string): Append =>
	appendStep(
		'SIGNAL',
		{kind: 'task.status', taskId, status: 'waiting_review', summary, unattended: true},
		`${taskId}/unattended`,
	);

export const completion = (
	{taskId}: Task,
	{summary, commit}: {summary: string; commit: string},
	now: string,
): Append =>
	appendStep(
		'VERIFICATION',
		{kind: 'task.completed', taskId, status: 'completed', summary, commit, completedAt: now},
		`${taskId}/completed`,
	);

export const readiness = (task: Task): Append =>
	appendStep('SIGNAL', readyPayload(task), `${task.taskId}/task.ready`);

export const plan = (item: PlanItem): Append =>
	appendStep('INSIGHT', {kind: 'task.plan', tasks: [item]}, `${item.taskId}/plan`);

export const invitation = (
	{inviteId, bee, intent, artifactRef, doneWhen}: PendingInvite,
	task: string,
): Append =>
	appendStep(
		'SIGNAL',
		invitePayload({inviteId, bee, intent, artifactRef, doneWhen, task}, 'pending'),
		`${inviteId}/pending`,
	);

/**
 * The outcome of an invite that an event reported as done: completed if its file exists, otherwise
 * incomplete.
 */
export const inviteOutcome = ({inviteId, bee, task, report}: Invite, isThere: boolean): Append => {
	const status = isThere ? 'completed' : 'incomplete';
	const artifactRef = isThere ? report?.artifactRef : undefined;
	const payload = invitePayload({inviteId, bee, task, artifactRef}, status);
	return appendStep('SIGNAL', payload, `${inviteId}/${report?.sequence}/${status}`);
};

type InviteFields = {readonly inviteId: string} & {readonly [field: string]: unknown};

const invitePayload = (fields: InviteFields, status: InviteStatus): Payload => ({
	kind: 'session.invite',
	...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
	status,
});

/** The trace id is filled in at the append. */
const appendStep = (type: HiveEvent['type'], payload: Payload, key: string): Append => ({
	do: 'append',
	event: {traceId: '', agentId: runtimeAgent, type, payload},
	key,
});
