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
 * What the reactors decide, for whoever stands beside them and reads the same log: that of this checkout, and
 * where checkouts share the log each on the traces that it has.
 */
export type Decisions = {
	readonly of: (trace: Trace, facts?: Partial<Pick<Machine, 'isAttended' | 'branchDiffers'>>) => Decision;
	/**
	 * Traces of which an event asks for a run that somebody or time has to help, and with what: no task may
	 * show it.
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
 * The facts of the machines as the log and the reactors' cursors have them now. A cursor may speak of events
 * that the ledger lacks: it is folded up to them.
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
				// Of a place that nobody works at what is shown is that, not what its reactor would decide.
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
		// The reactor drops them without a word on the log, and decides on what is left.
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

/** Of what keeps runs that events ask for, what a person can do most about. */
const holdingOf = ({outdated, waits}: Decision): Holding | undefined => {
	if (outdated !== undefined) return 'version';
	const kinds = new Set(waits.runs().flatMap(({reasons}) => reasons.map(reason => reason.for)));
	return holdings.find(holding => kinds.has(holding));
};

const newerThanThis = (place: SeenPlace): boolean => foldVersionOf(place) > foldVersion;

/** The hive that is newer than the one that works on a trace; nothing where a newer one will take it. */
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

/** What a checkout's reactor has before it, beside the log. */
const openDesk = async (bus: Bus, checkout: string) => ({
	pending: await loadPending(bus, checkout),
	occupancy: createOccupancy(checkout),
});

/** Facts that only make a difference to what is said, not to whether something is. */
const unlooked = (
	trace: Trace,
	invites: readonly PendingInvite[],
): Pick<Machine, 'invites' | 'files' | 'recalled'> => ({
	invites,
	files: new Map(reportedInvites(trace).map(({report}) => [report?.ref ?? '', false])),
	recalled: new Map(invites.map(({inviteId}) => [inviteId, ''])),
});

/** As `held`. Where nothing is asked for, and a reactor has looked or will, nothing else is read. */
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

/** Every trace, and what holds a run of it that an event asks for. */
export const surveyTraces = async (context: ActionContext): Promise<readonly Surveyed[]> => {
	const ledger = await openLedger(context.bus);
	const held = (await readDecisions(context, ledger)).held();
	return [...ledger.traces().values()].map(trace => ({trace, held: held.get(trace.traceId)}));
};

/** By trace, of those of which a run is held. */
export const heldIn = (surveyed: readonly Surveyed[]): ReadonlyMap<string, Holding> =>
	new Map(
		surveyed.flatMap(({trace: {traceId}, held}) => (held === undefined ? [] : [[traceId, held] as const])),
	);
