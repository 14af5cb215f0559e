import {publishWork} from '../dispatch/publish-work.ts';
import {HiveError} from '../domain/errors.ts';
import {lastThatChanged, type Trace} from '../domain/trace.ts';
import {isFencedOff} from '../ledger/fencing.ts';
import {readReplica} from '../ledger/replicas.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import type {ActionContext} from './context.ts';

type Ports = Pick<ActionContext, 'bus' | 'git' | 'checkout' | 'colony'>;

/**
 * Publishes the trace's work, so that a checkout that takes the trace continues after this merge. The merge
 * is made even if this fails. If git refuses, or the work is too large, the end of the next run reports it.
 */
export const publishForOthers = async (
	{bus, git, checkout, colony: {root}}: Ports,
	trace: Trace,
): Promise<void> => {
	try {
		await publishWork({bus, git, checkout}, root, trace);
	} catch (error) {
		if (!(error instanceof HiveError) || isFencedOff(error)) throw error;
	}
};

/**
 * Publishes work of ended runs that was not published, because the log was in a file then, or the server was
 * unreachable. May be repeated. Throws `bus_unreachable`, and `elsewhere` as `publishWork` does.
 */
export const publishMissing = async (ports: Ports, trace: Trace): Promise<void> => {
	const {traceId, place} = trace;
	const last = place === ports.checkout ? lastThatChanged(trace) : undefined;
	if (last === undefined) return;
	const replica = await readReplica(ports.bus, traceId);
	if (replica?.refs[refsOf(traceId).keep(last.agentId)] === undefined) await publishForOthers(ports, trace);
};
