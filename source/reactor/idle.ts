import {openRuns} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Lander} from './landings/lander.ts';
import type {Evictions} from './machines/evictions.ts';
import type {Placement} from './machines/placement.ts';
import type {Occupancy} from './occupancy.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';
import type {Turns} from './turns.ts';

type Work = {
	/** The only trace to work on; all traces if absent. */
	readonly only: string | undefined;
	readonly ledger: Pick<Ledger, 'snapshot'>;
	readonly occupancy: Pick<Occupancy, 'open'>;
	readonly turns: Pick<Turns, 'isQuiet'>;
	readonly watch: Pick<RunWatch, 'isBusy'>;
	readonly placement: Pick<Placement, 'isWaiting'>;
	readonly evictions: Pick<Evictions, 'isBusy'>;
	readonly lander: Pick<Lander, 'isBusy'> | undefined;
	/** True if an approved request of this checkout is not at the forge yet, and may be soon. */
	readonly isSending: () => boolean;
	/** Aborted when the reactor has ended. */
	readonly signal: AbortSignal;
};

/**
 * True if nothing is under way or due and no run of this checkout is open. False for a closed reactor, whose
 * state is no longer current.
 */
export const isDone = (work: Work): boolean =>
	!work.signal.aborted &&
	work.turns.isQuiet() &&
	countOpenRuns(work) === 0 &&
	!work.watch.isBusy() &&
	!work.placement.isWaiting() &&
	!work.evictions.isBusy() &&
	!work.lander?.isBusy() &&
	!work.isSending();

/** An open session does not count, since it may take days. Only beginning and ending it are waited for. */
const countOpenRuns = ({only, ledger, occupancy}: Work): number =>
	only === undefined
		? occupancy.open()
		: openRuns(ledger.snapshot(only)).filter(({interactive}) => !interactive).length;

const retryMs = 1000;

/**
 * Resolves when the log is folded and its state saved, nothing is under way, and no run of this checkout is
 * open.
 */
export const untilIdle = async (
	ports: Pick<ReactorPorts, 'bus' | 'clock' | 'report'>,
	{ledger, turns, isIdle}: {ledger: Ledger; turns: Turns; isIdle: () => boolean},
): Promise<void> => {
	for (;;) {
		await turns.quiet();
		if ((await isCaughtUp(ports, ledger, turns)) && isIdle()) {
			await turns.settled();
			if (isIdle()) return;
		} else await turns.next();
	}
};

const isCaughtUp = async (
	{bus, clock, report}: Pick<ReactorPorts, 'bus' | 'clock' | 'report'>,
	ledger: Ledger,
	turns: Turns,
): Promise<boolean> => {
	try {
		const last = await bus.last();
		return ledger.position() >= last;
	} catch (error) {
		report('hive could not check whether the log is read to its end; hive tries again.', error);
		clock.after(retryMs, turns.notify);
		return false;
	}
};
