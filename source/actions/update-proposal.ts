import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type OpenUpdate, openRuns, type Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {resolve} from '../workspaces/trees/objects.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';
import {finishMerge} from './finish-merge.ts';
import {finishUpdate, type Updated} from './finish-update.ts';
import {holdRecordedBase} from './hold-base.ts';
import {withMergeLock} from './merge-lock.ts';

/**
 * Merges the base into the trace's worktree (docs/architecture.md §5). Conflicts change no file there, and
 * become a rework task that names them. Refused while a run of the trace is open; while the claim is open, no
 * run begins (docs/reliability.md §4). A merge or update that a crash left open is ended first.
 */
export const updateProposal = async (
	context: ActionContext,
	{traceId}: {traceId: string},
): Promise<Outcome<Updated>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	return withMergeLock(context, async () => {
		const trace = await loadTrace(context.bus, traceId);
		const elsewhere = refuseElsewhere(trace, context.checkout);
		if (elsewhere !== undefined) return elsewhere;
		await holdRecordedBase(context, traceId);
		if (trace.merge !== undefined) {
			const {merge} = trace;
			if (merge.taskId === undefined) return finishUpdate(context, trace, merge);
			await finishMerge(context, trace, merge);
		}
		const claimed = await claimUpdate(context, traceId);
		return claimed.ok ? finishUpdate(context, claimed.value.trace, claimed.value.update) : claimed;
	});
};

const claimUpdate = async (
	context: ActionContext,
	traceId: string,
): Promise<Outcome<{trace: Trace; update: OpenUpdate}>> => {
	const {by, bus, git, colony, checkout} = context;
	const head = (await resolve(git, colony.root, refsOf(traceId).head)) ?? '';
	const decided = await decideAndAppend(context, traceId, trace => {
		const refused = refuseElsewhere(trace, checkout) ?? refuseWhileRunning(trace) ?? refuseUnlessOpen(trace);
		const payload = {kind: 'update.started', head, by};
		return refused ?? accepted({event: {agentId: by, type: 'SIGNAL', payload}, value: undefined});
	});
	if (!decided.ok) return decided;
	context.failpoint('update.claimed');
	const trace = await loadTrace(bus, traceId);
	const {merge} = trace;
	return merge?.taskId === undefined && merge?.sequence === decided.value.sequence
		? accepted({trace, update: merge})
		: refuse('conflict');
};

const refuseWhileRunning = (trace: Trace) => {
	const [open] = openRuns(trace);
	if (open === undefined) return undefined;
	return refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} works in the worktree.`});
};
