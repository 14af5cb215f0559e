import type {Bee, Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import {startsDirectRuns} from '../domain/event-kinds.ts';
import {verifierRole} from '../domain/evidence.ts';
import {isTaskId} from '../domain/ids.ts';
import {proposalKind, proposedIn} from '../domain/proposal-kind.ts';
import type {RunRecord} from '../domain/run.ts';
import {findAskingRun} from '../domain/run-questions.ts';
import type {Trace} from '../domain/trace.ts';
import {textOf} from '../ledger/payload.ts';
import {isAnswered} from '../ledger/questions.ts';
import type {PendingRun} from './machine.ts';

/**
 * Returns the direct runs that an event asks for. `trace` must have the event folded. A bee never answers its
 * own events.
 */
export const directRunsFor = (event: StoredEvent, trace: Trace, colony: Colony): PendingRun[] => {
	if (event.payload.kind === 'task.ready') return repeatedRuns(event, trace);
	if (event.payload.kind === 'run.retry' || event.payload.kind === 'plan.returned')
		return retriedRun(event, trace);
	if (event.payload.kind === 'human.answer') return answeredRun(event, trace);
	if (event.payload.kind === 'run.finished') return endedRun(event, trace);
	if (namesBee(event.payload.kind)) return requestedRun(event);
	const {agentId, type, payload, sequence} = event;
	if (!startsDirectRuns({type, kind: payload.kind})) return [];
	const author = agentId === undefined ? undefined : trace.runs.get(agentId);
	const taskId =
		typeof payload.taskId === 'string' && isTaskId(payload.taskId) ? payload.taskId : author?.taskId;
	const verification = verificationFor(event, trace);
	const bees = [...colony.bees.values()]
		.filter(bee => bee.role !== author?.bee && takes(bee, event))
		.map(bee => ({
			trigger: sequence,
			kind: payload.kind,
			bee: bee.role,
			...(taskId === undefined ? {} : {taskId}),
			...(author === undefined ? {} : {author: author.agentId}),
		}));
	return verification === undefined ? bees : [verification, ...bees];
};

/** Hive's own run that verifies a proposal. Only a proposal that the runtime made has known files. */
const verificationFor = (
	{agentId = '', payload, sequence}: StoredEvent,
	trace: Trace,
): PendingRun | undefined => {
	const author = trace.runs.get(agentId);
	const task = trace.tasks.get(author?.taskId ?? '');
	if (author === undefined || task?.proposal?.sequence !== sequence) return undefined;
	const {verification, tree} = task.proposal;
	if (verification === undefined || tree === undefined) return undefined;
	const {taskId} = task;
	return {
		...{trigger: sequence, kind: payload.kind, bee: verifierRole, verifies: author.bee},
		...{taskId, author: author.agentId},
	};
};

/** True if with an event of this kind a person requests a run of a bee by name. */
export const namesBee = (kind: string): boolean => kind === 'bee.requested' || kind === 'session.requested';

/** `hive bee run` and `hive bee chat` name their bee, whatever it subscribes to. */
const requestedRun = ({sequence, payload: {kind, bee}}: StoredEvent): PendingRun[] =>
	typeof bee === 'string' ? [{trigger: sequence, kind, bee}] : [];

/** A retry of a task that waits for review, or is completed, requests its failed direct run once more. */
const repeatedRuns = (event: StoredEvent, trace: Trace): PendingRun[] => {
	const run = runIn(event, 'replaces', trace);
	return run?.taskId === undefined ? [] : onceMore(event, trace, run);
};

/**
 * A person requests a failed run once more, does not want to wait for the end of its pause, or returns a plan
 * to the bee that made it.
 */
const retriedRun = (event: StoredEvent, trace: Trace): PendingRun[] =>
	onceMore(event, trace, runIn(event, 'agentId', trace));

/** The answer to the last open question of a direct run requests it once more. */
const answeredRun = (event: StoredEvent, trace: Trace): PendingRun[] =>
	onceAnswered(event, trace, findAskingRun(trace, textOf(event.payload, 'questionId')));

const onceAnswered = (event: StoredEvent, trace: Trace, run: RunRecord | undefined): PendingRun[] =>
	run?.status === 'completed' && isAnswered(run) ? onceMore(event, trace, run) : [];

/**
 * A run that met a limit of its tool is requested again for the time when that has passed. A run whose
 * questions were answered while it was open is requested again now.
 */
const endedRun = (event: StoredEvent, trace: Trace): PendingRun[] => {
	const run = runIn(event, 'agentId', trace);
	if (run?.pausedUntil === undefined) return onceAnswered(event, trace, run);
	const until = run.pausedUntil;
	return onceMore(event, trace, run).map(pending => ({...pending, until}));
};

const runIn = ({payload}: StoredEvent, field: string, {runs}: Trace): RunRecord | undefined => {
	const agentId = payload[field];
	return typeof agentId === 'string' ? runs.get(agentId) : undefined;
};

/** Requests the run again, if the fold has marked it as replaced. */
const onceMore = (
	{sequence, payload}: StoredEvent,
	trace: Trace,
	run: RunRecord | undefined,
): PendingRun[] => {
	if (run?.trigger === undefined || !run.replaced) return [];
	const {trigger, bee, taskId, verifies, answers = kindOf(trace, run)} = run;
	return [
		{
			trigger,
			kind: answers,
			bee,
			...(taskId === undefined ? {} : {taskId}),
			...(verifies === undefined ? {} : {verifies}),
			asked: sequence,
			...(payload.fresh === true && {fresh: true}),
		},
	];
};

/** Kind of the event that a run answers, as far as the trace shows it. */
const kindOf = ({tasks}: Trace, {trigger, taskId = ''}: RunRecord): string => {
	const task = tasks.get(taskId);
	if (task?.proposal !== undefined && task.proposal.sequence === trigger)
		return proposalKind(task.proposal.workspace);
	return task?.verdict?.sequence === trigger ? 'verification.success' : '';
};

const takes = (bee: Bee, {type, payload}: StoredEvent): boolean => {
	const workspace = proposedIn(payload.kind);
	const kind = workspace === undefined ? payload.kind : proposalKind(workspace);
	return bee.subscribes.some(
		rule => rule.dispatch === 'direct' && rule.type === type && (rule.kind ?? kind) === kind,
	);
};
