import {publishWork} from '../dispatch/publish-work.ts';
import {HiveError} from '../domain/errors.ts';
import {lastThatChanged, type Trace} from '../domain/trace.ts';
import {isUnsayable} from '../ledger/fencing.ts';
import {readReplica} from '../ledger/replicas.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import type {ActionContext} from './context.ts';

type Ports = Pick<ActionContext, 'bus' | 'git' | 'checkout' | 'colony'>;

/**
 * Whoever takes the trace then goes on behind this merge. It is made whether or not that can be kept: what
 * git refuses or is too large is said where the next run ends.
 */
export const keepForOthers = async (
	{bus, git, checkout, colony: {root}}: Ports,
	trace: Trace,
): Promise<void> => {
	try {
		await publishWork({bus, git, checkout}, root, trace);
	} catch (error) {
		if (!(error instanceof HiveError) || isUnsayable(error)) throw error;
	}
};

/**
 * The same for what ended runs left and nobody kept: the log was in a file then, or the server was away. May
 * be repeated. Throws `bus_unreachable`, and `elsewhere` as `publishWork` does.
 */
export const keepMissing = async (ports: Ports, trace: Trace): Promise<void> => {
	const {traceId, place} = trace;
	const last = place === ports.checkout ? lastThatChanged(trace) : undefined;
	if (last === undefined) return;
	const replica = await readReplica(ports.bus, traceId);
	if (replica?.refs[refsOf(traceId).keep(last.agentId)] === undefined) await keepForOthers(ports, trace);
};
