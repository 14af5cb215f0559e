import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {formatMachine, refuseForCheckout} from '../domain/machine-status.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {isShown, openRuns, type Trace} from '../domain/trace.ts';
import {ensureCursor, readDeferred} from '../ledger/cursors.ts';
import {awaitMachineGone, type LastHeartbeat, readLastHeartbeat} from '../ledger/heartbeats.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {runDirectory} from '../runs/layout.ts';
import type {ReplacedRefs} from '../workspaces/worktree/replace-trace-refs.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';
import {withMergeLock} from './merge-lock.ts';
import {takeWork} from './take-work.ts';

export type Taken = ReplacedRefs & {
	readonly traceId: string;
	/** Id of the checkout that had it. */
	readonly from: string;
	/** Location of that checkout as its reactor reported it, if known: `box:/home/ada/shop`. */
	readonly place: string | undefined;
	/** True if this checkout had it already; nothing was appended. */
	readonly already: boolean;
	/** Open runs, which a reactor of this checkout brings to their end. */
	readonly runs: readonly string[];
};

const nothingFetched: ReplacedRefs = {kept: [], base: undefined};

/**
 * Moves a trace to this checkout when its own is gone (docs/architecture.md §3). Refused while work may go on
 * in that checkout: its root exists, its reactor is alive, or a run of it is alive. If checkouts share a log,
 * the work is copied here from its replica before the trace moves.
 */
export const takeTrace = async (
	context: ActionContext,
	{traceId}: {readonly traceId: string},
): Promise<Outcome<Taken>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const {bus, checkout} = context;
	const trace = await loadTrace(bus, traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const {place: from = checkout} = trace;
	const runs = openRuns(trace).map(({agentId}) => agentId);
	if (from === checkout)
		return accepted({traceId, from, place: undefined, already: true, runs, ...nothingFetched});
	const gone = await expectGone(context, from);
	if (!gone.ok) return gone;
	const alive = await refuseAlive(context, trace);
	if (alive !== undefined) return alive;
	const fetched = await (bus.isShared
		? withMergeLock(context, () => takeWork(context, trace))
		: accepted(nothingFetched));
	if (!fetched.ok) return fetched;
	context.failpoint('take.adopted');
	// Checked again, since copying the work may have taken long.
	if (bus.isShared && (await readLastHeartbeat(bus, from)).revision !== gone.value?.revision)
		return refuseToAlive(from);
	const taken = await appendTaken(context, trace, from);
	if (!taken.ok) return taken;
	const machine = (await context.machines()).find(({checkout}) => checkout === from);
	const place = machine && formatMachine(machine);
	return accepted({traceId, from, place, already: false, runs, ...fetched.value});
};

const appendTaken = async (
	{bus, by, checkout, ids}: ActionContext,
	{traceId, sequence}: Trace,
	from: string,
): Promise<Outcome<void>> => {
	// Queued events of that checkout are handled here. If it comes back, it leaves them.
	await ensureCursor(bus, checkout);
	const putOff = bus.isShared ? {putOff: await readDeferred(bus, from, traceId)} : {};
	const payload = {kind: 'trace.taken', place: checkout, from, ...putOff};
	const event = {traceId, agentId: by, type: 'SIGNAL', payload} as const;
	const appended = await bus.append(event, {id: ids.event(), after: sequence});
	return appended.ok ? accepted(undefined) : refuse('conflict');
};

/**
 * If only processes of this machine write to the log, a checkout that it does not know is gone. Otherwise
 * returns that checkout's last heartbeat.
 */
const expectGone = async (
	{bus, clock, otherCheckout}: ActionContext,
	id: string,
): Promise<Outcome<LastHeartbeat | undefined>> => {
	const other = await otherCheckout(id);
	if (other?.isThere)
		return refuse('elsewhere', {
			message: `Its checkout ${other.root} is still there.`,
			hint: 'Run the command in that checkout. A trace can be taken only when its checkout is gone.',
		});
	if (other?.isAttended)
		return refuse('elsewhere', {
			message: `The reactor of its checkout ${other.root} is still alive.`,
			hint: 'Stop that reactor, then take the trace.',
		});
	if (!bus.isShared) return accepted(undefined);
	const gone = await awaitMachineGone({bus, clock}, id);
	return gone === undefined ? refuseToAlive(id) : accepted(gone);
};

const refuseToAlive = (checkout: string): Refused =>
	refuseForCheckout(checkout, {
		message: `The reactor of the checkout ${checkout} is alive.`,
		hint: 'You can act on the trace from here: that reactor carries it out. To take the trace, stop that reactor.',
	});

/**
 * Refuses if a run is alive. Its files may have been moved here while it worked. Or the run was started here.
 * Then its trace moved to another checkout, and came back before a reactor ended the run.
 */
const refuseAlive = async (
	{colony: {root}, processes}: ActionContext,
	{traceId, runs}: Trace,
): Promise<Refused | undefined> => {
	for (const {agentId, bee} of runs.values()) {
		const {state} = await processes.inspect(runDirectory(root, traceId, agentId));
		if (state === 'alive')
			return refuse('run_open', {
				message: `The run ${agentId} of ${bee} is alive.`,
				hint: 'Wait until it ends, or run "hive run", which ends runs that no longer belong here. Then take the trace.',
			});
	}
	return undefined;
};
