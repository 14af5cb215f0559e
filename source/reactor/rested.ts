import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {isOfInterest, mayBeRequest} from './interest.ts';
import {isOwed, type Pending} from './pending.ts';
import type {Projector} from './projector.ts';

/** Traces all of whose work is over: nothing is due to them until something is said of them. */
export type Rested = {
	/** Nothing was due to the trace as it is in this snapshot. */
	readonly add: (trace: Trace) => void;
	/** Something may be due to it at the next start. */
	readonly isLive: (trace: Trace) => boolean;
	/** Checkpoints were written: they may keep what is let go of. */
	readonly checkpointed: () => void;
	/** Lets go of traces that their checkpoints keep, where any were written since the last call. */
	readonly letGo: () => void;
};

type Kept = {
	readonly ledger: Pick<Ledger, 'snapshot' | 'forget'>;
	readonly pending: Pending;
	readonly projector: Pick<Projector, 'forget'>;
};

export const createRested = ({ledger, pending, projector}: Kept): Rested => {
	/** The sequence of each at which nothing was due to it. */
	const rested = new Map<string, number>();
	let isCheckpointed = false;
	const isLive = (trace: Trace): boolean =>
		isOwed(pending, trace.traceId) ||
		mayBeRequest(trace) ||
		(isOfInterest(trace) && rested.get(trace.traceId) !== trace.sequence);
	return {
		add: ({traceId, sequence}) => {
			rested.set(traceId, sequence);
		},
		isLive,
		checkpointed: () => {
			isCheckpointed = true;
		},
		letGo: () => {
			if (!isCheckpointed) return;
			isCheckpointed = false;
			for (const traceId of rested.keys()) {
				if (isLive(ledger.snapshot(traceId)) || !ledger.forget(traceId)) continue;
				projector.forget(traceId);
				rested.delete(traceId);
			}
		},
	};
};
