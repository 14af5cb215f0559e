import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {isTerminal} from '../domain/task.ts';
import {isShown, openRuns, type Trace, titleOf} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {type BaseMerged, mergeBase} from '../workspaces/merge-base.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';
import {withMergeLock} from './merge-lock.ts';
import {lastProposer, reworkOf} from './rework.ts';

export type Updated = {
	readonly traceId: string;
	readonly base: string;
	/** The trace branch after it. */
	readonly commit: string;
	/** False when the base had nothing new, or conflicts. */
	readonly updated: boolean;
	readonly conflicts: readonly string[];
	/** The task that resolves the conflicts; empty without any. */
	readonly reworkTaskId: string;
};

/**
 * Merges the base into the trace's worktree (docs/architecture.md §5). Conflicts move no file there and become a rework task
 * that names them. Refused while a run of the trace is open.
 */
export const updateProposal = async (
	context: ActionContext,
	{traceId}: {traceId: string},
): Promise<Outcome<Updated>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	return withMergeLock(context, async () => {
		const trace = await loadTrace(context.bus, traceId);
		const closed = refuseToUpdate(context, trace);
		if (closed !== undefined) return closed;
		const subject = titleOf(trace);
		const merged = await mergeBase(context.git, {root: context.colony.root, traceId, subject});
		if (!merged.ok) return merged;
		context.reach('update.merged');
		return merged.value.conflicts.length > 0
			? planRework(context, traceId, merged.value)
			: noteUpdate(context, traceId, merged.value);
	});
};

const refuseToUpdate = ({checkout}: ActionContext, trace: Trace) => {
	if (!isShown(trace)) return traceNotFound(trace.traceId);
	const [open] = openRuns(trace);
	const elsewhere = refuseElsewhere(trace, checkout);
	if (elsewhere === undefined && open !== undefined)
		return refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} works in the worktree.`});
	return elsewhere ?? refuseUnlessOpen(trace);
};

/** The next prompt knows of it, and every face that shows the diff looks again. */
const noteUpdate = async (
	{bus, by, ids}: ActionContext,
	traceId: string,
	{base, baseSha, headSha, commit}: BaseMerged,
): Promise<Outcome<Updated>> => {
	const updated = commit !== headSha;
	if (updated) {
		const summary = `${base} at ${baseSha.slice(0, 7)} was merged into the worktree.`;
		const payload = {kind: 'context.note', summary};
		await bus.append({traceId, agentId: by, type: 'INSIGHT', payload}, {id: ids.event()});
	}
	return accepted({traceId, base, commit, updated, conflicts: [], reworkTaskId: ''});
};

/** The same conflict has one open rework task, however often it is asked for. */
const planRework = async (
	context: ActionContext,
	traceId: string,
	merged: BaseMerged,
): Promise<Outcome<Updated>> => {
	const {base, conflicts, commit} = merged;
	const title = `Resolve conflicts with ${base}`;
	const said = await decideAndAppend(context, traceId, trace => {
		const refused = refuseUnlessOpen(trace);
		if (refused !== undefined) return refused;
		const open = [...trace.tasks.values()].find(task => task.title === title && !isTerminal(task.status));
		if (open !== undefined) return accepted({value: open.taskId});
		const author = lastProposer(trace);
		if (author === undefined) return conflicting(traceId, merged);
		const taskId = context.ids.task();
		const item = reworkOf(author, {taskId, title, body: bodyOf(merged)});
		const payload = {kind: 'task.plan', tasks: [item]};
		return accepted({event: {agentId: context.by, type: 'INSIGHT', payload}, value: taskId});
	});
	if (!said.ok) return said;
	return accepted({traceId, base, commit, updated: false, conflicts, reworkTaskId: said.value.value});
};

const bodyOf = ({base, baseSha, conflicts}: BaseMerged): string =>
	[
		`The work of this worktree conflicts with ${base}. Run "git merge ${baseSha}" here, resolve the conflicts so that both sides keep what they meant, and commit the merge.`,
		`Conflicting paths:\n${conflicts.map(path => `- ${path}`).join('\n')}`,
	].join('\n\n');

const conflicting = (traceId: string, {base, conflicts}: BaseMerged) =>
	refuse('merge_conflict', {
		message: `The work of ${traceId} conflicts with ${base}, and no task proposed it that could rework it; nothing was touched.`,
		hint: `Merge ${base} in .hive/worktrees/${traceId} by hand, then approve.`,
		details: conflicts.map(path => ({path, message: 'has changes on both sides'})),
	});
