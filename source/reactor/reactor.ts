import {verificationOf} from '../dispatch/landing-check.ts';
import {serialize} from '../domain/serial-queue.ts';
import {ensureCursor} from '../ledger/cursors.ts';
import {type Ledger, openLiveLedger} from '../ledger/ledger.ts';
import {runDirectory} from '../runs/layout.ts';
import {createConsiderEvent} from './consider-event.ts';
import {followLog} from './follow-log.ts';
import {isDone, untilIdle} from './idle.ts';
import {isOfInterest} from './interest.ts';
import {createLander} from './landings/lander.ts';
import {createEvictions} from './machines/evictions.ts';
import {createOtherMachines, type Slots} from './machines/other-machines.ts';
import {createPlacement} from './machines/placement.ts';
import {createOccupancy} from './occupancy.ts';
import {loadPending} from './pending.ts';
import {createPerformer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import {createProjector} from './projector.ts';
import {createQueuedTurn} from './queued-turn.ts';
import {reconcileLog} from './reconcile-log.ts';
import {createRecords} from './records.ts';
import {createRequests} from './requests.ts';
import {createRunWatch} from './run-watch.ts';
import {createSending} from './sending.ts';
import {createSettledTraces} from './settled-traces.ts';
import {createSlotQueue} from './slot-queue.ts';
import {createTakeTurn} from './take-turn.ts';
import {createTurns} from './turns.ts';

/** Watches the log and does what is due, until it is closed. */
export type Reactor = {
	/**
	 * Without traces that were over when it started. A trace that ends later is unloaded once its checkpoint is
	 * written.
	 */
	readonly ledger: Ledger;
	/** Resolves when it is closed; rejects if the log can no longer be followed. */
	readonly over: Promise<void>;
	readonly isIdle: () => boolean;
	readonly slots: () => Slots;
	/**
	 * Resolves when the log is folded, nothing is due that could be done now, and no run of this checkout is
	 * open.
	 */
	readonly idle: () => Promise<void>;
	/** Call when the configuration has changed: traces that wait are considered again. */
	readonly reconsider: () => void;
	/**
	 * Call when the other places or their versions of hive have changed: every trace that may have something
	 * due is considered again.
	 */
	readonly machinesChanged: () => void;
	/** Stops the reactor; runs continue without it. */
	readonly close: () => Promise<void>;
};

export const startReactor = async (ports: ReactorPorts): Promise<Reactor> => {
	const {bus, colony, checkout, clock} = ports;
	const over = new AbortController();
	const {signal} = over;
	// Join before claiming anything. From then on this checkout owns what it defers, even if it crashes before
	// it writes that down.
	await ensureCursor(bus, checkout);
	// In this order: the pending requests refer to events that the ledger must have.
	const pending = await loadPending(bus, checkout);
	const ledger = await openLiveLedger(bus);

	const occupancy = createOccupancy(checkout);
	const slots = (): Slots => {
		const {maxParallelRuns: total} = colony().defaults;
		return {free: Math.max(0, total - occupancy.open()), total};
	};
	const otherMachines = createOtherMachines({...ports, slots});
	const projector = createProjector(ports);
	const settledTraces = createSettledTraces({ledger, pending, projector});

	const slotQueue = createSlotQueue(() => slots().free);
	const requests = createRequests(ports.only, traceId => turns.request(traceId));
	const {request} = requests;
	const freed = (): void => {
		slotQueue.freed();
		turns.notify();
	};
	const watch = createRunWatch({
		...ports,
		directoryOf: (traceId, agentId) => runDirectory(colony().root, traceId, agentId),
		timeoutOf: (traceId, run) =>
			run.verifies === undefined
				? colony().bees.get(run.bee)?.timeout
				: verificationOf(colony(), ledger.snapshot(traceId), run)?.timeout,
		follow: (traceId, ...following) => ports.dispatcher.follow(ledger.snapshot(traceId), ...following),
		changed: request,
	});
	const lander =
		ports.landings === undefined
			? undefined
			: createLander({
					...ports,
					landings: ports.landings,
					ledger,
					claimed: watch.claimed,
					request,
					rested: () => turns.notify(),
				});
	const performer = createPerformer({...ports, ledger, watch, pending});
	const placement = createPlacement({clock, checkout, request, candidates: otherMachines.candidates, signal});
	const evictions = createEvictions({
		...ports,
		trace: ledger.snapshot,
		isBusy: ({runs}) => [...runs.keys()].some(watch.isBusyWith),
		evictRuns: ports.dispatcher.evictRuns,
		done: request,
	});
	const takeTurn = createTakeTurn({
		...ports,
		// One at a time, since each starts about a dozen git processes and the machine has other work too.
		branchDiffers: serialize(ports.branchDiffers),
		...{ledger, pending, occupancy, watch, performer, request, freed, signal},
		assignedTo: placement.assignedTo,
		newer: otherMachines.newer,
		isUnwanted: agentId => lander?.isUnwanted(agentId) ?? false,
	});
	const records = createRecords({
		...ports,
		ledger,
		pending,
		projector,
		evictions,
		otherMachines,
		settledTraces,
	});
	const turns = createTurns({
		...{clock, report: ports.report},
		turn: createQueuedTurn({checkout, ledger, pending, otherMachines, slotQueue, settledTraces, takeTurn}),
		overdue: slotQueue.next,
		flush: records.save,
	});

	const consider = createConsiderEvent({...ports, ledger, pending, evictions, projector});
	const known = {...ports, ledger, pending, occupancy, projector, consider, turns};
	await reconcileLog({...known, requests});
	const following = followLog({
		...known,
		changed: lander?.changed,
		performer,
		evictions,
		settledTraces,
		request,
		freed,
		signal,
	}).finally(() => {
		over.abort();
		performer.close();
	});

	const sending = createSending(ports, {ledger, notify: turns.notify});
	const work = {
		only: ports.only,
		ledger,
		occupancy,
		turns,
		watch,
		placement,
		evictions,
		lander,
		isSending: sending.isBusy,
		signal,
	};
	return {
		ledger,
		slots,
		isIdle: () => isDone(work) && turns.isSettled(),
		over: following,
		idle: () => untilIdle(ports, {ledger, turns, isIdle: () => isDone(work)}),
		reconsider: () => {
			for (const trace of ledger.traces().values()) occupancy.update(trace, colony());
			for (const traceId of slotQueue.all()) request(traceId);
			lander?.notify();
			turns.notify();
		},
		machinesChanged: () => {
			for (const trace of ledger.traces().values()) if (isOfInterest(trace)) request(trace.traceId);
			turns.notify();
		},
		close: async () => {
			over.abort();
			performer.close();
			evictions.close();
			sending.close();
			watch.close();
			await lander?.close();
			await turns.close();
			await following.catch(() => {});
			await records.checkpointAll();
		},
	};
};
