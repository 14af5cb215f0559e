import type {TraceBase} from '../domain/trace-base.ts';
import {readRecordedBase} from '../ledger/recorded-base.ts';
import {holdBase} from '../workspaces/merge/base.ts';
import type {ActionContext} from './context.ts';

/** Makes git's record of a trace's base equal to the log's. Call it before git is asked for the base. */
export const holdRecordedBase = async (
	{bus, git, colony}: Pick<ActionContext, 'bus' | 'git' | 'colony'>,
	traceId: string,
): Promise<TraceBase | undefined> => {
	const base = await readRecordedBase(bus, traceId);
	if (base !== undefined) await holdBase(git, colony.root, traceId, base);
	return base;
};
