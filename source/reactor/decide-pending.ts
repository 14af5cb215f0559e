import {type Bee, beeOf, completes, ownWorkspace} from '../colony/colony.ts';
import {isVerdict, proposedIn} from '../domain/proposal-kind.ts';
import {isFree, type Reason} from '../domain/reason.ts';
import type {Workspace} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {isPastGate, isSuperseded} from '../ledger/direct-run.ts';
import {verificationOver} from '../ledger/evidence.ts';
import {lackOfBee} from './decide-tasks.ts';
import {claimVerification, openVerificationReasons, verificationReasons} from './decide-verifications.ts';
import type {Machine, PendingRun} from './machine.ts';
import {claimReasons, claimReasonsWithoutBee, heldReasons, type Situation} from './situation.ts';
import type {Claim, Step} from './steps.ts';

/**
 * Drops pending runs that are over, whichever checkout has the trace. A run answers the event, a newer event
 * supersedes it, or a gate or a kill ended it.
 */
export const decideDrops = (trace: Trace, {pending}: Machine): Step[] =>
	pending.filter(run => isOver(trace, run)).map(drop);

/** Claims for the runs that events ask for. Runs that lack honey, a workspace or a slot stay pending. */
export const decidePending = (situation: Situation): Step[] =>
	guardsFirst(situation.machine.pending).flatMap((run): Step[] => {
		if (isOver(situation.trace, run)) return [];
		if (run.verifies !== undefined) return claimVerification(situation, run);
		const bee = beeOf(situation.colony, run.bee);
		if (bee === undefined) return withoutBee(situation, run);
		if (!isFree(pendingReasons(situation, run))) return [];
		return [claimOf(run, bee.role, workspaceFor(bee, run))];
	});

/** Guards come first: a guard can look at the proposal only as long as no other run changes the workspace. */
const guardsFirst = (pending: readonly PendingRun[]): readonly PendingRun[] => {
	const isGuard = ({kind}: PendingRun): boolean => proposedIn(kind) !== undefined;
	return [...pending.filter(isGuard), ...pending.filter(run => !isGuard(run))];
};

const claimOf = (run: PendingRun, bee: string, workspace: Workspace): Claim => {
	const {trigger, taskId, fresh, kind} = run;
	const claim = {do: 'claim', bee, trigger, workspace} as const;
	if (isSession(run)) return {...claim, interactive: true, reason: 'session.start'};
	return {
		...claim,
		...(taskId !== undefined && {taskId}),
		...(kind !== '' && {answers: kind}),
		...(fresh && {fresh}),
		reason: 'direct.dispatch',
	};
};

/**
 * A run of a bee that no longer exists is dropped without an event. A session that answers an invite is
 * claimed nevertheless. It cannot begin, and the event about that returns the invite to pending
 * (docs/rules.md §4).
 */
const withoutBee = (situation: Situation, run: PendingRun): Step[] => {
	if (!answersInvite(situation.trace, run)) return [drop(run)];
	if (!isFree(claimReasonsWithoutBee(situation))) return [];
	return [{...claimOf(run, run.bee, 'isolated'), because: 'configuration'}];
};

const answersInvite = ({invites}: Trace, {trigger}: PendingRun): boolean =>
	[...invites.values()].some(({request}) => request === trigger);

/**
 * Yields the reasons why a run that an event asks for cannot be claimed; none if it is answered or
 * superseded.
 */
export function* pendingReasons(situation: Situation, run: PendingRun): Generator<Reason, undefined> {
	const {trace, colony, open} = situation;
	if (isOver(trace, run)) return;
	if (run.verifies !== undefined) return yield* verificationReasons(situation, run);
	const bee = beeOf(colony, run.bee);
	if (bee === undefined) {
		yield lackOfBee(colony, run.bee);
		return yield* answersInvite(trace, run) ? claimReasonsWithoutBee(situation) : heldReasons(situation);
	}
	if (run.until !== undefined && run.until > situation.machine.now) yield {for: 'limit', until: run.until};
	const program = situation.machine.missingPrograms.get(bee.role);
	if (program !== undefined && mayWaitForProgram(run))
		yield {for: 'configuration', lack: 'program', name: program};
	// The run that emitted the event may emit more before it ends.
	const author = open.filter(({agentId}) => agentId === run.author);
	if (completes(bee)) yield* openVerificationReasons(situation, run);
	yield* claimReasons(situation, bee, workspaceFor(bee, run), {before: author, needsSlot: !isSession(run)});
}

/**
 * A run that a proposal starts works in the proposal's workspace, whatever workspace its bee uses otherwise
 * (docs/rules.md §6).
 */
const workspaceFor = (bee: Bee, {kind}: PendingRun): Workspace => proposedIn(kind) ?? ownWorkspace(bee);

/**
 * True if the run waits until its bee's program is installed. Other runs fail when they begin. A guard that
 * cannot start must not hold up a gate. A person who runs a bee by name needs the error at once.
 */
export const mayWaitForProgram = ({kind}: Pick<PendingRun, 'kind'>): boolean =>
	proposedIn(kind) === undefined &&
	!isVerdict(kind) &&
	kind !== 'bee.requested' &&
	kind !== 'session.requested';

/** True if a person asks for it, to talk with the bee. */
const isSession = ({kind}: PendingRun): boolean => kind === 'session.requested';

/** The reasons for waiting for such a run: the run itself, and the reasons why it cannot be claimed. */
export function* awaitedReasons(situation: Situation, run: PendingRun): Generator<Reason, undefined> {
	yield {for: 'pending', bee: run.bee, trigger: run.trigger};
	yield* pendingReasons(situation, run);
}

const drop = ({trigger, bee, asked}: PendingRun): Step => ({
	do: 'drop',
	trigger,
	bee,
	...(asked === undefined ? {} : {asked}),
});

const isOver = (trace: Trace, run: PendingRun): boolean =>
	trace.killed ||
	isSuperseded(trace, run) ||
	isLetPast(trace, run) ||
	isAnswered(trace, run) ||
	isNotVerified(trace, run);

const isNotVerified = (trace: Trace, run: PendingRun): boolean =>
	run.verifies !== undefined && verificationOver(trace, run) !== undefined;

/**
 * True if a run answers the event that was not replaced by a retry, or whose work passed its gate before the
 * retry began.
 */
const isAnswered = (trace: Trace, pending: PendingRun): boolean =>
	[...trace.runs.values()].some(
		run =>
			run.trigger === pending.trigger && run.bee === pending.bee && (!run.replaced || isPastGate(trace, run)),
	);

/**
 * True for a guard that waits for a limit of its tool, once a person has completed its task: it is not
 * needed.
 */
const isLetPast = ({tasks}: Trace, {kind, taskId = '', until}: PendingRun): boolean =>
	until !== undefined && proposedIn(kind) !== undefined && tasks.get(taskId)?.approved === true;
