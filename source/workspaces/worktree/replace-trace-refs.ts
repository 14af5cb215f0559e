import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {currentBase, recordBase} from '../merge/base.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {hasCommit, isAncestor, resolve} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {isTraceRef, listTraceRefs, type Refs} from '../trees/trace-refs.ts';
import {readTraceTip} from './trace-tip.ts';
import {removeWorktree} from './worktree.ts';
import {inspectWorktree, type TraceLocation, worktreePath} from './worktree-state.ts';

/** A trace's work from another clone. All its commits are already here. */
type Work = {
	readonly refs: Refs;
	/**
	 * The branch that the work would be merged into there, and its commit. The name is empty for a detached
	 * HEAD.
	 */
	readonly base: {readonly name: string; readonly commit: string};
};

/** Additional results of adopting a trace's work. */
export type ReplacedRefs = {
	/** Refs that keep what this checkout had of the trace before. */
	readonly kept: readonly string[];
	/** Ref of the base as it was in the other clone, if the branch of that name here does not contain it. */
	readonly base: string | undefined;
};

/**
 * Replaces this checkout's refs of the trace by those of the adopted work. The old ones are first kept under
 * other refs. Refused if files would be lost that git does not have. May be repeated.
 */
export const replaceTraceRefs = async (
	git: Git,
	location: TraceLocation & {readonly disposable: readonly string[]},
	{refs, base}: Work,
): Promise<Outcome<ReplacedRefs>> => {
	const {root, traceId} = location;
	const theirs = Object.fromEntries(Object.entries(refs).filter(([ref]) => isTraceRef(traceId, ref)));
	const cleared = await clearWorktree(git, location);
	if (!cleared.ok) return cleared;
	const kept = await keepOwn(git, location, theirs, cleared.value);
	const own = await listTraceRefs(git, location);
	const stale = Object.keys(own).filter(ref => !(ref in theirs) && !ref.startsWith(refsOf(traceId).keep('')));
	const moves = [
		...Object.entries(theirs).map(([ref, commit]) => `update ${ref} ${commit}`),
		...stale.map(ref => `delete ${ref}`),
	];
	await git.run(['update-ref', '--stdin'], {cwd: root, input: `${moves.join('\n')}\n`});
	return accepted({kept, base: await replaceBase(git, location, base)});
};

/** Removes the trace's worktree. Returns a commit with everything that was in it. */
const clearWorktree = async (
	git: Git,
	location: TraceLocation & {readonly disposable: readonly string[]},
): Promise<Outcome<string | undefined>> => {
	const {state, elsewhere} = await inspectWorktree(git, location);
	if (elsewhere !== undefined)
		return refuse('wrong_status', {
			message: `${refsOf(location.traceId).branch} is checked out in ${elsewhere}.`,
			hint: 'Switch to another branch there, then take the trace again; nothing was changed.',
		});
	if (state === 'none' || state === 'missing') return accepted(undefined);
	// The commit gets a ref before the files go, since it is their only copy.
	const tip = await writeBesideCleanUp(git, location.root, async () => {
		const tip = await readTraceTip(git, location);
		const commit = tip.ok ? tip.value?.commit : undefined;
		if (commit === undefined) return {value: tip, ids: []};
		await git.run(['update-ref', earlier(location.traceId, commit), commit], {cwd: location.root});
		return {value: tip, ids: [commit]};
	});
	if (!tip.ok) return tip;
	const commit = tip.value?.commit;
	if (commit !== undefined)
		await git.run(['checkout', '--quiet', '--force', '--detach', commit], {cwd: worktreePath(location)});
	const removed = await removeWorktree(git, location);
	return removed.ok ? accepted(commit) : removed;
};

/** Keeps this checkout's branch under a ref, unless it is contained in the adopted work. */
const keepOwn = async (
	git: Git,
	{root, traceId}: TraceLocation,
	theirs: Refs,
	cleared: string | undefined,
): Promise<string[]> => {
	const head = await resolve(git, root, refsOf(traceId).head);
	const kept: string[] = [];
	for (const commit of new Set([head, cleared])) {
		if (commit === undefined) continue;
		const ref = earlier(traceId, commit);
		const isTheirs = await isAncestorOfAny(git, root, commit, Object.values(theirs));
		await git.run(isTheirs ? ['update-ref', '-d', ref] : ['update-ref', ref, commit], {cwd: root});
		if (!isTheirs) kept.push(ref);
	}
	return kept;
};

const earlier = (traceId: string, commit: string): string =>
	refsOf(traceId).keep(`branch-${commit.slice(0, 12)}`);

const isAncestorOfAny = async (git: Git, root: string, commit: string, others: readonly string[]) => {
	for (const other of others) if (await isAncestor(git, root, commit, other)) return true;
	return false;
};

/** Sets the trace's base to the branch of the same name, or to what is checked out. */
const replaceBase = async (
	git: Git,
	{root, traceId}: TraceLocation,
	{name, commit}: Work['base'],
): Promise<string | undefined> => {
	const ref = `refs/heads/${name}`;
	const own = name === '' ? undefined : await resolve(git, root, ref);
	const base = own === undefined ? await currentBase(git, root) : {ref, name, commit: own};
	if (base !== undefined) await recordBase(git, root, traceId, base);
	if (commit === '' || !(await hasCommit(git, root, commit))) return undefined;
	if (base !== undefined && (await isAncestor(git, root, commit, base.commit))) return undefined;
	const kept = refsOf(traceId).keep('base');
	await git.run(['update-ref', kept, commit], {cwd: root});
	return kept;
};
