import type {Ledger} from '../ledger/ledger.ts';
import {dueAtForge} from '../ledger/pull-requests.ts';
import type {ReactorPorts} from './ports.ts';

/**
 * Milliseconds for which a request that is not at its forge yet keeps a reactor from being idle. The forge is
 * out of reach then, and the next reactor sends the request.
 */
export const maxSendMs = 5 * 60_000;

export type Sending = {
	/** True if a request of this checkout may still be sent in time. */
	readonly isBusy: () => boolean;
	readonly close: () => void;
};

/** @param notify called once the time of a request is over */
export const createSending = (
	{clock, colony, checkout, only}: Pick<ReactorPorts, 'clock' | 'colony' | 'checkout' | 'only'>,
	{ledger, notify}: {readonly ledger: Pick<Ledger, 'traces'>; readonly notify: () => void},
): Sending => {
	/** Times of the monotonic clock, by trace. */
	const since = new Map<string, number>();
	let stop = (): void => {};

	const dueTraces = (): ReadonlySet<string> => {
		const {forge} = colony();
		const due = new Set<string>();
		if (forge === undefined) return due;
		for (const trace of ledger.traces().values()) {
			const {traceId, place} = trace;
			const isOurs = (place ?? checkout) === checkout && (only === undefined || only === traceId);
			if (isOurs && dueAtForge(trace, forge) === 'send') due.add(traceId);
		}
		return due;
	};

	return {
		isBusy: () => {
			const due = dueTraces();
			const now = clock.elapsed();
			for (const traceId of since.keys()) if (!due.has(traceId)) since.delete(traceId);
			for (const traceId of due) if (!since.has(traceId)) since.set(traceId, now);
			stop();
			const leftMs = Math.max(...since.values()) + maxSendMs - now;
			if (leftMs <= 0 || since.size === 0) return false;
			stop = clock.after(leftMs, notify);
			return true;
		},
		close: () => stop(),
	};
};
