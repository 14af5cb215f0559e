import type {Colony} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import type {Processes} from '../ports/processes.ts';
import {runDirectory} from '../runs/layout.ts';
import type {Dispatcher} from './dispatcher.ts';

type EndPorts = {
	readonly bus: Bus;
	readonly colony: () => Colony;
	readonly processes: Pick<Processes, 'inspect'>;
	readonly dispatcher: Pick<Dispatcher, 'stop' | 'collect'>;
	/** A reactor works on the trace: it collects what is stopped. */
	readonly reactorIsAlive: (traceId: string) => Promise<boolean>;
};

/** Names the run that is to end, and why. */
export type RunToEnd = {readonly traceId: string; readonly agentId: string; readonly reason: string};

/**
 * Ends an open run of this checkout for somebody who is no reactor, in the reactor's own two steps: it is
 * stopped, unless it has ended by itself, and collected. Whoever else does the same meanwhile, nothing is
 * said twice; a run that is closed by then is left as it is. May be repeated after a crash at any instant.
 */
export const endRun = async (ports: EndPorts, {traceId, agentId, reason}: RunToEnd): Promise<void> => {
	const {colony, processes, dispatcher} = ports;
	const open = await findOpen(ports, traceId, agentId);
	if (open === undefined) return;
	const {state} = await processes.inspect(runDirectory(colony().root, traceId, agentId));
	if (state === 'alive' || state === 'unbegun') await dispatcher.stop(...open, reason);
	if (await ports.reactorIsAlive(traceId)) return;
	const stopped = await findOpen(ports, traceId, agentId);
	if (stopped !== undefined) await dispatcher.collect(...stopped);
};

const findOpen = async (
	{bus}: EndPorts,
	traceId: string,
	agentId: string,
): Promise<[Trace, RunRecord] | undefined> => {
	const trace = await loadTrace(bus, traceId);
	const run = trace.runs.get(agentId);
	return run?.status === 'running' ? [trace, run] : undefined;
};
