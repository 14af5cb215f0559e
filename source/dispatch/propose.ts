import {join} from 'node:path';
import {type Bee, proposes, proposesIn} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';
import type {RunRecord, Trees} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {unjudgedRuns} from '../ledger/verdicts.ts';
import type {Git} from '../ports/git.ts';
import {type Change, describeChange, keepTree} from '../workspaces/attribution.ts';
import {resolve} from '../workspaces/objects.ts';
import {refsOf} from '../workspaces/refs.ts';
import {takeBack} from '../workspaces/take-back.ts';
import {captureTree} from '../workspaces/tree.ts';
import {inspectWorktree, type TraceLocation, worktreePath} from '../workspaces/worktree-state.ts';
import type {DispatchPorts} from './ports.ts';
import {cutEnd} from './remains.ts';

/** Bytes of diff, as JSON has it, that an event carries itself; a larger one is a blob (docs/rules.md §4). */
const inlineDiff = 64 * 1024;
const longestDiff = 1024 * 1024;
/** The list of files is cut at this many characters. */
const longestStat = 16 * 1024;

/** What a run did to its workspace, with the trees that prove it. */
export type RunChange = Change & {readonly before: string; readonly after: string; readonly baseSha: string};

/**
 * The change of a run that may propose, from the trees its supervisor recorded, which are kept under `refs/hive/keep`
 * whatever became of the run (docs/architecture.md §5). Nothing for other runs, and for one that never began.
 */
export const readChange = async (
	{git, files, colony}: DispatchPorts,
	bee: Bee,
	trace: Trace,
	run: RunRecord,
	{directory, workspace, endedAt}: {directory: string; workspace: string; endedAt: string},
): Promise<RunChange | undefined> => {
	if (!proposes(bee, run)) return undefined;
	const {root} = colony();
	const {traceId} = trace;
	const isIsolated = proposesIn(bee) === 'isolated';
	const recorded = async (name: string) => (await files.read(join(directory, name)))?.trim() ?? '';
	const before = (await recorded('before')) || (isIsolated ? await lastTree(git, root, trace) : '');
	if (before === '') return undefined;
	const after =
		(await recorded('after')) || (await captureAfter(git, {root, traceId}, isIsolated, workspace));
	const baseSha = (await recorded('before-head')) || ((await resolve(git, root, refsOf(traceId).head)) ?? '');
	// The objects are in the colony's repository, whatever the agent did to its workspace.
	const change = await describeChange(git, {workspace: root, before, after, maxBytes: longestDiff});
	const inWorktree = isIsolated ? company(trace, run) : undefined;
	const kept = {root, traceId, agentId: run.agentId, tree: after, parent: baseSha, endedAt, inWorktree};
	if (!change.empty) await keepTree(git, kept);
	return {...change, before, after, baseSha};
};

/** What the trace's last run left in the worktree, or its branch: nobody took the records of those away. Empty without any. */
const lastTree = async (git: Git, root: string, {traceId, runs}: Trace): Promise<string> => {
	const left = [...runs.values()].findLast(
		({trees, workspace}) => trees !== undefined && workspace === 'isolated',
	);
	return left?.trees?.after ?? (await resolve(git, root, `${refsOf(traceId).head}^{tree}`)) ?? '';
};

/** Whether another run of the trace was open while this one was. */
const company = ({runs}: Trace, {agentId, startedAt}: RunRecord): 'alone' | 'among others' => {
	const others = [...runs.values()].filter(other => other.agentId !== agentId);
	const isOver = ({finishedAt}: RunRecord) => finishedAt !== undefined && finishedAt < startedAt;
	return others.every(isOver) ? 'alone' : 'among others';
};

/** Git would take what is no worktree any more for a part of the root, and the user's files there for the run's. */
const captureAfter = async (
	git: Git,
	location: TraceLocation,
	inWorktree: boolean,
	workspace: string,
): Promise<string> => {
	if (inWorktree && (await inspectWorktree(git, location)).state !== 'whole')
		throw new HiveError('wrong_status', {
			message: `${worktreePath(location)} is not the worktree that git has on record`,
		});
	return captureTree(git, workspace);
};

/**
 * What a run's proposal has: its own change, with the changes of earlier runs of its task that nobody has judged
 * (docs/architecture.md §6). A warning names each run whose trees git does not have any more.
 */
export const readProposed = async (
	{git, colony}: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	change: RunChange,
): Promise<{readonly proposed: RunChange; readonly warnings: readonly string[]}> => {
	const {root} = colony();
	const earlier: Trees[] = [];
	const warnings: string[] = [];
	for (const {agentId, trees} of unjudgedRuns(trace, run)) {
		const kept = trees === undefined ? undefined : await keptTrees(git, root, trees);
		if (kept === undefined)
			warnings.push(`What run ${agentId} changed is not kept any more: it is not in the proposal.`);
		else earlier.push(kept);
	}
	if (earlier.length === 0) return {proposed: change, warnings};
	const before = await takeBack(git, root, change.before, earlier);
	const whole = await describeChange(git, {
		workspace: root,
		before,
		after: change.after,
		maxBytes: longestDiff,
	});
	return {proposed: {...change, ...whole, before}, warnings};
};

const keptTrees = async (git: Git, root: string, trees: Trees): Promise<Trees | undefined> => {
	const ids = await Promise.all([trees.before, trees.after].map(id => resolve(git, root, `${id}^{tree}`)));
	return ids.includes(undefined) ? undefined : trees;
};

/** The proposal that the runtime publishes for the bee (docs/rules.md §6). */
export const proposalPayload = async (
	{bus, colony}: DispatchPorts,
	bee: Bee,
	{traceId}: Trace,
	run: RunRecord,
	change: RunChange,
	{sector, summary}: {sector: string; summary: string},
): Promise<Payload | undefined> => {
	const where = proposesIn(bee);
	if (where === undefined || change.empty) return undefined;
	const isLarge = Buffer.byteLength(JSON.stringify(change.patch)) > inlineDiff;
	return {
		kind: `code.proposal.${where}`,
		workspace: where,
		...(run.taskId === undefined ? {} : {taskId: run.taskId}),
		...(change.baseSha === '' ? {} : {baseSha: change.baseSha}),
		...(where === 'isolated' ? {worktreePath: worktreePath({root: colony().root, traceId})} : {}),
		...(sector === '' ? {} : {sector}),
		...(isLarge ? {ref: await bus.blobs.put(change.patch), diff: ''} : {diff: change.patch}),
		...(change.truncated ? {truncated: true} : {}),
		summary,
		stat: cutEnd(change.stat, longestStat),
		files: change.files.length,
		tree: change.after,
	};
};
