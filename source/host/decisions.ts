import type {ActionContext} from '../actions/context.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {reportedInvites} from '../ledger/invites.ts';
import {type Ledger, openLedger} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import {timestamp} from '../ports/clock.ts';
import {type Decision, decide} from '../reactor/decide.ts';
import {countedFacts, type Machine, type PendingInvite, type PendingRun} from '../reactor/machine.ts';
import {createOccupancy} from '../reactor/occupancy.ts';
import {consider, loadPending} from '../reactor/pending.ts';

/** What the reactor of this checkout decides, for whoever stands beside it and reads the same log. */
export type Decisions = {
	readonly of: (trace: Trace, facts?: Partial<Pick<Machine, 'isAttended' | 'branchDiffers'>>) => Decision;
	/** Traces of which an event asks for a run that waits for honey: their gate stays closed, though every task may be over. */
	readonly starved: () => ReadonlySet<string>;
};

/**
 * The facts of this machine as the log and the reactor's cursor have them now. The cursor may speak of events that the ledger lacks:
 * it is folded up to them.
 */
export const readDecisions = async (
	{bus, clock, colony, checkout}: {readonly bus: Bus} & Pick<ActionContext, 'checkout' | 'clock' | 'colony'>,
	ledger: Ledger,
): Promise<Decisions> => {
	const pending = await loadPending(bus.bucket('reactor'));
	if (pending.considered() > ledger.position())
		for await (const events of bus.read({after: ledger.position()})) {
			await ledger.load(events.map(({traceId}) => traceId));
			ledger.apply(events);
		}
	const occupancy = createOccupancy(checkout);
	for (const trace of ledger.traces().values()) occupancy.update(trace, colony);
	for await (const events of bus.read({after: pending.considered()})) {
		const folded = events.filter(({sequence}) => sequence <= ledger.position());
		await ledger.load(folded.map(({traceId}) => traceId));
		for (const event of folded) {
			consider(pending, event, ledger.snapshot(event.traceId), colony);
		}
	}
	await ledger.load(pending.traces());
	const of: Decisions['of'] = (trace, {isAttended = true, branchDiffers = false} = {}) => {
		const decideWith = (runs: readonly PendingRun[]): Decision =>
			decide(trace, colony, {
				...countedFacts({checkout, colony, occupancy}),
				isAttended,
				now: timestamp(clock),
				runs: new Map(openRuns(trace).map(({agentId}) => [agentId, 'busy'])),
				pending: runs,
				...unlooked(trace, pending.invitesOf(trace.traceId)),
				branchDiffers,
			});
		const own = pending.of(trace.traceId);
		const decision = decideWith(own);
		const dropped = decision.steps.filter(step => step.do === 'drop');
		if (dropped.length === 0) return decision;
		// The reactor drops them without a word on the log, and decides on what is left.
		return decideWith(
			own.filter(run => dropped.every(({trigger, bee}) => trigger !== run.trigger || bee !== run.bee)),
		);
	};
	const isStarved = (traceId: string): boolean =>
		of(ledger.snapshot(traceId))
			.waits.runs()
			.some(({reasons}) => reasons.some(reason => reason.for === 'honey'));
	return {of, starved: () => new Set(pending.traces().filter(isStarved))};
};

/** Facts that only make a difference to what is said, not to whether something is. */
const unlooked = (
	trace: Trace,
	invites: readonly PendingInvite[],
): Pick<Machine, 'invites' | 'files' | 'recalled'> => ({
	invites,
	files: new Map(reportedInvites(trace).map(({report}) => [report?.ref ?? '', false])),
	recalled: new Map(invites.map(({inviteId}) => [inviteId, ''])),
});

/** Every trace, and whether an event asks for a run of it that waits for honey. */
export const surveyTraces = async (
	context: ActionContext,
): Promise<readonly {readonly trace: Trace; readonly isStarved: boolean}[]> => {
	const ledger = await openLedger(context.bus);
	const starved = (await readDecisions(context, ledger)).starved();
	return [...ledger.traces().values()].map(trace => ({trace, isStarved: starved.has(trace.traceId)}));
};
