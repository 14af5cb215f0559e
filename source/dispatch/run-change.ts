import {join} from 'node:path';
import {type Bee, proposes, workspaceOf} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Git} from '../ports/git.ts';
import {type Change, describeChange, keepTree, noChange} from '../workspaces/trees/attribution.ts';
import {captureHeld} from '../workspaces/trees/held-trees.ts';
import {resolve} from '../workspaces/trees/objects.ts';
import {readRef} from '../workspaces/trees/ref-files.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import {captureFolder, captureTree} from '../workspaces/trees/tree.ts';
import {findDamage} from '../workspaces/worktree/damage.ts';
import {inspectWorktree, type TraceLocation, worktreePath} from '../workspaces/worktree/worktree-state.ts';
import type {DispatchPorts} from './ports.ts';

/** Maximum bytes of a patch; a longer one is cut. */
export const maxDiffBytes = 1024 * 1024;

/** A run's change to its workspace, with the trees before and after it. */
export type RunChange = Change & {
	readonly before: string;
	readonly after: string;
	readonly baseSha: string;
	/**
	 * True if the worktree is as it was before the run: the same files, on its branch, and the branch where it
	 * was.
	 */
	readonly leftAsFound?: boolean;
	/** Set if the change is kept but can be neither shown nor merged until the worktree is repaired. */
	readonly fault?: HiveError;
};

/**
 * Reads the change of a run from the trees that its supervisor recorded. They are kept under `refs/hive/keep`
 * whatever happened to the run and its bee (docs/architecture.md §5). If the record is gone and the bee
 * proposes, other trees stand in for it. Returns `undefined` for a run without a record, and for one that
 * never began. Throws if git could not read the tree before the run.
 */
export const readChange = async (
	{git, files, colony}: DispatchPorts,
	bee: Bee | undefined,
	trace: Trace,
	run: RunRecord,
	{directory, workspace, endedAt}: {directory: string; workspace: string; endedAt: string},
): Promise<RunChange | undefined> => {
	const {root} = colony();
	const location = {root, traceId: trace.traceId};
	const isIsolated = (bee === undefined ? run.workspace : workspaceOf(bee, run)) === 'isolated';
	const standsIn = isIsolated && bee !== undefined && proposes(bee, run);
	const recorded = async (name: string) => (await files.read(join(directory, name)))?.trim() ?? '';
	const recordedBefore = await recorded('before');
	const unknown = recordedBefore === '' ? await recorded('tree-error') : '';
	const damaged = unknown === '' ? undefined : await faultOf(git, workspace, unknown);
	const before = recordedBefore || (standsIn ? await lastTree(git, root, trace) : '');
	if (before === '' && damaged !== undefined) throw damaged;
	if (before === '') return undefined;
	const recordedAfter = await recorded('after');
	const {after, fault = damaged} = recordedAfter
		? {after: recordedAfter}
		: await captureAndHold(git, {...location, agentId: run.agentId}, isIsolated, {workspace, before});
	const head = await resolve(git, root, refsOf(trace.traceId).head);
	const recordedHead = await recorded('before-head');
	const baseSha = recordedHead || (head ?? '');
	const inWorktree = isIsolated ? readCompany(trace, run) : undefined;
	const kept = {...location, agentId: run.agentId, tree: after, parent: baseSha, endedAt, inWorktree};
	if (before !== after) await keepTree(git, kept);
	if (fault !== undefined) return {...noChange, before, after, baseSha, fault};
	if (before === after) {
		const isWhole = isIsolated && recordedAfter !== '' && (await recorded('tree-error')) === '';
		const isPlain = isWhole && (await git.leftOut(workspace)).length === 0;
		const leftAsFound = isPlain && head === recordedHead && (await isOnBranch(git, location));
		return {...noChange, before, after, baseSha, leftAsFound};
	}
	// Read from the colony's repository, which has the objects whatever the agent did to its workspace.
	const change = await describeChange(git, {workspace: root, before, after, maxBytes: maxDiffBytes});
	return {...change, before, after, baseSha};
};

/** False if an agent committed and then switched away from the branch. */
const isOnBranch = async (git: Git, location: TraceLocation): Promise<boolean> =>
	(await readRef(git, worktreePath(location), 'HEAD'))?.name === refsOf(location.traceId).head;

/**
 * The tree that the trace's last run left in the worktree, else the tree of its branch; empty if there is
 * neither. Those records exist even if the run's own is gone.
 */
const lastTree = async (git: Git, root: string, {traceId, runs}: Trace): Promise<string> => {
	const left = [...runs.values()].findLast(
		({trees, workspace}) => trees !== undefined && workspace === 'isolated',
	);
	return left?.trees?.after ?? (await resolve(git, root, `${refsOf(traceId).head}^{tree}`)) ?? '';
};

/** Whether another run of the trace was open at the same time. */
const readCompany = ({runs}: Trace, {agentId, startedAt}: RunRecord): 'alone' | 'among others' => {
	const others = [...runs.values()].filter(
		other => other.agentId !== agentId && other.verifies === undefined,
	);
	const isOver = ({finishedAt}: RunRecord) => finishedAt !== undefined && finishedAt < startedAt;
	return others.every(isOver) ? 'alone' : 'among others';
};

const captureAndHold = async (
	git: Git,
	run: TraceLocation & {readonly agentId: string},
	isIsolated: boolean,
	capturing: {readonly workspace: string; readonly before: string},
): Promise<{after: string; fault?: HiveError}> => {
	const capture = async () => {
		const captured = await captureAfter(git, run, isIsolated, capturing);
		return {...captured, tree: captured.after};
	};
	return captureHeld(git, {...run, workspace: run.root}, 'after', capture);
};

/**
 * Captures the tree of the workspace now. For a worktree in which git no longer works it captures the files,
 * to keep them, and returns the fault. Such a change is not proposed, since it cannot be shown or merged
 * until the worktree is repaired.
 */
const captureAfter = async (
	git: Git,
	location: TraceLocation,
	isIsolated: boolean,
	{workspace, before}: {workspace: string; before: string},
): Promise<{after: string; fault?: HiveError}> => {
	if (!isIsolated) return {after: await captureTree(git, workspace)};
	try {
		await expectWhole(git, location);
		return {after: await captureTree(git, workspace)};
	} catch (fault) {
		if (!(fault instanceof HiveError)) throw fault;
		const files = {root: location.root, folder: worktreePath(location), like: before};
		const after = await captureFolder(git, files).catch(() => Promise.reject(fault));
		return {after, fault};
	}
};

/**
 * Throws if the folder is not a whole worktree. Git would treat it as a part of the root, and the user's
 * files there as the run's.
 */
const expectWhole = async (git: Git, location: TraceLocation): Promise<void> => {
	if ((await inspectWorktree(git, location)).state === 'whole') return;
	const path = worktreePath(location);
	throw await faultOf(git, path, `${path} is not the worktree that git has on record`);
};

const faultOf = async (git: Git, folder: string, otherwise: string): Promise<HiveError> => {
	const damage = await findDamage(git, folder);
	return damage === undefined
		? new HiveError('wrong_status', {message: otherwise})
		: new HiveError(damage.refusal.code, damage.refusal);
};
