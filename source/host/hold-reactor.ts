import {refusalOf} from '../domain/errors.ts';
import type {Bus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Host, LiveReactor, ReactorStatus} from './host.ts';
import {isHandledBy} from './live/is-handled-by.ts';

/** This checkout's reactor, of this or another process. This process takes over as soon as the other ends. */
export type HeldReactor = {
	/** Resolves when the reactor's holder is idle, if it works on everything that is wanted here. */
	readonly idle: Promise<void>;
	/** Resolves after `close`. Rejects when our reactor can no longer follow the log. */
	readonly over: Promise<void>;
	readonly close: () => Promise<void>;
};

type HoldReactorOptions = {
	readonly bus: Pick<Bus, 'address' | 'watchConnection'>;
	readonly clock: Clock;
	readonly only: string | undefined;
	readonly report: (message: string) => void;
	readonly signal: AbortSignal;
	/** Called when this process has the reactor. */
	readonly taken?: () => void;
};

/**
 * Poll interval for another process's reactor: is it idle or gone? The kernel frees its lock without notice.
 */
const pollIntervalMs = 300;

/** Time in which a process that has just taken the lock answers. */
const answerTimeoutMs = 3000;

export const holdReactor = (
	host: Host,
	{bus, clock, only, report, signal, taken}: HoldReactorOptions,
): HeldReactor => {
	let own: LiveReactor | undefined;
	let isReported = false;
	const isConnected = reportOutages(bus, signal, report);
	const noteAnswer = createAnswerMonitor(clock, report);

	/**
	 * Resolves when our reactor or the other one is idle. Keeps trying to take the lock until the signal is
	 * aborted.
	 */
	const hold = async (onIdle: () => void): Promise<void> => {
		while (!signal.aborted) {
			// If the bus goes away just as the other reactor ends, wait for the bus, as that reactor would have.
			own = await host.react({only, report}).catch((error: unknown) => {
				if (isConnected() || refusalOf(error)?.code !== 'bus_unreachable') throw error;
				return undefined;
			});
			if (own !== undefined && signal.aborted) return own.close();
			if (own !== undefined) {
				taken?.();
				void own.idle().then(onIdle, () => {});
				return own.over;
			}
			const other = await host.reactor();
			if (other?.idle && isHandledBy(other, only)) onIdle();
			if (other !== undefined && !isReported) report(formatOtherReactor(other, only));
			isReported = other !== undefined;
			noteAnswer(isReported);
			await new Promise<void>(resolve => clock.after(pollIntervalMs, resolve));
		}
	};

	let over: Promise<void> = Promise.resolve();
	const idle = new Promise<void>(resolve => {
		over = hold(resolve);
	});
	return {
		idle,
		over,
		close: async () => {
			await own?.close();
			await over.catch(() => {});
		},
	};
};

/**
 * Reports when the bus goes away and when it comes back. Returns a function that tells whether it is
 * connected.
 */
const reportOutages = (
	{address, watchConnection}: HoldReactorOptions['bus'],
	signal: AbortSignal,
	report: HoldReactorOptions['report'],
): (() => boolean) => {
	let wasThere = true;
	watchConnection(signal, isThere => {
		if (isThere === wasThere) return;
		wasThere = isThere;
		report(
			isThere
				? `The bus at ${address} can be reached again; waiting work goes on.`
				: `The connection to the bus at ${address} is lost. Runs go on, but nothing is started or recorded until the bus can be reached again.`,
		);
	});
	return () => wasThere;
};

const formatOtherReactor = (other: ReactorStatus, only: string | undefined): string => {
	const where = `The reactor of this checkout runs in another process (pid ${other.pid})`;
	return isHandledBy(other, only)
		? `${where}; following it.`
		: `${where}, for trace ${other.only} only; waiting for it to end.`;
};

/** Takes whether the other reactor answered. Reports once when there was no answer for too long. */
const createAnswerMonitor = (
	clock: Clock,
	report: (message: string) => void,
): ((isAnswered: boolean) => void) => {
	let since: number | undefined;
	let hasReported = false;
	return isAnswered => {
		since = isAnswered ? undefined : (since ?? clock.elapsed());
		if (hasReported || since === undefined || clock.elapsed() - since < answerTimeoutMs) return;
		hasReported = true;
		report(
			'Another process has the reactor of this checkout, but does not answer. It may be suspended; waiting for it.',
		);
	};
};
