import {existsSync, readFileSync} from 'node:fs';
import type {StoredEvent} from '../../source/domain/event.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import type {Files} from '../../source/ports/files.ts';
import {projectTrace} from '../../source/runs/projection.ts';
import type {Event, ScratchColony} from './scratch-colony.ts';

/**
 * Returns the files of a trace that differ from a new fold of its events (docs/reliability.md I11).
 * @param energyBudget the budget of the trace, because `replay` does not state its source
 */
export const findStaleFiles = async (
	{root}: ScratchColony,
	{traceId, energyBudget}: {readonly traceId: string; readonly energyBudget: number},
	log: readonly Event[],
): Promise<string[]> => {
	const wanted = new Map<string, string>();
	const write: Files['write'] = async (path, text) => void wanted.set(path, text);
	const events: readonly object[] = log.map(event => ({...event, energyBudget}));
	const {trace} = applyEvents(emptyTrace(traceId), events as readonly StoredEvent[]);
	await projectTrace({write} as Files, root, undefined, trace);
	return [...wanted]
		.filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
		.map(([path]) => `${path.slice(root.length + 1)} is not as the log has it`);
};
