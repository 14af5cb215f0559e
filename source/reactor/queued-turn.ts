import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {isUnfinished, isWaiting} from './interest.ts';
import type {OtherMachines} from './machines/other-machines.ts';
import {hasPending, type Pending} from './pending.ts';
import type {SettledTraces} from './settled-traces.ts';
import type {SlotQueue} from './slot-queue.ts';
import type {TakeTurn} from './take-turn.ts';
import type {TurnPorts} from './turns.ts';

type Parts = {
	readonly checkout: string;
	readonly ledger: Pick<Ledger, 'snapshot'>;
	readonly pending: Pending;
	readonly otherMachines: Pick<OtherMachines, 'newer'>;
	readonly slotQueue: SlotQueue;
	readonly settledTraces: Pick<SettledTraces, 'add'>;
	readonly takeTurn: TakeTurn;
};

/**
 * A turn that queues its trace for a slot while it runs. The trace stays in the queue as long as it waits for
 * one.
 */
export const createQueuedTurn = (parts: Parts): TurnPorts['turn'] => {
	const {checkout, ledger, pending, otherMachines, slotQueue, settledTraces, takeTurn} = parts;
	const isOver = (idle: Trace): boolean =>
		(idle.place ?? checkout) === checkout &&
		// Work that only a newer hive may do is still due.
		otherMachines.newer() === undefined &&
		!isUnfinished(idle);
	return async (traceId, onRead) => {
		const before = ledger.snapshot(traceId).runs.size;
		// Queue before the decision, so that a slot that becomes free meanwhile counts for this trace too.
		slotQueue.add(traceId);
		const idle = await takeTurn(traceId, onRead)
			.catch((error: unknown) => {
				// The turn is retried, but not because of a free slot.
				slotQueue.remove(traceId);
				throw error;
			})
			.finally(() => slotQueue.considered(traceId));
		if (idle !== undefined && isOver(idle)) settledTraces.add(idle);
		const trace = ledger.snapshot(traceId);
		if (!hasPending(pending, traceId) && !isWaiting(trace)) slotQueue.remove(traceId);
		else if (trace.runs.size > before) slotQueue.served(traceId);
	};
};
