import type {ActionContext} from '../../actions/context.ts';
import {foldVersionOf, type NewerHive, newerHive, placeName, type SeenPlace} from '../../domain/place.ts';
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
	 * Traces in which a direct run is held up until a person acts or a time comes, and what holds it up. There
	 * may be no task that shows it.
	 */
	readonly held: () => ReadonlyMap<string, Holding>;
};

type Reading = {readonly bus: Bus} & Pick<
	ActionContext,
	'checkout' | 'clock' | 'colony' | 'missingPrograms'
> & {
		readonly places?: ActionContext['places'];
	};

/**
 * Reads the facts of the machines from the log and the reactors' cursors as they are now. A cursor may be
 * ahead of the ledger, so the ledger is folded up to it.
 */
export const readDecisions = async (reading: Reading, ledger: Ledger): Promise<Decisions> => {
	const {bus, clock, colony, checkout} = reading;
	const holderOf = ({place}: Trace): string => (bus.isShared && place !== undefined ? place : checkout);
	const holders = new Set([checkout, ...[...ledger.traces().values()].map(holderOf)]);
	const desks = new Map(
		await Promise.all([...holders].map(async holder => [holder, await openDesk(bus, holder)] as const)),
	);
	const own = desks.get(checkout) ?? (await openDesk(bus, checkout));
	const considered = Math.max(...[...desks.values()].map(({pending}) => pending.considered()));
	if (considered > ledger.position()) await catchUpLedger(bus, ledger);
	for (const trace of ledger.traces().values())
		for (const {occupancy} of desks.values()) occupancy.update(trace, colony);
	for await (const events of bus.read({after: own.pending.considered()})) {
		const folded = events.filter(({sequence}) => sequence <= ledger.position());
		await ledger.load(folded.map(({traceId}) => traceId));
		for (const event of folded) consider(own.pending, event, ledger.snapshot(event.traceId), colony);
	}
	const pendingTraces = [...new Set([...desks.values()].flatMap(({pending}) => pending.traces()))];
	await ledger.load(pendingTraces);
	const places = bus.isShared ? ((await reading.places?.()) ?? []) : [];
	const missing = own.pending.traces().length === 0 ? undefined : await reading.missingPrograms?.();

	const of: Decisions['of'] = (trace, {isAttended = true, branchDiffers = false} = {}) => {
		const holder = holderOf(trace);
		const {pending, occupancy} = desks.get(holder) ?? own;
		const decideWith = (runs: readonly PendingRun[]): Decision =>
			decide(trace, colony, {
				// If no reactor works at that checkout, that is what is shown, not what its reactor would decide.
				...countedFacts({checkout: isAttended ? holder : checkout, colony, occupancy}),
				isAttended,
				newer: newerThanIn(places, trace, checkout),
				now: timestamp(clock),
				runs: new Map(openRuns(trace).map(({agentId}) => [agentId, 'busy'])),
				pending: runs,
				...unlooked(trace, pending.invitesOf(trace.traceId)),
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
	const hasVersions = new Set(places.map(foldVersionOf)).size > 1 || places.some(newerThanThis);
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

const newerThanThis = (place: SeenPlace): boolean => foldVersionOf(place) > foldVersion;

/**
 * Finds a hive at another checkout that is newer than the one that works on the trace. Undefined if a newer
 * one will take the trace.
 */
const newerThanIn = (
	places: readonly SeenPlace[],
	{place: holder}: Trace,
	here: string,
): NewerHive | undefined => {
	const at = places.find(({checkout}) => checkout === (holder ?? here));
	const alive = at?.isAlive ? at : undefined;
	if ((holder ?? here) === here) {
		const own = {checkout: here, foldVersion: alive === undefined ? foldVersion : foldVersionOf(alive)};
		const isTaken = (place: SeenPlace) => place.isAlive && foldVersionOf(place) > own.foldVersion;
		return holder === undefined && places.some(isTaken) ? undefined : newerHive(places, own);
	}
	const newer = alive && newerHive(places, {checkout: alive.checkout, foldVersion: foldVersionOf(alive)});
	return newer && alive && {...newer, older: placeName(alive)};
};

/** The state of a checkout's reactor beside the log. */
const openDesk = async (bus: Bus, checkout: string) => ({
	pending: await loadPending(bus, checkout),
	occupancy: createOccupancy(checkout),
});

/** Facts that change only the wording of a wait, not whether there is one. */
const unlooked = (
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

type Surveyed = {readonly trace: Trace; readonly held: Holding | undefined};

/** Returns every trace, with what holds up a direct run of it. */
export const surveyTraces = async (context: ActionContext): Promise<readonly Surveyed[]> => {
	const ledger = await openLedger(context.bus);
	const held = (await readDecisions(context, ledger)).held();
	return [...ledger.traces().values()].map(trace => ({trace, held: held.get(trace.traceId)}));
};

/** The held traces, by trace id. */
export const heldIn = (surveyed: readonly Surveyed[]): ReadonlyMap<string, Holding> =>
	new Map(
		surveyed.flatMap(({trace: {traceId}, held}) => (held === undefined ? [] : [[traceId, held] as const])),
	);
