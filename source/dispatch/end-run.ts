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
	/** Returns true if a reactor works on the trace; it then collects the stopped run. */
	readonly reactorIsAlive: (traceId: string) => Promise<boolean>;
};

/** The run to end, and the reason. */
export type RunToEnd = {readonly traceId: string; readonly agentId: string; readonly reason: string};

/**
 * Ends an open run of this checkout for a process that is not a reactor, in the reactor's own two steps. The
 * run is stopped, unless it has already ended, and collected. Events are appended once even if another
 * process does the same meanwhile. A run that is closed by then is left as it is. It can be repeated after a
 * crash at any instant.
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
