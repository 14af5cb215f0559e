import {accepted, type Outcome} from '../domain/errors.ts';
import type {Git} from '../ports/git.ts';
import {planAdvance} from './advance.ts';
import {type Change, describeChange, noChange} from './attribution.ts';
import {type Base, readBase} from './base.ts';
import {baseGone, baseUnknown} from './merge-refusals.ts';
import {findNestedRepositories} from './nested-repositories.ts';
import {mergeBaseOf, mergeTrees, scratchCommit, treeOf} from './objects.ts';
import {refsOf} from './refs.ts';
import {readTraceTip, type TraceTip} from './trace-tip.ts';
import type {TraceLocation} from './worktree-state.ts';

/** What approve would merge: the trace's whole work against its base, and the tree that comes of it (docs/architecture.md §5). */
export type Preview = Change & {
	/** Short name; empty when the worktree was made from a detached HEAD. */
	readonly base: string;
	readonly branch: string;
	readonly baseSha: string;
	/** The trace branch as committed. */
	readonly headSha: string;
	/** The commit from which both went on: the patch is from there to the work; empty without work. */
	readonly fork: string;
	/** The tree that approve will make; empty on conflict. */
	readonly tree: string;
	/** Everything in the worktree, or the branch's tree when there is none. */
	readonly worktreeTree: string;
	/** Paths that conflict with the base, or that have an unresolved merge in the worktree. */
	readonly conflicts: readonly string[];
	/** Folders of the work that are repositories of their own: no file in them would be merged. */
	readonly repositories: readonly string[];
	/** Paths in the worktree that git does not take, unreadable ones for example: what is in them would not be merged. */
	readonly unread: readonly string[];
	/** The trace has neither worktree nor branch. */
	readonly missingWorktree: boolean;
	/** Paths of the checkout that has the base, unsaved and in the merge's way. */
	readonly unsaved: readonly string[];
	/** Unsaved paths there that the merge changes too: they will have both changes. */
	readonly carried: readonly string[];
};

/** Limit of the patch in bytes (docs/rules.md §10). */
export const previewBytes = 1024 * 1024;

/** No file or ref moves. `empty` when the base has it all already; the patch is the three-dot diff. */
export const previewMerge = async (
	git: Git,
	request: TraceLocation & {readonly maxBytes?: number},
): Promise<Outcome<Preview>> => {
	const merge = await readMerge(git, request);
	if (!merge.ok) return merge;
	if (!merge.value) return accepted({...nothingYet, branch: refsOf(request.traceId).branch});
	return accepted(await previewOf(git, request, merge.value));
};

/** A trace's work beside its base, and what git makes of the two. */
type Merge = {
	readonly base: Base;
	readonly tip: TraceTip;
	readonly conflicts: readonly string[];
	/** Empty on conflict. */
	readonly tree: string;
	/** The base has it all already. */
	readonly empty: boolean;
};

/** Nothing when the trace has neither worktree nor branch. */
export const readMerge = async (git: Git, location: TraceLocation): Promise<Outcome<Merge | undefined>> => {
	const {root, traceId} = location;
	const [tip, base] = await Promise.all([readTraceTip(git, location), readBase(git, root, traceId)]);
	if (!tip.ok) return tip;
	if (!tip.value) return accepted(undefined);
	if (!base) return baseUnknown(traceId);
	if (!base.commit) return baseGone(base);
	const [merged, baseTree] = await Promise.all([
		mergeTrees(git, root, base.commit, tip.value.commit),
		treeOf(git, root, base.commit),
	]);
	const conflicts = [...new Set([...merged.conflicts, ...tip.value.unmerged])];
	const tree = conflicts.length > 0 ? '' : merged.tree;
	return accepted({base, tip: tip.value, conflicts, tree, empty: tree === baseTree});
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
	repositories: [],
	unread: [],
	missingWorktree: true,
	unsaved: [],
	carried: [],
};

const previewOf = async (
	git: Git,
	{root, traceId, maxBytes = previewBytes}: TraceLocation & {readonly maxBytes?: number},
	{base, tip, conflicts, tree, empty}: Merge,
): Promise<Preview> => {
	const fork = await mergeBaseOf(git, root, base.commit, tip.commit);
	const [change, {unsaved, carried}, repositories] = await Promise.all([
		describeChange(git, {workspace: root, before: fork, after: tip.commit, maxBytes}),
		tree === '' ? noneUnsaved : sortUnsaved(git, root, base, {tree, tip: tip.commit}),
		findNestedRepositories(git, root, {fork, tip}),
	]);
	return {
		...change,
		empty,
		base: base.name,
		branch: refsOf(traceId).branch,
		baseSha: base.commit,
		headSha: tip.head,
		fork,
		tree,
		worktreeTree: tip.tree,
		conflicts,
		repositories,
		unread: tip.unread,
		missingWorktree: false,
		unsaved,
		carried,
	};
};

const noneUnsaved: Pick<Preview, 'unsaved' | 'carried'> = {unsaved: [], carried: []};

const sortUnsaved = async (git: Git, root: string, base: Base, merge: {tree: string; tip: string}) => {
	const parents = [base.commit, merge.tip];
	const to = await scratchCommit(git, root, {tree: merge.tree, parents, message: 'Preview\n'});
	const advance = await planAdvance(git, {root, ref: base.ref, from: base.commit, to});
	if (advance.way === 'blocked') return {...noneUnsaved, unsaved: advance.paths};
	return advance.way === 'carry' ? {...noneUnsaved, carried: advance.carry.paths} : noneUnsaved;
};
