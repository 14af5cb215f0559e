import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {isTerminal} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {replaceCheckpoint} from '../ledger/checkpoint-store.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {removeReplica} from '../ledger/replicas.ts';
import type {Bus} from '../ports/bus.ts';
import {traceDirectory} from '../runs/layout.ts';
import {writeNewest} from '../runs/newest-event.ts';
import {expectOurs, findUnmerged, forgetTrace} from '../workspaces/worktree/forget-trace.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere, refuseInsideRun} from './decide-and-append.ts';
import {withMergeLock} from './merge-lock.ts';

export type PurgeInput = {
	readonly traceId: string;
	/** The trace id, typed a second time. */
	readonly confirm: string;
	/** True if work that is on no branch but the trace's may be deleted. */
	readonly discardUnmerged: boolean;
};

export type Purged = {
	readonly traceId: string;
	/** The worktree, branch, refs and run directory that existed and were removed. */
	readonly removed: readonly string[];
	/** Number of the trace's events in the log. */
	readonly events: number;
};

/**
 * Deletes a finished trace for good (docs/architecture.md §9). An event on the log comes first, so that
 * nothing starts in the trace, shows it, or reuses its id. Then everything of it is deleted: worktree,
 * branch, kept files, run directory, checkpoint, large diffs and events. Refused while anything of it is
 * under way. After an interruption, repeat it to finish.
 */
export const purgeTrace = async (context: ActionContext, input: PurgeInput): Promise<Outcome<Purged>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	return withMergeLock(context, async () => {
		const trace = await loadTrace(context.bus, input.traceId);
		const kept = refuseUnlessOver(trace, context.checkout) ?? refuseUnlessConfirmed(input);
		if (kept !== undefined) return kept;
		// Checked before the event is appended: the projection then removes the directory too.
		const hasRuns = (await context.files.list(traceDirectory(context.colony.root, trace.traceId))).length > 0;
		const appended = trace.purged === undefined ? await appendPurged(context, input, trace) : accepted(trace);
		return appended.ok ? removeAll(context, appended.value, hasRuns) : appended;
	});
};

/**
 * Appends the purge event, unless work would be lost or something is not hive's. Only if the trace is still
 * at the sequence that was checked.
 */
const appendPurged = async (
	{bus, by, git, colony, failpoint}: ActionContext,
	{traceId, discardUnmerged}: PurgeInput,
	{sequence}: Trace,
): Promise<Outcome<Trace>> => {
	const location = {root: colony.root, traceId, disposable: colony.workspaces?.disposable ?? []};
	const unmerged = discardUnmerged ? [] : await findUnmerged(git, location);
	if (unmerged.length > 0) {
		return refuse('wrong_status', {
			message: `The trace ${traceId} holds work that is nowhere else; nothing was removed.`,
			hint: 'Merge it or move it elsewhere first, or give it up with --discard-unmerged.',
			details: unmerged,
		});
	}
	const ours = await expectOurs(git, location);
	if (!ours.ok) return ours;
	const appended = await bus.append(
		{traceId, agentId: by, type: 'SIGNAL', payload: {kind: 'trace.purged'}},
		{id: `${traceId}/purged`, after: sequence},
	);
	failpoint('purge.said');
	return appended.ok ? accepted(await loadTrace(bus, traceId)) : refuse('conflict');
};

const removeAll = async (
	{bus, files, git, colony: {root}, checkout, failpoint}: ActionContext,
	trace: Trace,
	hasRuns: boolean,
): Promise<Outcome<Purged>> => {
	const {traceId, purged = 0} = trace;
	const forgotten = await forgetTrace(git, {root, traceId}, failpoint);
	if (!forgotten.ok) return forgotten;
	failpoint('purge.refsRemoved');
	const directory = traceDirectory(root, traceId);
	await files.remove(directory);
	failpoint('purge.runsRemoved');
	await replaceCheckpoint(bus, trace);
	const {events, blobs, marker} = await readOwn(bus, traceId, purged);
	for (const hash of blobs) await bus.blobs.remove(hash);
	// The marker may name an event that is about to be deleted.
	if (marker !== undefined) await writeNewest(files, {root, checkout}, marker, bus.address);
	await removeReplica(bus, traceId);
	await bus.forget(traceId, purged);
	return accepted({traceId, removed: [...forgotten.value, ...(hasRuns ? [directory] : [])], events});
};

/**
 * Reads what the log has of the trace before its purge event. Returns the number of events, and the large
 * texts that no other trace refers to.
 */
const readOwn = async (bus: Bus, traceId: string, purged: number) => {
	const own = new Set<unknown>();
	let events = 0;
	let marker: StoredEvent | undefined;
	for await (const batch of bus.read({traceId, after: 0})) {
		const gone = batch.filter(({sequence}) => sequence < purged);
		marker ??= batch.find(({sequence}) => sequence === purged);
		for (const {payload} of gone) if (isHash(payload.ref)) own.add(payload.ref);
		events += gone.length;
	}
	if (own.size > 0) {
		for await (const batch of bus.read({after: 0}))
			for (const event of batch) if (event.traceId !== traceId) own.delete(event.payload.ref);
	}
	return {events, marker, blobs: [...own].filter(isHash)};
};

const isHash = (ref: unknown): ref is string => typeof ref === 'string' && /^[0-9a-f]{64}$/.test(ref);

const refuseUnlessOver = (trace: Trace, checkout: string) => {
	const {traceId} = trace;
	if (trace.sequence === 0) return traceNotFound(traceId);
	const elsewhere = refuseElsewhere(trace, checkout);
	if (elsewhere !== undefined) return elsewhere;
	if (trace.merge !== undefined) return refuse('merge_open');
	const [open] = openRuns(trace);
	if (open !== undefined)
		return refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} is still open.`});
	const unfinished = [...trace.tasks.values()].find(({status}) => !isTerminal(status));
	if (unfinished === undefined || trace.killed) return undefined;
	return refuse('wrong_status', {
		message: `The task ${unfinished.taskId} of ${traceId} is ${unfinished.status}.`,
		hint: `Finish it, or kill the trace with "hive kill --trace ${traceId}".`,
	});
};

const refuseUnlessConfirmed = ({traceId, confirm}: PurgeInput) =>
	confirm === traceId
		? undefined
		: refuse('usage', {
				message: `The typed text is not "${traceId}"; nothing was removed.`,
				hint: `Confirm with --confirm ${traceId}.`,
			});
