import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {placeName, refuseToOther} from '../domain/place.ts';
import {isShown, openRuns, type Trace} from '../domain/trace.ts';
import {join, readPutOff} from '../ledger/cursors.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {awaitGone, type LastHeard, readLastHeard} from '../ledger/places.ts';
import {runDirectory} from '../runs/layout.ts';
import type {Adopted} from '../workspaces/worktree/adopt.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';
import {withMergeLock} from './merge-lock.ts';
import {takeWork} from './take-work.ts';

export type Taken = Adopted & {
	readonly traceId: string;
	/** The checkout that it belonged to. */
	readonly from: string;
	/** Where that was, as far as its reactor said: `box:/home/ada/shop`. */
	readonly place: string | undefined;
	/** That was this one: nothing was said. */
	readonly already: boolean;
	/** Open runs, which a reactor of this checkout sees to their end. */
	readonly runs: readonly string[];
};

const nothingAdopted: Adopted = {kept: [], base: undefined};

/**
 * Moves a trace to this checkout whose own is gone (docs/architecture.md §3). Refused while that may still be
 * worked in: its root is there, its reactor is alive, or a run of it lives. Where checkouts share a log its
 * work comes from what was kept of it there, and is here before the trace is.
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
		return accepted({traceId, from, place: undefined, already: true, runs, ...nothingAdopted});
	const gone = await expectGone(context, from);
	if (!gone.ok) return gone;
	const alive = await refuseAlive(context, trace);
	if (alive !== undefined) return alive;
	const adopted = await (bus.isShared
		? withMergeLock(context, () => takeWork(context, trace))
		: accepted(nothingAdopted));
	if (!adopted.ok) return adopted;
	context.reach('take.adopted');
	// Bringing the work here may have taken long.
	if (bus.isShared && (await readLastHeard(bus, from)).revision !== gone.value?.revision)
		return refuseToAlive(from);
	const said = await sayTaken(context, trace, from);
	if (!said.ok) return said;
	const seen = (await context.places()).find(({checkout}) => checkout === from);
	const place = seen && placeName(seen);
	return accepted({traceId, from, place, already: false, runs, ...adopted.value});
};

const sayTaken = async (
	{bus, by, checkout, ids}: ActionContext,
	{traceId, sequence}: Trace,
	from: string,
): Promise<Outcome<void>> => {
	// What was asked for there is done here; whoever comes back there leaves it.
	await join(bus, checkout);
	const putOff = bus.isShared ? {putOff: await readPutOff(bus, from, traceId)} : {};
	const payload = {kind: 'trace.taken', place: checkout, from, ...putOff};
	const event = {traceId, agentId: by, type: 'SIGNAL', payload} as const;
	const appended = await bus.append(event, {id: ids.event(), after: sequence});
	return appended.ok ? accepted(undefined) : refuse('conflict');
};

/**
 * Where nobody but processes of this machine writes to the log, a checkout that it does not know is gone.
 * Elsewhere the answer is what was heard of it last.
 */
const expectGone = async (
	{bus, clock, otherCheckout}: ActionContext,
	id: string,
): Promise<Outcome<LastHeard | undefined>> => {
	const other = await otherCheckout(id);
	if (other?.isThere)
		return refuse('elsewhere', {
			message: `Its checkout ${other.root} is still there.`,
			hint: 'Run the command there. A trace can be taken once that checkout is gone.',
		});
	if (other?.isAttended)
		return refuse('elsewhere', {
			message: `The reactor of its checkout ${other.root} is still alive.`,
			hint: 'End it, then take the trace.',
		});
	if (!bus.isShared) return accepted(undefined);
	const gone = await awaitGone({bus, clock}, id);
	return gone === undefined ? refuseToAlive(id) : accepted(gone);
};

const refuseToAlive = (checkout: string): Refused =>
	refuseToOther(checkout, {
		message: `The reactor of the checkout ${checkout} is alive.`,
		hint: 'Act on the trace from here as ever: it is carried out there. To take it, end that reactor.',
	});

/**
 * A run may live whose files were moved here while it works, or that was started here and is another
 * checkout's since: the trace came back before a reactor has ended it.
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
				hint: 'Wait for it to end, or have "hive run" end what is not this checkout\'s any more, then take the trace.',
			});
	}
	return undefined;
};
