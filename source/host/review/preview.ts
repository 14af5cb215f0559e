import {strategyOf} from '../../actions/approval.ts';
import type {ActionContext} from '../../actions/context.ts';
import {isShared} from '../../actions/share-base.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Overlooked} from '../../domain/overlooked.ts';
import type {Approval} from '../../domain/pull-request.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {readPatch} from '../../review/patch.ts';
import type {Change} from '../../workspaces/trees/attribution.ts';
import type {MergeCheck} from '../views/landing.ts';
import {readMergeCheck} from './merge-check.ts';
import {previewTrace, readProposal} from './proposals.ts';

type ChangedFile = Change['files'][number];

type FileChange = {
	readonly path: string;
	/** The old path of a renamed file. */
	readonly from?: string;
	readonly added: number;
	readonly removed: number;
};

/** What approving a task would merge or acknowledge. */
export type Preview = Overlooked & {
	readonly workspace: 'isolated' | 'root';
	/** The trace's branch, and the branch that it would be merged into. */
	readonly branch: string;
	readonly base: string;
	/** Id of the tree that would be merged. Sent back with the approval. */
	readonly tree: string;
	/** Ids of the two ends of the patch, if both are known: a commit, and the tree of the present work. */
	readonly fork: string;
	readonly work: string;
	readonly files: readonly FileChange[];
	/** Unified diff, at most 1 MiB. `truncated` is true if there is more. */
	readonly patch: string;
	readonly truncated: boolean;
	/** Files whose change is too large to show; the patch lacks them. Absent if there is none. */
	readonly large?: Change['large'];
	readonly conflicts: readonly string[];
	/** Unsaved files in the merge's way, because of which it would be refused. */
	readonly unsaved: readonly string[];
	/** Unsaved files that the merge changes too: they will have both changes. */
	readonly carried: readonly string[];
	/**
	 * Paths of the work that git cannot add, or that have an unresolved merge. While there are any, the work
	 * can be neither merged nor left on the branch.
	 */
	readonly notTaken: readonly string[];
	/** Names of what makes git run programs here and is new since a person last ran `hive init`. */
	readonly planted: readonly string[];
	/** The check that the merge has to pass before it lands; absent if approving merges nothing. */
	readonly check?: MergeCheck;
	/** True if the merge is pushed to the upstream of its base (`land.push`). */
	readonly isPushed?: boolean;
	/** The effect of approving unless the person chooses; absent without a forge. */
	readonly onApprove?: Approval;
};

/**
 * Previews what approving the task would merge: the whole trace at a final gate, else its newest proposal.
 */
export const previewTask = async (
	context: ActionContext,
	{traceId, taskId}: {traceId: string; taskId: string},
): Promise<Outcome<Preview>> => {
	const trace = await loadTrace(context.bus, traceId);
	const task = trace.tasks.get(taskId);
	if (task === undefined || task.review === 'final') {
		const merged = await previewTrace(context, traceId);
		if (!merged.ok) return merged;
		const {branch, base, tree, files, patch, truncated, conflicts, unsaved, planted} = merged.value;
		const strategy = strategyOf(context, {});
		const {
			repositories,
			unread,
			unresolved = [],
			unfiltered = [],
			carried,
			fork,
			worktreeTree,
			large,
			hidden,
			differs,
			commits,
			baseNotes,
		} = merged.value;
		return accepted({
			...{workspace: 'isolated', branch, base, tree, patch, truncated, unsaved, carried, planted},
			conflicts: conflicts.filter(path => !unresolved.includes(path)),
			// A checkout with another version of hive may not send these.
			...{fork: fork ?? '', work: worktreeTree ?? ''},
			...(large && {large}),
			...{hidden, differs, commits, baseNotes},
			notTaken: [...repositories, ...unread, ...unresolved, ...unfiltered],
			files: files.map(countsOf),
			check: await readMergeCheck(context, trace, tree),
			isPushed: isShared(context.colony),
			...(strategy !== 'merge' && {strategy}),
			...(context.colony.forge && {onApprove: context.colony.forge.onApprove}),
		});
	}
	const proposal = await readProposal(context, traceId, taskId);
	if (!proposal.ok) return proposal;
	const {workspace, patch, hidden} = proposal.value;
	return accepted({
		...{workspace, patch, hidden, branch: '', base: '', tree: '', truncated: false},
		...{fork: '', work: task.proposal?.tree ?? ''},
		...{conflicts: [], unsaved: [], carried: [], notTaken: []},
		files: filesIn(patch),
		planted: (await context.injectedGitConfig?.()) ?? [],
	});
};

/** Returns a file with only its line counts. */
export const countsOf = ({path, from, added, deleted}: ChangedFile): FileChange => ({
	path,
	...(from === undefined ? {} : {from}),
	...{added: added ?? 0, removed: deleted ?? 0},
});

/** Returns the files of a unified diff with their line counts. */
export const filesIn = (patch: string): Preview['files'] =>
	readPatch(patch).map(({path, from, added, removed}) => ({
		path,
		...(from === undefined ? {} : {from}),
		...{added, removed},
	}));
