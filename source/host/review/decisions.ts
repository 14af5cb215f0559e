import type {ActionContext} from '../../actions/context.ts';
import {
	foldVersionOf,
	formatMachine,
	type KnownMachine,
	type NewerHive,
	newerHive,
} from '../../domain/machine-status.ts';
import type {Holding} from '../../domain/reason.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import {reportedInvites} from '../../ledger/invites.ts';
import {catchUpLedger, type Ledger, openLedger} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';
import {timestamp} from '../../ports/clock.ts';
import {type Decision, decide} from '../../reactor/decide.ts';
import {countedFacts, type Machine, type PendingInvite, type PendingRun} from '../../reactor/machine.ts';
import {createOccupancy} from '../../reactor/occupancy.ts';
import {consider, loadPending} from '../../reactor/pending.ts';

/**
 * The reactors' decisions, for other readers of the same log. If checkouts share the log, each reactor
 * decides on the traces that its checkout has. Otherwise this checkout's reactor decides on all.
 */
export type Decisions = {
	readonly of: (trace: Trace, facts?: Partial<Pick<Machine, 'isAttended' | 'branchDiffers'>>) => Decision;
	/**
	 * Traces in which a direct run is held up until a person acts or a time comes, with the reason. There may
	 * be no task that shows it.
	 */
	readonly held: () => ReadonlyMap<string, Holding>;
};

type DecisionContext = {readonly bus: Bus} & Pick<
	ActionContext,
	'checkout' | 'clock' | 'colony' | 'missingPrograms'
> & {
		readonly machines?: ActionContext['machines'];
	};

/**
 * Reads the facts of the machines from the log and the reactors' cursors as they are now. A cursor may be
 * ahead of the ledger, so the ledger is folded up to it.
 */
export const readDecisions = async (context: DecisionContext, ledger: Ledger): Promise<Decisions> => {
	const {bus, clock, colony, checkout} = context;
	const holderOf = ({place}: Trace): string => (bus.isShared && place !== undefined ? place : checkout);
	const holders = new Set([checkout, ...[...ledger.traces().values()].map(holderOf)]);
	const reactorStates = new Map(
		await Promise.all(
			[...holders].map(async holder => [holder, await loadReactorState(bus, holder)] as const),
		),
	);
	const own = reactorStates.get(checkout) ?? (await loadReactorState(bus, checkout));
	const considered = Math.max(...[...reactorStates.values()].map(({pending}) => pending.considered()));
	if (considered > ledger.position()) await catchUpLedger(bus, ledger);
	for (const trace of ledger.traces().values())
		for (const {occupancy} of reactorStates.values()) occupancy.update(trace, colony);
	for await (const events of bus.read({after: own.pending.considered()})) {
		const folded = events.filter(({sequence}) => sequence <= ledger.position());
		await ledger.load(folded.map(({traceId}) => traceId));
		for (const event of folded) consider(own.pending, event, ledger.snapshot(event.traceId), colony);
	}
	const pendingTraces = [...new Set([...reactorStates.values()].flatMap(({pending}) => pending.traces()))];
	await ledger.load(pendingTraces);
	const machines = bus.isShared ? ((await context.machines?.()) ?? []) : [];
	const missing = own.pending.traces().length === 0 ? undefined : await context.missingPrograms?.();

	const of: Decisions['of'] = (trace, {isAttended = true, branchDiffers = false} = {}) => {
		const holder = holderOf(trace);
		const {pending, occupancy} = reactorStates.get(holder) ?? own;
		const decideWith = (runs: readonly PendingRun[]): Decision =>
			decide(trace, colony, {
				// If no reactor works at that checkout, that is what is shown, not what its reactor would decide.
				...countedFacts({checkout: isAttended ? holder : checkout, colony, occupancy}),
				isAttended,
				newer: newerThanIn(machines, trace, checkout),
				now: timestamp(clock),
				runs: new Map(openRuns(trace).map(({agentId}) => [agentId, 'busy'])),
				pending: runs,
				...assumedFacts(trace, pending.invitesOf(trace.traceId)),
				missingPrograms: (holder === checkout ? missing : undefined) ?? new Map(),
				branchDiffers,
			});
		const asked = pending.of(trace.traceId);
		const decision = decideWith(asked);
		const dropped = decision.steps.filter(step => step.do === 'drop');
		if (dropped.length === 0) return decision;
		// The reactor drops them without an event on the log, and decides on the rest.
		return decideWith(
			asked.filter(run => dropped.every(({trigger, bee}) => trigger !== run.trigger || bee !== run.bee)),
		);
	};
	const hasVersions = new Set(machines.map(foldVersionOf)).size > 1 || machines.some(newerThanThis);
	const held = (): ReadonlyMap<string, Holding> =>
		new Map(
			[...(hasVersions ? ledger.traces().keys() : pendingTraces)].flatMap(traceId => {
				const holding = holdingOf(of(ledger.snapshot(traceId)));
				return holding === undefined ? [] : [[traceId, holding] as const];
			}),
		);
	return {of, held};
};

const holdings = ['version', 'honey', 'configuration', 'limit'] as const satisfies readonly Holding[];

/** Of the reasons that hold up direct runs, the one that a person can do most about. */
const holdingOf = ({outdated, waits}: Decision): Holding | undefined => {
	if (outdated !== undefined) return 'version';
	const kinds = new Set(waits.runs().flatMap(({reasons}) => reasons.map(reason => reason.for)));
	return holdings.find(holding => kinds.has(holding));
};

const newerThanThis = (machine: KnownMachine): boolean => foldVersionOf(machine) > foldVersion;

/**
 * Finds a hive at another checkout that is newer than the one that works on the trace. Undefined if a newer
 * one will take the trace.
 */
const newerThanIn = (
	machines: readonly KnownMachine[],
	{place: holder}: Trace,
	here: string,
): NewerHive | undefined => {
	const at = machines.find(({checkout}) => checkout === (holder ?? here));
	const alive = at?.isAlive ? at : undefined;
	if ((holder ?? here) === here) {
		const own = {checkout: here, foldVersion: alive === undefined ? foldVersion : foldVersionOf(alive)};
		const isTaken = (machine: KnownMachine) => machine.isAlive && foldVersionOf(machine) > own.foldVersion;
		return holder === undefined && machines.some(isTaken) ? undefined : newerHive(machines, own);
	}
	const newer = alive && newerHive(machines, {checkout: alive.checkout, foldVersion: foldVersionOf(alive)});
	return newer && alive && {...newer, older: formatMachine(alive)};
};

/** The state of a checkout's reactor beside the log. */
const loadReactorState = async (bus: Bus, checkout: string) => ({
	pending: await loadPending(bus, checkout),
	occupancy: createOccupancy(checkout),
});

/** Facts that change only the wording of a wait, not whether there is one. */
const assumedFacts = (
	trace: Trace,
	invites: readonly PendingInvite[],
): Pick<Machine, 'invites' | 'files' | 'recalled'> => ({
	invites,
	files: new Map(reportedInvites(trace).map(({report}) => [report?.ref ?? '', false])),
	recalled: new Map(invites.map(({inviteId}) => [inviteId, ''])),
});

/** As `held`. If nothing is requested, and a reactor has looked or will look, reads nothing else. */
export const readHeld = async (
	context: ActionContext,
	ledger: Ledger,
): Promise<ReadonlyMap<string, Holding>> => {
	const {bus, checkout} = context;
	const pending = await loadPending(bus, checkout);
	const isCalm =
		!bus.isShared &&
		pending.traces().length === 0 &&
		(pending.considered() >= ledger.position() || (await context.reactorIsAlive(undefined)));
	return isCalm ? new Map() : (await readDecisions(context, ledger)).held();
};

type TraceHolding = {readonly trace: Trace; readonly held: Holding | undefined};

/** Returns every trace, with what holds up a direct run of it. */
export const readTraceHoldings = async (context: ActionContext): Promise<readonly TraceHolding[]> => {
	const ledger = await openLedger(context.bus);
	const held = (await readDecisions(context, ledger)).held();
	return [...ledger.traces().values()].map(trace => ({trace, held: held.get(trace.traceId)}));
};

/** The held traces, by trace id. */
export const heldIn = (traceHoldings: readonly TraceHolding[]): ReadonlyMap<string, Holding> =>
	new Map(
		traceHoldings.flatMap(({trace: {traceId}, held}) =>
			held === undefined ? [] : [[traceId, held] as const],
		),
	);
