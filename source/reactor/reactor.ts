import {verifyOf} from '../colony/verification.ts';
import type {StoredEvent} from '../domain/event.ts';
import {badIdIn} from '../domain/event-ids.ts';
import {isName} from '../domain/ids.ts';
import {foldVersionOf, newerHive, type Place, type SeenPlace} from '../domain/place.ts';
import {serialize} from '../domain/serial-queue.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {foldVersion} from '../ledger/checkpoint.ts';
import {join} from '../ledger/cursors.ts';
import {type Ledger, openLiveLedger} from '../ledger/ledger.ts';
import {runDirectory} from '../runs/layout.ts';
import {type Adoption, adopt, readAdoptions, takingsOf} from './adoption.ts';
import {createDepartures} from './hand-over.ts';
import {untilIdle} from './idle.ts';
import {isOfInterest, isUnfinished, isWaiting, mayBeRequest} from './interest.ts';
import {createOccupancy} from './occupancy.ts';
import {consider, loadPending} from './pending.ts';
import {createPerformer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import {createProjector} from './projector.ts';
import {createRunWatch} from './run-watch.ts';
import {createShareOut} from './share-out.ts';
import {createTakeTurn} from './take-turn.ts';
import {createTurns} from './turns.ts';
import {createWaiting} from './waiting.ts';

/** Runs that could be started now, and how many may be open at a time. */
type Slots = Pick<Place, 'free' | 'total'>;

/** Watches the log and does what is due, until it is closed. */
export type Reactor = {
	/** Without traces that are over: those that were before it started, or whose checkpoints were written since. */
	readonly ledger: Ledger;
	/** Resolves when it is closed; rejects when the log cannot be followed any more. */
	readonly over: Promise<void>;
	readonly isIdle: () => boolean;
	readonly slots: () => Slots;
	/** Resolves when the log is folded, nothing is due that could be done now, and no run of this checkout is open. */
	readonly idle: () => Promise<void>;
	/** The configuration is another: what waits is looked at again. */
	readonly reconsider: () => void;
	/** The hives of the other places are others: every trace that may have something due is looked at again. */
	readonly placesChanged: () => void;
	/** Lets go; runs go on without it. */
	readonly close: () => Promise<void>;
};

export const startReactor = async (ports: ReactorPorts): Promise<Reactor> => {
	const {bus, colony, checkout, clock, reach} = ports;
	// The checkpoints of a log that is shared are for others to read too, so they follow each event.
	const checkpointEvery = ports.checkpointEvery ?? (bus.isShared ? 1 : 200);
	const thrift = {worthOfEvent: bus.isShared ? 250 : 4, isOurs: ({place}: Trace) => !isAliveElsewhere(place)};
	const over = new AbortController();
	// Before it claims anything: what it puts off is its own from then on, also when it dies before it writes that down.
	await join(bus, checkout);
	// In this order: what is pending speaks of events that the ledger must have.
	const pending = await loadPending(bus, checkout);
	const ledger = await openLiveLedger(bus);
	const occupancy = createOccupancy(checkout);
	const projector = createProjector(ports);
	const slots = (): Slots => {
		const {maxParallelRuns: total} = colony().defaults;
		return {free: Math.max(0, total - occupancy.open()), total};
	};
	const waiting = createWaiting(() => slots().free);
	/** Traces all of whose work is over, and the sequence at which nothing was due to them: until something is said of them nothing is. */
	const rested = new Map<string, number>();
	let checkpointed = ledger.position();
	/** Checkpoints were written since traces were last let go of. */
	let isCheckpointed = false;

	const writeDown = async (): Promise<void> => {
		const cursor = pending.cursor();
		await projector.flush();
		// Until then the next start looks again.
		if (!departures.isBusy()) await pending.save(cursor);
		reach('cursor.saved');
		if (ledger.position() - checkpointed < checkpointEvery) return;
		await checkpoint(true);
	};
	const checkpoint = async (isThrifty: boolean): Promise<void> => {
		reach('checkpoint.due');
		checkpointed = ledger.position();
		await ledger.checkpoint(isLive, isThrifty ? thrift : undefined);
		isCheckpointed = true;
		reach('checkpoint.written');
	};
	const aliveElsewhere = (): readonly SeenPlace[] =>
		ports.others?.().filter(place => place.isAlive && place.checkout !== checkout) ?? [];
	const isAliveElsewhere = (place: string | undefined): boolean =>
		place !== undefined && aliveElsewhere().some(other => other.checkout === place);
	const newer = () => newerHive(ports.others?.() ?? [], {checkout, foldVersion});
	const isOwed = (traceId: string): boolean =>
		pending.of(traceId).length > 0 || pending.invitesOf(traceId).length > 0;
	const isLive = (trace: Trace): boolean =>
		isOwed(trace.traceId) ||
		mayBeRequest(trace) ||
		(isOfInterest(trace) && rested.get(trace.traceId) !== trace.sequence);
	/** What is over is kept by its checkpoint alone. Not while its events are under way: they are folded into what is loaded. */
	const letGo = (): void => {
		if (!isCheckpointed || departures.isBusy()) return;
		isCheckpointed = false;
		for (const traceId of rested.keys()) {
			if (isLive(ledger.snapshot(traceId)) || !ledger.forget(traceId)) continue;
			projector.forget(traceId);
			rested.delete(traceId);
		}
	};
	const turn = async (traceId: string, looking: () => void): Promise<void> => {
		const before = ledger.snapshot(traceId).runs.size;
		// A slot that falls free while it is decided on is for it too.
		waiting.add(traceId);
		const idle = await takeTurn(traceId, looking)
			.catch((error: unknown) => {
				// It is tried again, but not because of a place.
				waiting.remove(traceId);
				throw error;
			})
			.finally(() => waiting.looked(traceId));
		const isHere = idle !== undefined && (idle.place ?? checkout) === checkout;
		// What a newer hive keeps from it is due all the same.
		if (isHere && newer() === undefined && !isUnfinished(idle)) rested.set(traceId, idle.sequence);
		const trace = ledger.snapshot(traceId);
		if (!isOwed(traceId) && !isWaiting(trace)) waiting.remove(traceId);
		else if (trace.runs.size > before) waiting.served(traceId);
	};
	const turns = createTurns({clock, report: ports.report, turn, overdue: waiting.next, rest: writeDown});
	const freed = (): void => {
		waiting.freed();
		turns.nudge();
	};
	/** Asked for before the log is surveyed: what it asks for comes before the tasks that would go on without it. */
	let early: Set<string> | undefined = new Set();
	const request = (traceId: string): void => {
		if (!isName(traceId) || (ports.only !== undefined && ports.only !== traceId)) return;
		if (early === undefined) turns.request(traceId);
		else early.add(traceId);
	};
	const watch = createRunWatch({
		...ports,
		directoryOf: (traceId, agentId) => runDirectory(colony().root, traceId, agentId),
		timeoutOf: ({bee, verifies}) =>
			verifies === undefined ? colony().bees.get(bee)?.timeout : verifyOf(colony(), verifies)?.timeout,
		changed: request,
	});
	const performer = createPerformer({...ports, ledger, watch, pending});
	const shareOut = createShareOut({
		...{clock, checkout, request},
		places: () => {
			const others = aliveElsewhere();
			if (others.length === 0) return [];
			const all = [...others, {checkout, foldVersion, only: ports.only, ...slots()}];
			// An older hive takes nothing.
			const newest = Math.max(...all.map(foldVersionOf));
			return all.filter(place => foldVersionOf(place) === newest);
		},
		signal: over.signal,
	});
	const takeTurn = createTakeTurn({
		...ports,
		// Each is a dozen git: the machine is for others too.
		branchDiffers: serialize(ports.branchDiffers),
		ledger,
		pending,
		occupancy,
		watch,
		performer,
		leftTo: shareOut.leftTo,
		newer,
		request,
		freed,
		signal: over.signal,
	});

	const departures = createDepartures({
		...ports,
		trace: ledger.snapshot,
		isBusy: ({runs}) => [...runs.keys()].some(watch.isBusyWith),
		handOver: ports.dispatcher.handOver,
		done: request,
	});

	const adoptIn = (
		adoptions: ReadonlyMap<number, readonly Adoption[]> | undefined,
		{traceId, sequence}: StoredEvent,
	): void => {
		for (const adoption of adoptions?.get(sequence) ?? [])
			adopt(pending, adoption, ledger.snapshot(traceId), colony());
	};
	/** Nothing is done for an event with a bad id, which the ledger leaves out; it is reported once. */
	const look = (event: StoredEvent, adoptions?: ReadonlyMap<number, readonly Adoption[]>): void => {
		const {sequence, traceId} = event;
		const flaw = badIdIn(event);
		if (flaw === undefined) adoptIn(adoptions, event);
		else if (sequence > pending.considered())
			ports.report(
				`Event ${sequence} of the log is left out: ${flaw}. "hive bus verify" names all such events.`,
			);
		consider(pending, event, ledger.snapshot(traceId), colony());
		if (flaw === undefined) departures.consider(event);
		projector.reached(event);
	};
	const fold = (
		events: readonly StoredEvent[],
		adoptions?: ReadonlyMap<number, readonly Adoption[]>,
	): void => {
		const changed = [...ledger.apply(events)].map(([, {trace}]) => trace);
		for (const trace of changed) {
			if (occupancy.update(trace, colony())) freed();
			projector.changed(trace);
		}
		ports.slotsChanged?.();
		for (const trace of changed) {
			if (!pending.concerns(trace)) pending.leave(trace.traceId);
			request(trace.traceId);
		}
		for (const event of events) {
			look(event, adoptions);
		}
		performer.folded();
		turns.nudge();
	};
	const survey = async (): Promise<void> => {
		for (const trace of ledger.traces().values()) {
			occupancy.update(trace, colony());
			if (isOfInterest(trace)) projector.changed(trace);
		}
		for await (const events of bus.read({after: pending.considered()})) {
			const folded = events.filter(({sequence}) => sequence <= ledger.position());
			await ledger.load(folded.map(({traceId}) => traceId));
			const adoptions = await readAdoptions(bus, takingsOf(checkout, folded));
			for (const event of folded) {
				const trace = ledger.traces().get(event.traceId);
				if (trace !== undefined) projector.changed(trace);
				look(event, adoptions);
			}
		}
		await ledger.load(pending.traces());
		for (const traceId of pending.traces())
			if (!pending.concerns(ledger.snapshot(traceId))) pending.leave(traceId);
		const asked = early ?? [];
		early = undefined;
		for (const traceId of asked) request(traceId);
		for (const trace of ledger.traces().values()) if (isOfInterest(trace)) request(trace.traceId);
		for (const traceId of pending.traces()) request(traceId);
		turns.nudge();
	};
	const follow = async (): Promise<void> => {
		for await (const events of bus.follow({after: ledger.position(), signal: over.signal})) {
			await ledger.load(events.map(({traceId}) => traceId));
			const takings = takingsOf(checkout, events);
			const adoptions = takings.length === 0 ? undefined : await readAdoptions(bus, takings);
			// A bee that was written before an event reacts to it.
			await ports.caughtUp?.();
			fold(events, adoptions);
			letGo();
		}
	};

	await survey();
	const following = follow().finally(() => {
		over.abort();
		performer.close();
	});
	// A session may take days, and whoever is in it knows; only what begins or ends it is waited for.
	const openHere = () =>
		ports.only === undefined
			? occupancy.open()
			: openRuns(ledger.snapshot(ports.only)).filter(({interactive}) => !interactive).length;
	// Once it is closed nobody knows what is left.
	const isDone = () =>
		!over.signal.aborted &&
		turns.isQuiet() &&
		openHere() === 0 &&
		!watch.isBusy() &&
		!shareOut.isWaiting() &&
		!departures.isBusy();
	return {
		ledger,
		slots,
		isIdle: () => isDone() && turns.isSettled(),
		over: following,
		idle: () => untilIdle(ports, {ledger, turns, isIdle: isDone}),
		reconsider: () => {
			for (const trace of ledger.traces().values()) occupancy.update(trace, colony());
			for (const traceId of waiting.all()) request(traceId);
			turns.nudge();
		},
		placesChanged: () => {
			for (const trace of ledger.traces().values()) if (isOfInterest(trace)) request(trace.traceId);
			turns.nudge();
		},
		close: async () => {
			over.abort();
			performer.close();
			departures.close();
			watch.close();
			await turns.close();
			await following.catch(() => {});
			await checkpoint(false);
		},
	};
};
