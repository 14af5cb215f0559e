import type {Outcome} from '../domain/errors.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {Approved} from './approval.ts';
import type {ActionContext} from './context.ts';
import {finishMerge, type MergePorts} from './finish-merge.ts';

/** `busy`: its maker is alive, ask again later. `over`: it is merged, or abandoned for the reason in `outcome`. */
export type OpenMergeEnd =
	| {readonly merge: 'none' | 'busy'}
	| {readonly merge: 'over'; readonly outcome: Outcome<Approved>};

/**
 * Ends a merge whose maker died (docs/reliability.md §4): merged as it was claimed, or abandoned. A merge that is being made is
 * left alone: its maker has the lock. For a reactor that finds `trace.merge`, and may be repeated by anyone.
 */
export const finishOpenMerge = async (
	ports: MergePorts & Pick<ActionContext, 'mergeLock'>,
	traceId: string,
): Promise<OpenMergeEnd> => {
	const lock = ports.mergeLock();
	if (!lock.take()) return {merge: 'busy'};
	try {
		const trace = await loadTrace(ports.bus, traceId);
		const isElsewhere = trace.place !== undefined && trace.place !== ports.checkout;
		if (trace.merge === undefined || isElsewhere) return {merge: 'none'};
		return {merge: 'over', outcome: await finishMerge(ports, trace, trace.merge)};
	} finally {
		lock.release();
	}
};
