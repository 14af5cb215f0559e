import {type Bee, proposes, workspaceOf} from '../colony/colony.ts';
import {verifyOf} from '../colony/verification.ts';
import type {Payload} from '../domain/event.ts';
import type {RunRecord, Trees} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {unjudgedRuns} from '../ledger/verdicts.ts';
import type {Git} from '../ports/git.ts';
import {revertRuns} from '../workspaces/merge/revert-runs.ts';
import {describeChange} from '../workspaces/trees/attribution.ts';
import {resolve} from '../workspaces/trees/objects.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';
import type {DispatchPorts} from './ports.ts';
import {cutEnd} from './remains.ts';
import {maxDiffBytes, type RunChange} from './run-change.ts';

/** Maximum bytes of a diff, as JSON, inside an event; a larger one is stored as a blob (docs/rules.md §4). */
const inlineDiff = 64 * 1024;
/** Maximum characters of the list of files; a longer one is cut. */
const maxStatBytes = 16 * 1024;

/**
 * The content of a run's proposal: its own change, with the unjudged changes of earlier runs of its task
 * (docs/architecture.md §6). A warning names each run whose trees git no longer has.
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
		const kept = trees && (await keptTrees(git, root, trees, refsOf(trace.traceId).keep(agentId)));
		if (kept === undefined)
			warnings.push(`The changes of run ${agentId} are no longer kept, so they are not in the proposal.`);
		else earlier.push(kept);
	}
	if (earlier.length === 0) return {proposed: change, warnings};
	const before = await revertRuns(git, root, change.before, earlier);
	const whole = await describeChange(git, {
		workspace: root,
		before,
		after: change.after,
		maxBytes: maxDiffBytes,
	});
	return {proposed: {...change, ...whole, before}, warnings};
};

/**
 * A ref keeps only the tree after a run. The tree before it may be gone, if it had unsaved files; the tree of
 * the commit below stands in for it.
 */
const keptTrees = async (git: Git, root: string, trees: Trees, ref: string): Promise<Trees | undefined> => {
	const [before, committed, after] = await Promise.all(
		[trees.before, `${ref}^`, trees.after].map(id => resolve(git, root, `${id}^{tree}`)),
	);
	const start = before ?? committed;
	return start === undefined || after === undefined ? undefined : {before: start, after};
};

/** The proposal that the runtime emits for the bee (docs/rules.md §6). */
export const proposalPayload = async (
	{bus, colony}: DispatchPorts,
	bee: Bee,
	{traceId}: Trace,
	run: RunRecord,
	change: RunChange,
	{sector, summary}: {sector: string; summary: string},
): Promise<Payload | undefined> => {
	if (!proposes(bee, run) || change.empty) return undefined;
	const where = workspaceOf(bee, run);
	const verify = verifyOf(colony(), bee.role);
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
		stat: cutEnd(change.stat, maxStatBytes),
		files: change.files.length,
		tree: change.after,
		...(verify === undefined ? {} : {verification: verify.required ? 'required' : 'optional'}),
	};
};
