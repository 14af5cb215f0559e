import type {Ledger} from '../ledger/ledger.ts';
import type {ReactorPorts} from './ports.ts';
import type {Turns} from './turns.ts';

const retryMilliseconds = 1000;

/** Resolves when the log is folded and written down, nothing is under way, and no run of this checkout is open. */
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
		report('Whether the log is folded is not known; it is tried again.', error);
		clock.after(retryMilliseconds, turns.nudge);
		return false;
	}
};
