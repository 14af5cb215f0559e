import {mergeAsWriter, mergeWriterId} from '../colony/configuration/writers.ts';
import {accepted, HiveError, type Outcome} from '../domain/errors.ts';
import {mergeMessage} from '../domain/merge-message.ts';
import type {OpenMerge, Trace} from '../domain/trace.ts';
import {fencing, isFencedOff} from '../ledger/fencing.ts';
import {findMerge} from '../workspaces/merge/landed.ts';
import {leaveBranch} from '../workspaces/merge/leave-branch.ts';
import {mergeTrace} from '../workspaces/merge/merge.ts';
import {forgetLostWork} from '../workspaces/worktree/trace-branch.ts';
import {removeWorktree} from '../workspaces/worktree/worktree.ts';
import {type Approved, completionEvent, unmerged} from './approval.ts';
import type {ActionContext} from './context.ts';
import {holdRecordedBase} from './hold-base.ts';
import {publishForOthers} from './publish-for-others.ts';
import {sharedSettings} from './share-base.ts';

/** Ports of a merge, which a reactor has as well as a person's command. */
export type MergePorts = Pick<
	ActionContext,
	'acceptedGit' | 'bus' | 'by' | 'clock' | 'colony' | 'git' | 'ids' | 'checkout' | 'failpoint' | 'writers'
>;

/**
 * Makes the merge that a claim names, or abandons it. The event that completes its task comes last
 * (docs/reliability.md §4). The caller holds the merge lock. Each step detects what an earlier call, cut
 * short by a crash, has done.
 */
export const finishMerge = async (
	given: MergePorts,
	trace: Trace,
	merge: OpenMerge,
): Promise<Outcome<Approved>> => {
	const ports = {...given, bus: fencing(given.bus, given.checkout)};
	try {
		await holdRecordedBase(given, trace.traceId);
		const made = await makeMerge(ports, trace, merge);
		if (made.ok) return await completeGate(ports, trace, {...merge, made: made.value});
		if (made.refusal.code === 'nothing_to_merge') return await completeEmptyGate(ports, trace, merge);
		await abandon(ports, trace, merge, made.refusal.message);
		return made;
	} catch (error) {
		if (error instanceof HiveError && !isFencedOff(error)) await abandon(ports, trace, merge, error.message);
		throw error;
	}
};

/**
 * Completes a gate whose base has all of the work already. If the trace's own merge put it there, the gate
 * names that merge.
 */
export const completeEmptyGate = async (
	ports: MergePorts,
	trace: Trace,
	gate: Gate,
): Promise<Outcome<Approved>> => {
	const landed = await findMerge(ports.git, {root: ports.colony.root, traceId: trace.traceId});
	const made = {commit: landed?.commit ?? '', base: landed?.base ?? '', branch: '', carried: []};
	return completeGate(ports, trace, {...gate, made});
};

type Gate = {readonly taskId: string; readonly summary?: string | undefined};

type Made = Pick<Approved, 'commit' | 'base' | 'branch' | 'carried'>;

const makeMerge = async (ports: MergePorts, trace: Trace, merge: OpenMerge): Promise<Outcome<Made>> => {
	try {
		await ports.writers?.beginWriting(mergeAsWriter(trace));
		return await mergeOrLeave(ports, trace, merge);
	} finally {
		await ports.writers?.endWriting(mergeWriterId(trace.traceId));
	}
};

const mergeOrLeave = async (
	ports: MergePorts,
	trace: Trace,
	{tree, message, leave, strategy}: OpenMerge,
): Promise<Outcome<Made>> => {
	const {git, failpoint, colony} = ports;
	const request = {root: colony.root, traceId: trace.traceId, tree, ...mergeMessage(trace, message)};
	if (leave) {
		const left = await leaveBranch(git, request, failpoint);
		return left.ok ? accepted({...left.value, base: '', carried: []}) : left;
	}
	const merged = await mergeTrace(
		git,
		{...request, strategy, shared: await sharedSettings(ports)},
		failpoint,
	);
	return merged.ok ? accepted({...merged.value, branch: ''}) : merged;
};

const completeGate = async (
	ports: MergePorts,
	trace: Trace,
	{taskId, summary = '', made}: Gate & {made: Made},
): Promise<Outcome<Approved>> => {
	const {traceId} = trace;
	const {commit, base, branch, carried} = made;
	const event = completionEvent(ports, {taskId, summary: summary || formatMerge(made), commit});
	ports.failpoint('merge.made');
	const kept = await clearWorktree(ports, traceId, commit);
	ports.failpoint('merge.cleared');
	await publishForOthers(ports, trace);
	await ports.bus.append({...event, traceId}, {id: `${traceId}/${taskId}/merged/${commit}`});
	return accepted({...unmerged({traceId, taskId}), commit, base, branch, carried, ...kept});
};

const formatMerge = ({commit, base, branch}: Made): string => {
	if (branch !== '') return `left on ${branch} at ${commit.slice(0, 7)}`;
	return commit === '' ? 'nothing to merge' : `merged into ${base} as ${commit.slice(0, 7)}`;
};

type Kept = Pick<Approved, 'worktreeKept' | 'worktreeHolds'>;

/**
 * Removes the worktree, or returns why it stays (empty if removed). Work that was neither merged nor
 * abandoned stays where it is.
 */
export const clearWorktree = async (
	{git, colony}: Pick<MergePorts, 'git' | 'colony'>,
	traceId: string,
	commit: string,
): Promise<Kept> => {
	if (commit === '') return {worktreeKept: '', worktreeHolds: []};
	const location = {root: colony.root, traceId};
	await forgetLostWork(git, location);
	const removed = await removeWorktree(git, {...location, disposable: colony.workspaces?.disposable ?? []});
	if (removed.ok) return {worktreeKept: '', worktreeHolds: []};
	const {message, details} = removed.refusal;
	return {worktreeKept: message, worktreeHolds: details.map(({path}) => path)};
};

const abandon = async (
	{bus, by, ids}: MergePorts,
	{traceId}: Trace,
	{taskId}: OpenMerge,
	reason: string,
): Promise<void> => {
	await bus.append(
		{traceId, agentId: by, type: 'SIGNAL', payload: {kind: 'merge.abandoned', taskId, reason}},
		{id: ids.event()},
	);
};
