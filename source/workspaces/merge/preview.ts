import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Overlooked} from '../../domain/overlooked.ts';
import type {Trees} from '../../domain/run.ts';
import type {Git} from '../../ports/git.ts';
import {type Change, describeChange, noChange} from '../trees/attribution.ts';
import {findDiffering} from '../trees/differing.ts';
import {findAddedLinks, type MissedLink} from '../trees/ignored-links.ts';
import {findNestedRepositories} from '../trees/nested-repositories.ts';
import {hasCommit, isAncestor, mergeTrees, resolve, scratchCommit, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {findUnfiltered} from '../trees/unfiltered.ts';
import {readTraceTip, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {planAdvance} from './advance.ts';
import {type Base, readBase} from './base.ts';
import {findFork} from './fork.ts';
import {withLandedWork} from './landed-work.ts';
import {baseGone, baseUnknown} from './merge-refusals.ts';
import {findUnshownCommits} from './unshown-commits.ts';

/** Facts from the log, to compare with what would be merged. */
type OnRecord = {
	/**
	 * Trees of its runs in the worktree that no gate has taken yet, in order. Undefined for a run whose trees
	 * are not known.
	 */
	readonly runs: readonly (Trees | undefined)[];
	/** The base when the trace began; undefined if the log does not have it. */
	readonly start?: string | undefined;
};

/**
 * The merge that an approval would make: the trace's whole work against its base, and the resulting tree
 * (docs/architecture.md §5).
 */
export type Preview = Change &
	Required<Omit<Overlooked, 'hidden' | 'strategy'>> & {
		/** Short name; empty when the worktree was made from a detached HEAD. */
		readonly base: string;
		readonly branch: string;
		readonly baseSha: string;
		/** The trace branch as committed. */
		readonly headSha: string;
		/** The commit at which the two diverged; the patch goes from there to the work. Empty without work. */
		readonly fork: string;
		/** The tree that approve will make; empty on conflict. */
		readonly tree: string;
		/** Everything in the worktree, or the branch's tree when there is none. */
		readonly worktreeTree: string;
		/** Paths that conflict with the base, or that have an unresolved merge in the worktree. */
		readonly conflicts: readonly string[];
		/** Of the conflicts, the paths with an unresolved merge in the worktree. */
		readonly unresolved: readonly string[];
		/** Folders of the work that are nested repositories: none of their files would be merged. */
		readonly repositories: readonly string[];
		/**
		 * Paths in the worktree that git cannot add, for example unreadable ones. Their content would not be
		 * merged.
		 */
		readonly unread: readonly string[];
		/** Paths whose required filter hive left out. They would be merged with their bytes as on disk. */
		readonly unfiltered: readonly string[];
		/** Links that the work adds and that an ignore rule for folders misses, such as `node_modules/`. */
		readonly links: readonly MissedLink[];
		/** True if the trace has neither worktree nor branch. */
		readonly missingWorktree: boolean;
		/** Unsaved paths, in the checkout of the base, that are in the merge's way. */
		readonly unsaved: readonly string[];
		/** Unsaved paths there that the merge changes too: they will have both changes. */
		readonly carried: readonly string[];
	};

/** Maximum bytes of the patch (docs/rules.md §10). */
export const previewBytes = 1024 * 1024;

type Request = TraceLocation & {
	readonly maxBytes?: number;
	/** A file whose patch has more bytes is summarised. */
	readonly largeBytes?: number | undefined;
	/** Absent if the preview is not shown to a person. */
	readonly onRecord?: OnRecord | undefined;
};

/**
 * Previews the merge without moving a file or ref. `empty` if the base already has all of it. The patch is
 * the three-dot diff.
 */
export const previewMerge = async (git: Git, request: Request): Promise<Outcome<Preview>> => {
	const merge = await readMerge(git, request);
	if (!merge.ok) return merge;
	if (!merge.value) return accepted({...nothingYet, branch: refsOf(request.traceId).branch});
	return accepted(await previewOf(git, request, merge.value));
};

/** A trace's work, its base, and git's merge of the two. */
type Merge = {
	readonly base: Base;
	readonly tip: TraceTip;
	readonly fork: string;
	readonly conflicts: readonly string[];
	/** Empty on conflict. */
	readonly tree: string;
	/** True if the base already has all of it. */
	readonly empty: boolean;
};

/** Undefined when the trace has neither worktree nor branch. */
export const readMerge = async (git: Git, location: TraceLocation): Promise<Outcome<Merge | undefined>> => {
	const {root, traceId} = location;
	const [tip, base] = await Promise.all([readTraceTip(git, location), readBase(git, root, traceId)]);
	if (!tip.ok) return tip;
	if (!tip.value) return accepted(undefined);
	if (!base) return baseUnknown(traceId);
	if (!base.commit) return baseGone(base);
	const onto = await withLandedWork(git, location, base.commit, tip.value.commit);
	const fork = await findFork(git, location, {...base, commit: onto}, tip.value);
	if (!fork.ok) return fork;
	const [merged, baseTree] = await Promise.all([
		mergeTrees(git, root, onto, tip.value.commit),
		treeOf(git, root, base.commit),
	]);
	const conflicts = [...new Set([...merged.conflicts, ...tip.value.unmerged])];
	const tree = conflicts.length > 0 ? '' : merged.tree;
	return accepted({base, tip: tip.value, fork: fork.value, conflicts, tree, empty: tree === baseTree});
};

const nothingYet: Omit<Preview, 'branch'> = {
	...noChange,
	base: '',
	baseSha: '',
	headSha: '',
	fork: '',
	tree: '',
	worktreeTree: '',
	conflicts: [],
	unresolved: [],
	repositories: [],
	unread: [],
	unfiltered: [],
	links: [],
	missingWorktree: true,
	unsaved: [],
	carried: [],
	...{differs: [], commits: [], baseNotes: []},
};

const previewOf = async (
	git: Git,
	{root, traceId, maxBytes = previewBytes, largeBytes = previewBytes, onRecord}: Request,
	{base, tip, fork, conflicts, tree, empty}: Merge,
): Promise<Preview> => {
	const [change, {unsaved, carried}, repositories, overlooked, links, unfiltered] = await Promise.all([
		describeChange(git, {workspace: root, before: fork, after: tip.commit, maxBytes, largeBytes}),
		tree === '' ? noneUnsaved : sortUnsaved(git, root, base, {tree, tip: tip.commit}),
		findNestedRepositories(git, root, {fork, tip}),
		onRecord === undefined
			? {differs: [], commits: [], baseNotes: []}
			: compareWithRecord(git, {root, traceId}, {base, tip, tree, fork, onRecord}),
		findAddedLinks(git, tip.worktree ?? root, {fork, tip: tip.commit}),
		findUnfiltered(git, tip.worktree ?? root, {fork, tip: tip.commit}),
	]);
	return {
		...change,
		...overlooked,
		empty,
		base: base.name,
		branch: refsOf(traceId).branch,
		baseSha: base.commit,
		headSha: tip.head,
		fork,
		tree,
		worktreeTree: tip.tree,
		conflicts,
		unresolved: tip.unmerged,
		repositories,
		unread: tip.unread,
		unfiltered,
		links,
		missingWorktree: false,
		unsaved,
		carried,
	};
};

const compareWithRecord = async (
	git: Git,
	{root, traceId}: TraceLocation,
	{
		base,
		tip,
		tree,
		fork,
		onRecord,
	}: Pick<Merge, 'base' | 'tip' | 'tree'> & {readonly fork: string; readonly onRecord: OnRecord},
): Promise<Required<Omit<Overlooked, 'hidden' | 'strategy'>>> => {
	const {runs, start} = onRecord;
	const [differs, commits] = await Promise.all([
		// On a conflict, the result of the merge is not known yet.
		tree === '' ? [] : findDiffering(git, root, {base: base.commit, fork, tree, work: tip.tree, runs, start}),
		findUnshownCommits(git, root, {base: base.commit, fork, head: tip.parent, work: tip.commit}),
	]);
	const baseNotes = start === undefined ? [] : await noteBase(git, root, {base, tip, start, traceId});
	return {differs, commits, baseNotes};
};

/** Notes how the base changed since the trace began, other than by an approval. */
const noteBase = async (
	git: Git,
	root: string,
	{
		base,
		tip,
		start,
		traceId,
	}: Pick<Merge, 'base' | 'tip'> & {readonly start: string; readonly traceId: string},
): Promise<readonly string[]> => {
	if (base.commit === start || !(await hasCommit(git, root, start))) return [];
	const [from, to] = [start, base.commit].map(commit => commit.slice(0, 12));
	if (!(await isAncestor(git, root, start, base.commit)))
		return [
			`${base.name} moved from ${from} to ${to}, which lacks commits that it had when the trace began: the merge may bring them back.`,
		];
	const [isOfBase, isOlder] = await Promise.all([
		isAncestor(git, root, tip.parent, base.commit),
		isAncestor(git, root, tip.parent, start),
	]);
	if (!isOfBase || isOlder || (await wasMerged(git, root, base, traceId))) return [];
	return [`${base.name} moved from ${from} to ${to} and has commits of this trace that no approval merged.`];
};

/** True if a merge of hive brought the commits to the base. */
const wasMerged = async (git: Git, root: string, base: Base, traceId: string): Promise<boolean> => {
	const merged = await resolve(git, root, refsOf(traceId).merged);
	return merged !== undefined && (await isAncestor(git, root, merged, base.commit));
};

const noneUnsaved: Pick<Preview, 'unsaved' | 'carried'> = {unsaved: [], carried: []};

const sortUnsaved = async (git: Git, root: string, base: Base, merge: {tree: string; tip: string}) => {
	const parents = [base.commit, merge.tip];
	const to = await scratchCommit(git, root, {tree: merge.tree, parents, message: 'Preview\n'});
	const advance = await planAdvance(git, {root, ref: base.ref, from: base.commit, to});
	if (advance.way === 'blocked') return {...noneUnsaved, unsaved: advance.paths};
	return advance.way === 'carry' ? {...noneUnsaved, carried: advance.carry.paths} : noneUnsaved;
};
