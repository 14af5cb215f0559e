import {defaults} from '../colony/defaults.ts';
import {renderBytes} from '../domain/byte-count.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {branchOf} from '../domain/ids.ts';
import type {RunRecord} from '../domain/run.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {openLedger} from '../ledger/ledger.ts';
import {findMerge} from '../workspaces/merge/landed.ts';
import {listEntries, removeEntry, setupCacheFolder} from '../workspaces/setup-cache/setup-cache.ts';
import {forgetKept, type KeptTree, listKept, onlyKept} from '../workspaces/trees/kept-trees.ts';
import {isRemovable, listWorktrees, removeWorktree} from '../workspaces/worktree/worktree.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';
import {withMergeLock} from './merge-lock.ts';

type PruneItem = {
	/** `setup`: what `workspaces.cache` keeps, which belongs to no trace. */
	readonly kind: 'worktree' | 'files' | 'setup';
	readonly traceId: string;
	/** Absolute path of a worktree or a folder, or the ref that keeps files. */
	readonly what: string;
	/** Why it may be removed, or why it stays. */
	readonly reason: string;
	/** True if it was removed, or would be. */
	readonly goes: boolean;
};

export type Pruned = {readonly dryRun: boolean; readonly items: readonly PruneItem[]};

/**
 * Removes worktrees and kept files that are older than `defaults.keep` and provably merged or saved
 * (docs/architecture.md §5), and what `workspaces.cache` keeps unused for as long. Returns for each why it is
 * removed or stays. Branches stay.
 */
export const pruneWorkspaces = async (
	context: ActionContext,
	{dryRun, setupCache = false}: {dryRun: boolean; setupCache?: boolean | undefined},
): Promise<Outcome<Pruned>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	return withMergeLock(context, async () => {
		const {git, bus, colony} = context;
		const traces = (await openLedger(bus)).traces();
		const items: PruneItem[] = [];
		for (const worktree of await listWorktrees(git, colony.root)) {
			const verdict = await judgeWorktree(context, worktree.traceId, traces.get(worktree.traceId), dryRun);
			items.push({kind: 'worktree', traceId: worktree.traceId, what: worktree.path, ...verdict});
		}
		for (const kept of await listKept(git, colony.root)) {
			const verdict = await judgeKept(context, kept, traces.get(kept.traceId));
			if (verdict.goes && !dryRun) {
				await forgetKept(git, colony.root, kept);
				context.failpoint('prune.filesForgotten');
			}
			items.push({kind: 'files', traceId: kept.traceId, what: kept.ref, ...verdict});
		}
		const setups = setupCacheFolder(context.machineDir);
		for (const {key, folder, bytes, usedAt} of await listEntries(setups)) {
			const verdict = judgeSetup(context, {bytes, usedAt, isAsked: setupCache});
			if (verdict.goes && !dryRun) await removeEntry(setups, key);
			items.push({kind: 'setup', traceId: '', what: folder, ...verdict});
		}
		return accepted({dryRun, items});
	});
};

type Judgement = Pick<PruneItem, 'goes' | 'reason'>;

const stays = (reason: string): Judgement => ({goes: false, reason});
const goes = (reason: string): Judgement => ({goes: true, reason});

const judgeWorktree = async (
	context: ActionContext,
	traceId: string,
	trace: Trace | undefined,
	dryRun: boolean,
): Promise<Judgement> => {
	const {git, colony} = context;
	const needed = trace === undefined ? 'the log knows no such trace' : neededBecause(context, trace);
	if (needed !== undefined) return stays(needed);
	const location = {root: colony.root, traceId, disposable: colony.workspaces?.disposable ?? []};
	const removed = await (dryRun ? isRemovable : removeWorktree)(git, location);
	if (!removed.ok) {
		const {message, details} = removed.refusal;
		return stays([message, ...details.map(({path}) => path)].join(' '));
	}
	if (!dryRun) context.failpoint('prune.worktreeRemoved');
	const merge = await findMerge(git, location);
	return goes(merge === undefined ? `all of it is on ${branchOf(traceId)}` : `merged into ${merge.base}`);
};

const judgeSetup = (
	context: ActionContext,
	{bytes, usedAt, isAsked}: {bytes: number; usedAt: number; isAsked: boolean},
): Judgement => {
	const size = `${renderBytes(bytes)} that workspaces.cache keeps`;
	const young = isAsked ? undefined : tooYoung(context, new Date(usedAt).toISOString());
	return young === undefined ? goes(size) : stays(`${size}, ${young}; --setup-cache removes it`);
};

/** Returns why a worktree is still needed; undefined if it is not. */
const neededBecause = (context: ActionContext, trace: Trace): string | undefined => {
	if (openRuns(trace).length > 0) return 'a run of the trace is open';
	if (trace.merge !== undefined) return 'a merge of the trace is open';
	const unfinished = [...trace.tasks.values()].find(
		({status}) => status !== 'completed' && status !== 'cancelled',
	);
	if (unfinished !== undefined && !trace.killed)
		return `the task ${unfinished.taskId} is ${unfinished.status}`;
	return tooYoung(context, trace.updatedAt);
};

const tooYoung = ({clock, colony}: ActionContext, since: string): string | undefined => {
	const keep = colony.defaults.keep ?? defaults.keep;
	const age = clock.now() - Date.parse(since);
	if (age >= keep) return undefined;
	const day = 24 * 60 * 60_000;
	return `younger than ${keep >= day ? `${Math.round(keep / day)} days` : `${Math.round(keep / 1000)} s`}`;
};

const judgeKept = async (
	context: ActionContext,
	kept: KeptTree,
	trace: Trace | undefined,
): Promise<Judgement> => {
	if (trace === undefined) return stays('the log knows no such trace');
	const run = trace.runs.get(kept.name);
	if (run?.status === 'running') return stays('its run is open');
	const since = run?.finishedAt ?? trace.updatedAt;
	const young = tooYoung(context, since);
	if (young !== undefined) return stays(young);
	const only = await onlyKept(context.git, context.colony.root, kept);
	if (only.length === 0) return goes('every file of it is on a branch');
	const merge = run === undefined ? undefined : await mergedSince(context, trace, run);
	if (merge !== undefined) return goes(`its trace was merged after it, as ${merge.slice(0, 7)}`);
	return stays(
		`on no branch: ${only.slice(0, 3).join(', ')}${only.length > 3 ? ` and ${only.length - 3} more` : ''}`,
	);
};

/**
 * Finds a merge of the trace that, by the log, a person approved after the run ended, and that a branch still
 * contains.
 */
const mergedSince = async (
	{bus, git, colony: {root}}: ActionContext,
	{traceId, tasks}: Trace,
	{agentId}: RunRecord,
): Promise<string | undefined> => {
	let ended = false;
	const commits: string[] = [];
	for await (const events of bus.read({traceId, after: 0})) {
		for (const {payload} of events) {
			if (payload.kind === 'run.finished' && payload.agentId === agentId) ended = true;
			const task = payload.kind === 'task.completed' ? tasks.get(String(payload.taskId)) : undefined;
			if (ended && task?.review === 'final' && task.commit) commits.push(task.commit);
		}
	}
	for (const commit of commits) {
		const holder = ['for-each-ref', '--count=1', `--contains=${commit}`, '--format=%(refname)', 'refs/heads'];
		const {exitCode, stdout} = await git.attempt(holder, {cwd: root});
		if (exitCode === 0 && stdout !== '') return commit;
	}
	return undefined;
};
