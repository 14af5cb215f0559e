import type {Bee, Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import {startsDirectRuns} from '../domain/event-kinds.ts';
import {verifierRole} from '../domain/evidence.ts';
import {proposalKind, proposedIn} from '../domain/proposal-kind.ts';
import type {Trace} from '../domain/trace.ts';
import type {PendingRun} from './machine.ts';

/** The direct runs an event asks for, given the trace as it is with that event folded. A bee never answers itself. */
export const directRunsFor = (event: StoredEvent, trace: Trace, colony: Colony): PendingRun[] => {
	if (event.payload.kind === 'task.ready') return repeatedRuns(event, trace);
	if (isRequest(event.payload.kind)) return requestedRun(event);
	const {agentId, type, payload, sequence} = event;
	if (!startsDirectRuns({type, kind: payload.kind})) return [];
	const author = agentId === undefined ? undefined : trace.runs.get(agentId);
	const taskId =
		typeof payload.taskId === 'string' && payload.taskId !== '' ? payload.taskId : author?.taskId;
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

/** Hive's own, of a proposal that says so: the fold takes that word from the runtime alone. */
const verificationFor = (
	{agentId = '', payload, sequence}: StoredEvent,
	trace: Trace,
): PendingRun | undefined => {
	const author = trace.runs.get(agentId);
	const task = trace.tasks.get(author?.taskId ?? '');
	if (author === undefined || task?.proposal?.sequence !== sequence) return undefined;
	if (task.proposal.verification === undefined) return undefined;
	const {taskId} = task;
	return {
		...{trigger: sequence, kind: payload.kind, bee: verifierRole, verifies: author.bee},
		...{taskId, author: author.agentId},
	};
};

const isRequest = (kind: string): boolean => kind === 'bee.requested' || kind === 'session.requested';

/** `hive bee run` and `hive bee chat` name their bee, whatever that subscribes to. */
const requestedRun = ({sequence, payload: {kind, bee}}: StoredEvent): PendingRun[] =>
	typeof bee === 'string' ? [{trigger: sequence, kind, bee}] : [];

/** A retry of a task that waits for review, or is completed, asks for the direct run that failed once more. */
const repeatedRuns = ({sequence, payload: {replaces}}: StoredEvent, trace: Trace): PendingRun[] => {
	const run = typeof replaces === 'string' ? trace.runs.get(replaces) : undefined;
	if (run?.trigger === undefined || run.taskId === undefined || !run.replaced) return [];
	const {trigger, bee, taskId, verifies} = run;
	const task = trace.tasks.get(taskId);
	const judges = task?.proposal?.sequence === trigger ? proposalKind(task.proposal.workspace) : '';
	const answers = task?.verdict?.sequence === trigger ? 'verification.success' : '';
	const again = verifies === undefined ? {} : {verifies};
	return [{trigger, kind: judges || answers, bee, taskId, ...again, asked: sequence}];
};

const takes = (bee: Bee, {type, payload}: StoredEvent): boolean => {
	const workspace = proposedIn(payload.kind);
	const kind = workspace === undefined ? payload.kind : proposalKind(workspace);
	return bee.subscribes.some(
		rule => rule.dispatch === 'direct' && rule.type === type && (rule.kind ?? kind) === kind,
	);
};
