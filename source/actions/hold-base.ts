import {type RecordedBase, readRecordedBase} from '../ledger/recorded-base.ts';
import {holdBase} from '../workspaces/merge/base.ts';
import type {ActionContext} from './context.ts';

/** Before anything asks git where a trace lands: what the log says of it, which git then says too. */
export const holdRecordedBase = async (
	{bus, git, colony}: Pick<ActionContext, 'bus' | 'git' | 'colony'>,
	traceId: string,
): Promise<RecordedBase | undefined> => {
	const base = await readRecordedBase(bus, traceId);
	if (base !== undefined) await holdBase(git, colony.root, traceId, base);
	return base;
};
