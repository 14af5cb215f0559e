import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import {isCheckout} from '../../colony/known-checkouts.ts';
import {refusalOf} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {KnownMachine} from '../../domain/machine-status.ts';
import {takesSlot} from '../../domain/run.ts';
import {watchMachines} from '../../ledger/heartbeats.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import type {Host} from '../host.ts';
import type {OwnProcess} from '../own-process.ts';
import {pause} from '../pause.ts';
import {machineViews} from '../views/machines.ts';
import {openRunsOf} from '../views/run.ts';
import type {Connection} from './connection.ts';
import {isHandledBy} from './is-handled-by.ts';
import type {ColonyStatus, LiveColony} from './live.ts';

/** What a face needs to follow a colony. */
export type FollowOptions = {
	readonly context: ActionContext;
	/** The ledger up to the last event that was read; following folds later events into it. */
	readonly ledger: Ledger;
	readonly host: Host;
	/** Called after each change of the ledger, with the new events. */
	readonly listeners: Set<(events: readonly StoredEvent[]) => void>;
	/** The face's own reactor process, if it has one. */
	readonly ownReactor?: Pick<OwnProcess, 'pid' | 'isStarting'>;
	/**
	 * Called when the log was replaced by another and a person chose to continue with that one. Everything that
	 * is open still has the old log.
	 */
	readonly logTaken: () => void;
};

/** Maximum sequences before the end at which the Events tab begins. */
const maxShownEvents = 1000;

/**
 * Retry interval for a log that cannot be read. Also the poll interval for the reactor, which starts and ends
 * without an event.
 */
const pollIntervalMs = 1000;

/**
 * Follows the log from the position that the face has, and resumes there after the log was unreadable for a
 * while.
 */
export const followColony = async (
	{context: {bus, clock, colony}, ledger, listeners, host, logTaken}: FollowOptions,
	signal: AbortSignal,
	call: Parameters<LiveColony['follow']>[1],
	connection: Connection,
): Promise<void> => {
	const notify = (events: readonly StoredEvent[]): void => {
		call({traces: new Map(ledger.traces()), events});
		for (const listener of listeners) listener(events);
	};
	let after = Math.max(0, ledger.position() - maxShownEvents);
	const applyEvents = (events: readonly StoredEvent[]): void => {
		ledger.apply(events.filter(({sequence}) => sequence > ledger.position()));
		after = events.at(-1)?.sequence ?? after;
		notify(events);
	};
	notify([]);
	while (!signal.aborted) {
		try {
			// `follow` may yield nothing for long, so only this read shows that the log is readable.
			for await (const events of bus.read({after})) applyEvents(events);
			connection.reportFound();
			for await (const events of bus.follow({after, signal})) applyEvents(events);
			return;
		} catch (error) {
			connection.reportLost(error);
			await pause(clock, signal, pollIntervalMs);
			const isReplaced = refusalOf(error)?.code === 'log_replaced';
			if (isReplaced && (await canBeOpened(host.at(colony.root))) && !signal.aborted) return logTaken();
		}
	}
};

const canBeOpened = async (host: Host): Promise<boolean> => {
	try {
		await host.open();
		return true;
	} catch {
		return false;
	} finally {
		await host.close();
	}
};

/**
 * Reports which reactor works on the colony, whether the bus is reachable, and which checkouts share it.
 * Calls again after each change.
 */
export const watchReactor = async (
	{context, host, ledger, ownReactor}: FollowOptions,
	signal: AbortSignal,
	call: (status: ColonyStatus) => void,
	connection: Connection,
): Promise<void> => {
	let reactor: ColonyStatus['reactor'] | undefined;
	let readMachines = (): readonly KnownMachine[] => [];
	let lastStatus: ColonyStatus | undefined;
	let isThere = true;
	const publishStatus = (): void => {
		if (reactor === undefined || signal.aborted) return;
		const places = machineViews(readMachines(), context.checkout);
		const status = {
			...{reactor, bus: connection.state(), places, slots: slotsOf(context, ledger)},
			defaultBee: context.colony.defaults.defaultBee,
			...(isThere ? {} : {isGone: true as const}),
		};
		if (isDeepStrictEqual(status, lastStatus)) return;
		lastStatus = status;
		call(status);
	};
	connection.watch(signal, publishStatus);
	// While the checkouts cannot be read, the banner says why.
	if (context.bus.isShared)
		readMachines = watchMachines({...context, report: () => {}}, signal, publishStatus);
	while (!signal.aborted) {
		// A reactor with an unreadable answer counts as none.
		const status = await host.reactor().catch(() => undefined);
		// A root that cannot be examined counts as existing.
		isThere = await isCheckout(context.files, context.colony.root).catch(() => true);
		if (isHandledBy(status, undefined)) reactor = status?.pid === ownReactor?.pid() ? 'here' : 'elsewhere';
		else reactor = ownReactor?.isStarting() ? 'starting' : 'none';
		publishStatus();
		await pause(context.clock, signal, pollIntervalMs);
	}
};

const slotsOf = (
	{colony, checkout}: FollowOptions['context'],
	ledger: Ledger,
): NonNullable<ColonyStatus['slots']> => {
	const open = [...ledger.traces().values()].flatMap(trace => openRunsOf(trace, checkout));
	return {
		taken: open.filter(({run}) => takesSlot(run) && run.verifies === undefined).length,
		total: colony.defaults.maxParallelRuns,
	};
};
