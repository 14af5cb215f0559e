import type {Trace} from '../domain/trace.ts';
import {isNoteOld} from '../ledger/issues.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {isOfInterest, mayBeRequest} from './interest.ts';
import {hasPending, type Pending} from './pending.ts';
import type {Projector} from './projector.ts';

/** Traces whose work is all over: nothing is due to them until a new event of theirs arrives. */
export type SettledTraces = {
	/** Records that nothing was due to the trace in this snapshot. */
	readonly add: (trace: Trace) => void;
	/** True if something may be due to the trace at the next start. */
	readonly isLive: (trace: Trace) => boolean;
	/** Records that checkpoints were written, so that traces can be unloaded. */
	readonly checkpointed: () => void;
	/** Unloads traces whose checkpoints are up to date, if any checkpoint was written since the last call. */
	readonly unload: () => void;
};

type SettledPorts = {
	readonly ledger: Pick<Ledger, 'snapshot' | 'forget'>;
	readonly pending: Pending;
	readonly projector: Pick<Projector, 'forget'>;
};

export const createSettledTraces = ({ledger, pending, projector}: SettledPorts): SettledTraces => {
	/** By trace: the sequence at which nothing was due to it. */
	const settled = new Map<string, number>();
	let isCheckpointed = false;
	const isLive = (trace: Trace): boolean =>
		hasPending(pending, trace.traceId) ||
		mayBeRequest(trace) ||
		isNoteOld(trace) ||
		(isOfInterest(trace) && settled.get(trace.traceId) !== trace.sequence);
	return {
		add: ({traceId, sequence}) => {
			settled.set(traceId, sequence);
		},
		isLive,
		checkpointed: () => {
			isCheckpointed = true;
		},
		unload: () => {
			if (!isCheckpointed) return;
			isCheckpointed = false;
			for (const traceId of settled.keys()) {
				if (isLive(ledger.snapshot(traceId)) || !ledger.forget(traceId)) continue;
				projector.forget(traceId);
				settled.delete(traceId);
			}
		},
	};
};
