import type {Outcome} from '../domain/errors.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {ActionContext} from './context.ts';
import {finishMerge, type MergePorts} from './finish-merge.ts';
import {finishUpdate} from './finish-update.ts';

/**
 * `busy`: its maker is alive, ask again later. `over`: it is merged, or abandoned for the reason in
 * `outcome`.
 */
export type OpenMergeEnd =
	| {readonly merge: 'none' | 'busy'}
	| {readonly merge: 'over'; readonly outcome: Outcome<unknown>};

/**
 * Ends a merge whose maker died (docs/reliability.md §4): made as it was claimed, or abandoned. One that is
 * being made is left alone: its maker has the lock. For a reactor that finds `trace.merge`, and may be
 * repeated by anyone.
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
