import type {StoredEvent} from '../domain/event.ts';
import {type Evidence, formatEvidence, maxEvidenceLength} from '../domain/evidence.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {Draft, Mutable} from './draft.ts';
import {numberOf, textOf} from './payload.ts';

/**
 * The end of a verification becomes evidence on the proposal whose files it checked, if that is the task's
 * newest one. A stopped verification gives no evidence (docs/architecture.md §6).
 */
export const foldEvidence = (draft: Draft, {payload, sequence}: StoredEvent, run: RunRecord): void => {
	const task =
		run.verifies === undefined || run.lands !== undefined ? undefined : draft.task(run.taskId ?? '');
	const status = textOf(payload, 'status');
	if (task?.proposal === undefined || task.proposal.sequence !== run.trigger || status === 'cancelled')
		return;
	const {ran, output, seconds}: Record<string, unknown> = {...Object(payload.evidence)};
	const evidence: Mutable<Evidence> = {
		sequence,
		proposal: task.proposal.sequence,
		passed: status === 'completed',
		ran: ran === true,
		exitCode: numberOf(payload, 'exitCode') ?? -1,
		summary: textOf(payload, 'summary'),
		output: typeof output === 'string' ? output.slice(0, maxEvidenceLength) : '',
		agentId: run.agentId,
	};
	if (Number.isSafeInteger(seconds)) evidence.seconds = Number(seconds);
	draft.putTask({...task, evidence});
};

/**
 * True if its newest proposal has to be verified and no verification succeeded; only a person can then
 * complete the task.
 */
export const lacksEvidence = ({proposal, evidence}: Task): boolean =>
	proposal?.verification === 'required' && evidence?.passed !== true;

/** True if its newest proposal had to be verified and the verification succeeded. */
export const isVerified = ({proposal, evidence}: Task): boolean =>
	proposal?.verification === 'required' && evidence?.passed === true;

/** The reason why a task that lacks evidence is not complete. */
export const evidenceProblem = ({evidence}: Task): string =>
	evidence === undefined ? 'nothing has verified its newest proposal' : formatEvidence(evidence);

/** The reason why a verification's result is no longer needed, or `undefined` if it is. */
export const verificationOver = (
	{tasks, landing}: Trace,
	{taskId = '', trigger, lands}: Pick<RunRecord, 'taskId' | 'trigger' | 'lands'>,
): string | undefined => {
	if (lands !== undefined)
		return landing?.sequence === trigger ? undefined : 'it is no longer in the landing queue';
	const task = tasks.get(taskId);
	if (task?.status === 'cancelled') return 'the task is cancelled';
	return task?.proposal?.sequence === trigger ? undefined : 'superseded by a newer proposal';
};
