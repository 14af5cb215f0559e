import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Bus} from '../ports/bus.ts';
import {openLedger} from './ledger.ts';

/** A run with its trace. */
export type FoundRun = {readonly trace: Trace; readonly run: RunRecord};

/** Searches every trace. Returns `undefined` if no run has that id. */
export const lookUpRun = async (bus: Bus, agentId: string): Promise<FoundRun | undefined> => {
	for (const trace of (await openLedger(bus)).traces().values()) {
		const run = trace.runs.get(agentId);
		if (run !== undefined) return {trace, run};
	}
	return undefined;
};
