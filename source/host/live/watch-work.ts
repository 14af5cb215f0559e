import type {ActionContext} from '../../actions/context.ts';
import {exitCodes} from '../../domain/error-table.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {waitingPlan} from '../../domain/plan-review.ts';
import type {Reason} from '../../domain/reason.ts';
import {isPausedRun} from '../../domain/run.ts';
import {awaitsPerson} from '../../domain/task.ts';
import {isShown, openRuns, runWithoutTasks, type Trace} from '../../domain/trace.ts';
import {pendingInvites} from '../../ledger/invites.ts';
import {loadTrace, openLiveLedger} from '../../ledger/ledger.ts';
import {awaitedQuestions, waitingRuns} from '../../ledger/questions.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Decision} from '../../reactor/decide.ts';
import {readDecisions} from '../review/decisions.ts';
import {isLanding} from '../views/task.ts';
import {findStalledWork, type StalledWork} from '../waits/stalled-work.ts';

/** The colony's log up to the position read, and the traces that had work since the watch began. */
export type WatchedWork = {
	readonly knows: (traceId: string) => Promise<boolean>;
	/** Sequence of the last event read. */
	readonly position: () => number;
	readonly addEvents: (events: readonly StoredEvent[]) => void;
	/** Summary of an idle colony, over the traces that had work, or one of them. */
	readonly idle: (only: string | undefined) => Promise<Idle>;
};

type Idle = {
	readonly exitCode: number;
	/** A trace without a run, or whose next run waits for its tool, reports nothing by itself. */
	readonly standing: readonly StalledWork[];
};

export const watchWork = async (context: ActionContext): Promise<WatchedWork> => {
	const {bus} = context;
	const {position: start, worked} = await readWork(bus);
	let position = start;
	return {
		knows: async traceId => isShown(await loadTrace(bus, traceId)),
		position: () => position,
		addEvents: events => {
			for (const {traceId, sequence} of events) {
				worked.add(traceId);
				position = sequence;
			}
		},
		// Folded on demand: a process that works for months needs this once, if ever.
		idle: async only => {
			const ledger = await openLiveLedger(bus);
			await ledger.load(worked);
			const decisions = await readDecisions(context, ledger);
			const isAskedFor = (id: string): boolean => only === undefined || id === only;
			const traces = [...new Set([...worked, ...decisions.held().keys()])].filter(isAskedFor);
			const exitCode = idleExit(traces.map(ledger.snapshot), trace => decisions.of(trace));
			const visibleTraces = [...ledger.traces().values()].filter(({traceId}) => isAskedFor(traceId));
			const found = await Promise.all(
				visibleTraces.map(trace => findStalledWork(context, trace, decisions.of(trace))),
			);
			const standing = found.flat();
			const isStanding = exitCode === exitCodes.done && standing.length > 0;
			return {exitCode: isStanding ? exitCodes.waitingForHuman : exitCode, standing};
		},
	};
};

/** Returns the log's position, and the traces that have work: none that was over at its checkpoint. */
const readWork = async (bus: Bus): Promise<{position: number; worked: Set<string>}> => {
	const ledger = await openLiveLedger(bus);
	const worked = [...ledger.traces().values()].filter(hasWork).map(({traceId}) => traceId);
	return {position: ledger.position(), worked: new Set(worked)};
};

/** True if a task of the trace can still move, or a run or invite waits for a person. */
const hasWork = (trace: Trace): boolean =>
	!trace.killed &&
	(hasInvitesOrSessions(trace) ||
		waitingRuns(trace).length > 0 ||
		awaitedQuestions(trace).length > 0 ||
		[...trace.tasks.values()].some(({status}) => status !== 'completed' && status !== 'cancelled'));

/**
 * Exit code of an idle colony, over the traces that had work. Failures come before honey, and honey before a
 * person. A request whose planning failed has no task that shows it, and neither has a guard that waits for
 * honey.
 */
export const idleExit = (traces: readonly Trace[], decisionOf: (trace: Trace) => Decision): number => {
	if (traces.some(hasFailed)) return exitCodes.taskFailed;
	if (traces.some(trace => waitsFor(trace, decisionOf(trace), ['honey']))) return exitCodes.honeyExhausted;
	return traces.some(trace => needsPerson(trace, decisionOf(trace)))
		? exitCodes.waitingForHuman
		: exitCodes.done;
};

const hasFailed = (trace: Trace): boolean =>
	hasFailedPlanning(trace) ||
	[...trace.tasks.values()].some(({status}) => status === 'failed' || status === 'cancelled');

const hasFailedPlanning = (trace: Trace): boolean => {
	const planning = runWithoutTasks(trace);
	return planning?.status === 'failed' && !isPausedRun(planning);
};

const waitsFor = ({tasks}: Trace, {waits}: Decision, kinds: readonly Reason['for'][]): boolean =>
	[...[...tasks.values()].flatMap(waits.task), ...waits.runs().flatMap(({reasons}) => reasons)].some(reason =>
		kinds.includes(reason.for),
	);

/** True if a person or time has to act. Hive cannot know whether someone waits for it. */
const needsPerson = (trace: Trace, decision: Decision): boolean =>
	decision.outdated !== undefined ||
	hasInvitesOrSessions(trace) ||
	waitingRuns(trace).length > 0 ||
	awaitedQuestions(trace).length > 0 ||
	waitingPlan(trace) !== undefined ||
	[...trace.tasks.values()].some(task => awaitsPerson(task) && !isLanding(trace, task)) ||
	waitsFor(trace, decision, ['limit', 'configuration', 'left']);

const hasInvitesOrSessions = (trace: Trace): boolean =>
	pendingInvites(trace).length > 0 || openRuns(trace).some(({interactive}) => interactive);
