import {accepted, HiveError, type Outcome, refuse} from '../domain/errors.ts';
import type {EventType, Payload} from '../domain/event.ts';
import {isTerminal} from '../domain/task.ts';
import {type OpenUpdate, type Trace, titleOf} from '../domain/trace.ts';
import {fencing, isFencedOff} from '../ledger/fencing.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {type BaseMerged, mergeBase} from '../workspaces/merge/merge-base.ts';
import type {MergePorts} from './finish-merge.ts';
import {publishForOthers} from './publish-for-others.ts';
import {canRework, lastAuthor, reworkOf} from './rework.ts';

export type Updated = {
	readonly traceId: string;
	readonly base: string;
	/** The tip of the trace branch afterwards. */
	readonly commit: string;
	/** False when the base had nothing new, or there were conflicts. */
	readonly updated: boolean;
	readonly conflicts: readonly string[];
	/** The task that resolves the conflicts; empty if there are none. */
	readonly reworkTaskId: string;
};

/**
 * Merges the base into the worktree, which a claim holds (docs/reliability.md §4), and appends the results.
 * The event that ends the claim comes last. The caller holds the merge lock. Each step detects what an
 * earlier call, cut short by a crash, has done.
 */
export const finishUpdate = async (
	given: MergePorts,
	trace: Trace,
	update: OpenUpdate,
): Promise<Outcome<Updated>> => {
	const {traceId} = trace;
	const ports = {...given, bus: fencing(given.bus, given.checkout)};
	try {
		const request = {root: ports.colony.root, traceId, subject: titleOf(trace)};
		const merged = await mergeBase(ports.git, request, ports.failpoint);
		const made = merged.ok ? await report(ports, trace, update, merged.value) : merged;
		await publishForOthers(ports, trace);
		await close(ports, trace, update, made.ok ? closingOf(made.value) : {summary: made.refusal.message});
		return made;
	} catch (error) {
		if (error instanceof HiveError && !isFencedOff(error))
			await close(ports, trace, update, {summary: error.message});
		throw error;
	}
};

const report = async (
	ports: MergePorts,
	trace: Trace,
	update: OpenUpdate,
	merged: BaseMerged,
): Promise<Outcome<Updated>> => {
	ports.failpoint('update.merged');
	const made = await (merged.conflicts.length > 0 ? planRework : noteUpdate)(ports, trace, update, merged);
	ports.failpoint('update.said');
	return made;
};

/** Appends the update for the next prompt, and so that every face that shows the diff reloads it. */
const noteUpdate = async (
	ports: MergePorts,
	{traceId}: Trace,
	update: OpenUpdate,
	{base, baseSha, commit}: BaseMerged,
): Promise<Outcome<Updated>> => {
	const updated = commit !== update.head;
	if (updated) {
		const summary = `${base} at ${baseSha.slice(0, 7)} was merged into the worktree.`;
		await appendUpdateEvent(ports, traceId, update, {
			step: 'note',
			type: 'INSIGHT',
			payload: {kind: 'context.note', summary},
		});
	}
	return accepted({traceId, base, commit, updated, conflicts: [], reworkTaskId: ''});
};

/** Plans one open rework task per conflict, however often this is called. */
const planRework = async (
	ports: MergePorts,
	{traceId}: Trace,
	update: OpenUpdate,
	merged: BaseMerged,
): Promise<Outcome<Updated>> => {
	const {base, conflicts, commit} = merged;
	const title = `Resolve conflicts with ${base}`;
	const trace = await loadTrace(ports.bus, traceId);
	const open = [...trace.tasks.values()].find(task => task.title === title && !isTerminal(task.status));
	const author = lastAuthor(trace);
	if (trace.killed || author === undefined || !canRework(ports.colony, author))
		return conflicting(traceId, merged);
	const reworkTaskId = open?.taskId ?? ports.ids.task();
	if (open === undefined) {
		const item = reworkOf(author, {taskId: reworkTaskId, title, body: bodyOf(merged)});
		const payload = {kind: 'task.plan', tasks: [item]};
		await appendUpdateEvent(ports, traceId, update, {step: 'rework', type: 'INSIGHT', payload});
	}
	return accepted({traceId, base, commit, updated: false, conflicts, reworkTaskId});
};

const bodyOf = ({base, baseSha, conflicts}: BaseMerged): string =>
	[
		`The work of this worktree conflicts with ${base}. Run "git merge ${baseSha}" here, resolve the conflicts so that both sides keep what they meant, and commit the merge.`,
		`Conflicting paths:\n${conflicts.map(path => `- ${path}`).join('\n')}`,
	].join('\n\n');

const conflicting = (traceId: string, {base, conflicts}: BaseMerged) =>
	refuse('merge_conflict', {
		message: `The work of ${traceId} conflicts with ${base}, and no bee can be given the rework; nothing was touched.`,
		hint: `Merge ${base} in .hive/worktrees/${traceId} by hand, then approve.`,
		details: conflicts.map(path => ({path, message: 'has changes on both sides'})),
	});

const closingOf = ({base, commit, updated, reworkTaskId}: Updated) => {
	if (updated) return {summary: `merged ${base} as ${commit.slice(0, 7)}`, commit};
	return {
		summary: reworkTaskId === '' ? `all of ${base} is there` : `conflicts with ${base}: ${reworkTaskId}`,
	};
};

const close = (
	ports: MergePorts,
	{traceId}: Trace,
	update: OpenUpdate,
	closing: {readonly summary: string; readonly commit?: string},
): Promise<void> =>
	appendUpdateEvent(ports, traceId, update, {
		step: 'finished',
		type: 'SIGNAL',
		payload: {kind: 'update.finished', ...closing},
	});

type UpdateEvent = {readonly step: string; readonly type: EventType; readonly payload: Payload};

/** Appends once per claim, whichever process does it. */
const appendUpdateEvent = async (
	{bus, by}: MergePorts,
	traceId: string,
	{sequence}: OpenUpdate,
	{step, type, payload}: UpdateEvent,
): Promise<void> => {
	await bus.append({traceId, agentId: by, type, payload}, {id: `${traceId}/update/${sequence}/${step}`});
};
