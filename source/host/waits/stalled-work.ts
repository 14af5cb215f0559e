import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {holdRecordedBase} from '../../actions/hold-base.ts';
import type {Colony} from '../../colony/colony.ts';
import {brokenBees} from '../../colony/find-bee.ts';
import {fileOf} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {startsDirectRuns} from '../../domain/event-kinds.ts';
import type {Reason} from '../../domain/reason.ts';
import {exhausted, lacking, topUpCommand} from '../../domain/reserve.ts';
import {isPaused} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Decision} from '../../reactor/decide.ts';
import {isUnanswered} from '../../reactor/interest.ts';
import {directRunsFor, namesBee} from '../../reactor/subscribers.ts';
import {readMerge} from '../../workspaces/merge/preview.ts';
import {commandLineOf} from '../actions/command-line.ts';
import {actionTable} from '../actions/table.ts';
import {approveCommand} from '../review/approve-command.ts';
import {inboxOf} from '../views/inbox.ts';
import {answerCommand} from '../views/inbox-entry.ts';
import {localMoment} from '../views/local-time.ts';
import {formatMachineReason, formatPendingReason, isMachineReason} from './format-reason.ts';
import {formatUpdateStep, nextOfPending} from './next-step.ts';

/** Something in a trace that does not go on, and why, in words. */
export type StalledWork = {
	readonly traceId: string;
	/** False for a request of which no run has ever begun. */
	readonly hasBegun: boolean;
	readonly why: string;
	/** The step that a person has to take, if it will not go on by itself. */
	readonly next?: string;
};

type StallReason = Pick<StalledWork, 'why' | 'next'>;

/**
 * For an idle colony: requests that are not served, in place of a run that could have failed; else what is
 * held up.
 */
export const findStalledWork = async (
	context: Pick<ActionContext, 'bus' | 'colony' | 'git' | 'checkout'>,
	trace: Trace,
	decision: Decision,
): Promise<readonly StalledWork[]> => {
	const {traceId} = trace;
	if (trace.killed) return [];
	const unserved = trace.runs.size > 0 ? undefined : await neverBegan(context, trace, decision);
	if (unserved !== undefined) return [{traceId, hasBegun: false, ...unserved}];
	const held = heldUp(trace, decision, await treeAtGate(context, trace));
	return held.map(reason => ({traceId, hasBegun: true, ...reason}));
};

/**
 * Id of the tree that the final gate would merge now. Empty if no gate waits, or that cannot be determined
 * here.
 */
const treeAtGate = async (
	{bus, git, colony, checkout}: Pick<ActionContext, 'bus' | 'colony' | 'git' | 'checkout'>,
	trace: Trace,
): Promise<string> => {
	const isAtGate = [...trace.tasks.values()].some(
		({review, status}) => review === 'final' && status === 'waiting_review',
	);
	if (!isAtGate || refuseElsewhere(trace, checkout) !== undefined) return '';
	try {
		await holdRecordedBase({bus, git, colony}, trace.traceId);
		const merge = await readMerge(git, {root: colony.root, traceId: trace.traceId});
		return merge.ok ? (merge.value?.tree ?? '') : '';
	} catch {
		// If git does not work, the command that shows the work says why.
		return '';
	}
};

const neverBegan = async (
	{bus, colony}: Pick<ActionContext, 'bus' | 'colony'>,
	trace: Trace,
	{outdated, waits}: Decision,
): Promise<StallReason | undefined> => {
	if (outdated !== undefined) return updateWaits(outdated)[0];
	const ready = [...trace.tasks.values()].find(({status}) => status === 'ready');
	if (ready !== undefined) return {why: formatWait(`its task ${ready.taskId}`, waits.task(ready))};
	const [waiting] = waits.runs();
	if (waiting !== undefined) return pendingWaits(trace, waiting);
	if (!isUnanswered(trace)) return undefined;
	const first = await firstEvent(bus, trace.traceId);
	if (first === undefined || !isRequest(first)) return undefined;
	return describeMissedRequest(first, trace, colony);
};

const updateWaits = (outdated: Decision['outdated']): readonly StallReason[] =>
	outdated === undefined ? [] : [{why: formatMachineReason(outdated), next: formatUpdateStep(outdated)}];

/** What waits for a person, and what waits for its tool: paused tasks and direct runs. */
const heldUp = (trace: Trace, {outdated, waits}: Decision, tree: string): readonly StallReason[] => {
	const tasks = [...trace.tasks.values()].filter(isPaused).map(task => ({
		why: `${task.taskId} is paused until ${localMoment(task.pausedUntil ?? '')}: ${task.summary}`,
		next: `hive task retry --trace ${trace.traceId} --task ${task.taskId} goes on at once`,
	}));
	const runs = waits
		.runs()
		.filter(({reasons}) => reasons.some(one => one.for === 'configuration' || one.for === 'limit'))
		.map(waiting => pendingWaits(trace, waiting));
	return [...updateWaits(outdated), ...personWaits(trace, tree), ...unsentWaits(trace), ...tasks, ...runs];
};

/** A request that its forge did not take in time: the forge, or the way to it, does not answer. */
const unsentWaits = ({pullRequest: request, killed}: Trace): readonly StallReason[] =>
	killed || request?.state !== 'requested'
		? []
		: [
				{
					why: 'its pull request is not at the forge yet, which has not answered',
					next: '"hive run" sends it once the forge answers; "hive doctor" tests the way there',
				},
			];

/** Paused work is left out: `heldUp` reports it with the time at which it goes on. */
const personWaits = (trace: Trace, tree: string): readonly StallReason[] =>
	inboxOf([trace])
		.filter(({kind}) => kind !== 'paused')
		.map(entry => {
			const {
				title,
				sentence,
				actions: [action],
				inviteId,
				agentId,
				...subject
			} = entry;
			const why = `${title}: ${sentence}`;
			if (inviteId !== undefined) return {why, next: `hive invite accept ${inviteId}`};
			const answer = answerCommand(entry);
			if (answer !== undefined) return {why, next: answer};
			if (action === 'bee.retry') return {why, next: `hive bee retry ${agentId}`};
			const lacks = exhausted(trace);
			if (action === 'energy.add') return {why, next: topUpCommand(trace.traceId, lacks ?? 'honey')};
			if (action === undefined) return {why};
			const isFinal = trace.tasks.get(subject.taskId ?? '')?.review === 'final';
			return {
				why,
				next:
					isFinal && action === 'proposal.approve'
						? approveCommand(subject, tree)
						: commandLineOf(actionTable[action], subject),
			};
		});

const firstEvent = async (bus: ActionContext['bus'], traceId: string): Promise<StoredEvent | undefined> => {
	for await (const [first] of bus.read({traceId, after: 0})) return first;
	return undefined;
};

/**
 * True if the event asks for work: it names a bee, is a `feature.requested`, or has a honey budget, as
 * events of cues have. Any other signal may be for information alone and need no answer.
 */
const isRequest = ({type, payload: {kind}, energyBudget}: StoredEvent): boolean => {
	if (type !== 'SIGNAL') return false;
	if (namesBee(kind) || kind === 'feature.requested') return true;
	return energyBudget !== undefined && startsDirectRuns({type, kind});
};

const formatWait = (subject: string, reasons: readonly Reason[]): string => {
	const reason = reasons.find(isMachineReason);
	if (reason !== undefined) return `${subject} waits for ${formatMachineReason(reason)}`;
	const honey = reasons.find(one => one.for === 'honey');
	return honey === undefined ? `${subject} has still to begin` : lacking[honey.lacks].words;
};

/** A missing tool or configuration comes first: it does not pass by itself when other runs end. */
const pendingWaits = (
	trace: Trace,
	{run, reasons}: ReturnType<Decision['waits']['runs']>[number],
): StallReason => {
	const reason = reasons.find(one => one.for === 'configuration' || one.for === 'limit');
	const subject = `a run of ${run.bee}`;
	if (reason === undefined) return {why: formatWait(subject, reasons)};
	const next = nextOfPending(reason, trace, run);
	return {why: `${subject} waits: ${formatPendingReason(reason)}`, ...(next === undefined ? {} : {next})};
};

/** Describes a request that a bee missed. A bee that becomes readable again answers no earlier events. */
const describeMissedRequest = (event: StoredEvent, trace: Trace, colony: Colony): StallReason => {
	const {kind, bee} = event.payload;
	const again = `ask again in the trace, or end it: hive kill --trace ${trace.traceId}`;
	const takers = directRunsFor(event, trace, colony).filter(run => colony.bees.has(run.bee));
	if (takers.length > 0)
		return {
			why: `${takers.map(run => run.bee).join(' and ')} did not take ${kind} when it came`,
			next: again,
		};
	const subject = namesBee(kind) ? `there is no bee "${bee}"` : `no bee takes ${kind}`;
	const unread = brokenBees(colony).map(problem => `${fileOf(problem)} cannot be read`);
	return {why: [subject, ...unread].join('; '), next: `once a bee takes it, ${again}`};
};
