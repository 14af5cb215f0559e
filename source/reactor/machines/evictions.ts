import type {EvictedRun} from '../../dispatch/evict-runs.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {formatCount} from '../../domain/format-count.ts';
import {formatMachine} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import type {ReactorPorts} from '../ports.ts';

/**
 * Traces that were taken from this checkout while it was away, and of which runs may still be under way here.
 */
export type Evictions = {
	/** If the event takes a trace from here, ends the trace's runs. */
	readonly consider: (event: StoredEvent) => void;
	readonly isBusy: () => boolean;
	readonly close: () => void;
};

type Ports = Pick<ReactorPorts, 'checkout' | 'clock' | 'others' | 'report'> & {
	readonly trace: (traceId: string) => Trace;
	/** True if an effect of the reactor is under way for a run of the trace. Its runs are ended afterwards. */
	readonly isBusy: (trace: Trace) => boolean;
	readonly evictRuns: (trace: Trace) => Promise<readonly EvictedRun[]>;
	/** Called when nothing of the trace is under way here any more. */
	readonly done: (traceId: string) => void;
};

const busyRetryMs = 100;
const retryMs = 5000;

export const createEvictions = (ports: Ports): Evictions => {
	const {checkout, clock, others, report, evictRuns: handOver, done} = ports;
	const leaving = new Set<string>();
	let isClosed = false;

	const evict = async (traceId: string): Promise<void> => {
		const ended = await handOver(ports.trace(traceId));
		leaving.delete(traceId);
		const message = formatEviction(ports.trace(traceId), ended);
		if (message !== undefined) report(message);
		done(traceId);
	};
	const nameCheckout = (place: string): string => {
		const machine = others?.().find(other => other.checkout === place);
		return machine === undefined ? `the checkout ${place}` : formatMachine(machine);
	};
	const formatEviction = ({traceId, place = checkout, purged}: Trace, ended: readonly EvictedRun[]) => {
		// The trace is back, or was purged here.
		if (ended.length === 0 && (place === checkout || purged !== undefined)) return undefined;
		const how = purged === undefined ? `was taken by ${nameCheckout(place)}` : 'was purged';
		return `The trace ${traceId} ${how}${formatEndedRuns(ended)}`;
	};
	const tryToEvict = (traceId: string): void => {
		const retryAfter = (delayMs: number) =>
			clock.after(delayMs, () => {
				if (!isClosed) tryToEvict(traceId);
			});
		if (ports.isBusy(ports.trace(traceId))) return void retryAfter(busyRetryMs);
		evict(traceId).catch((error: unknown) => {
			if (isClosed) return;
			report(`The runs of ${traceId} here could not be ended, though it belongs to another checkout.`, error);
			retryAfter(retryMs);
		});
	};

	return {
		consider: ({traceId, payload: {kind, from, place}}) => {
			const isTaken = kind === 'trace.taken' && from === checkout && place !== checkout;
			if (!(isTaken || kind === 'trace.purged') || leaving.has(traceId)) return;
			leaving.add(traceId);
			// The event is folded by then.
			queueMicrotask(() => tryToEvict(traceId));
		},
		isBusy: () => leaving.size > 0,
		close: () => {
			isClosed = true;
		},
	};
};

const formatEndedRuns = (ended: readonly EvictedRun[]): string => {
	if (ended.length === 0) return '; nothing of it was under way here.';
	const kept = ended.filter(({isKept}) => isKept).map(({agentId}) => `"hive restore ${agentId}"`);
	const left =
		kept.length === 0 ? 'nothing is kept of it' : `what that changed is kept for ${kept.join(', ')}`;
	return `: ${formatCount(ended.length, 'run')} ended here, ${left}.`;
};
