import type {Outcome} from '../domain/errors.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {ActionContext} from './context.ts';
import {finishMerge, type MergePorts} from './finish-merge.ts';
import {finishUpdate} from './finish-update.ts';

/**
 * `busy`: the process that began the merge is alive, so try again later. `over`: it is merged, or abandoned
 * for the reason in `outcome`.
 */
export type OpenMergeEnd =
	| {readonly merge: 'none' | 'busy'}
	| {readonly merge: 'over'; readonly outcome: Outcome<unknown>};

/**
 * Ends a merge whose process died (docs/reliability.md §4): completes it as claimed, or abandons it. A merge
 * whose process still holds the lock is left alone. A reactor calls this when it finds `trace.merge`. Any
 * process may repeat it.
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
		const {merge} = trace;
		if (merge === undefined || isElsewhere) return {merge: 'none'};
		const ended =
			merge.taskId === undefined ? finishUpdate(ports, trace, merge) : finishMerge(ports, trace, merge);
		return {merge: 'over', outcome: await ended};
	} finally {
		lock.release();
	}
};
