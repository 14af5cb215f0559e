import {errorMessage} from '../../domain/error-message.ts';
import {formatRefusal, HiveError} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {isExhausted} from '../../domain/exhausted.ts';
import type {Files} from '../../ports/files.ts';
import type {Git, GitFolders} from '../../ports/git.ts';
import {captureHeld} from './held-trees.ts';
import {resolve, treeOf} from './objects.ts';
import {captureReadable} from './tree.ts';

/** A run whose workspace is captured before and after its agent (docs/architecture.md §5). */
export type CapturedRun = {
	readonly traceId: string;
	readonly agentId: string;
	/** Absolute. */
	readonly workspace: string;
};

/** Input of the capture after the agent. Git's folders are those of the capture before. */
export type CaptureAfter = CapturedRun & Pick<GitFolders, 'own' | 'common'> & {readonly runDir: string};

/** Files for the run directory (text by name), and git's folders for the capture after the agent. */
export type CapturedBefore = {
	readonly files: Readonly<Record<string, string>>;
	readonly folders?: Pick<GitFolders, 'own' | 'common'>;
};

/**
 * Captures the tree and the commit of a workspace before its run: `before` and `before-head`. If git cannot
 * give the whole tree, `tree-error` says why, and the run starts all the same. Throws if the machine is out
 * of files or processes.
 *
 * @param isKept whether a ref of an earlier run already holds the tree
 */
export const captureBefore = async (
	git: Git,
	run: CapturedRun,
	isKept: (tree: string) => boolean,
): Promise<CapturedBefore> => {
	try {
		const {own, common} = await git.folders(run.workspace);
		const head = await resolve(git, run.workspace, 'HEAD');
		const capture = async () => {
			const [captured, committed] = await Promise.all([
				captureReadable(git, run.workspace),
				head === undefined ? undefined : treeOfCommit(git, run.workspace, head),
			]);
			return {...captured, committed};
		};
		const isHeld = ({tree, committed}: Awaited<ReturnType<typeof capture>>) =>
			tree === committed || isKept(tree);
		const {tree, isWhole, unread} = await captureHeld(git, run, 'before', capture, isHeld);
		const files = {
			...(head === undefined ? {} : {'before-head': `${head}\n`}),
			before: `${tree}\n`,
			...(isWhole ? {} : {'tree-error': `${formatUnread(unread)}\n`}),
		};
		return {files, folders: {own, common}};
	} catch (error) {
		if (isExhausted(error)) throw error;
		return {files: {'tree-error': `${reasonOf(error)}\n`}};
	}
};

/** Cached, since many runs begin at one commit, whose tree never changes. */
const treesOfCommits = new Map<string, Promise<string>>();
const maxTrees = 64;

const treeOfCommit = (git: Git, cwd: string, commit: string): Promise<string> => {
	if (treesOfCommits.size >= maxTrees) treesOfCommits.clear();
	const tree = treesOfCommits.get(commit) ?? treeOf(git, cwd, commit);
	treesOfCommits.set(commit, tree);
	tree.catch(() => treesOfCommits.delete(commit));
	return tree;
};

/** Captures the tree of the workspace after its agent: `after`, or in `tree-error` why there is none. */
export const captureAfter = async (
	{git, files}: {git: Git; files: Files},
	run: CaptureAfter,
): Promise<void> => {
	const note = async (name: 'after' | 'tree-error', text: string): Promise<void> => {
		// An agent may have put a link in its place.
		await files.remove(`${run.runDir}/${name}`);
		await files.write(`${run.runDir}/${name}`, `${text}\n`, {mode: 0o600});
	};
	try {
		await expectSameCheckout(git, run);
		const capture = () => captureReadable(git, run.workspace);
		const {tree, isWhole, unread} = await captureHeld(git, run, 'after', capture);
		await note('after', tree);
		if (!isWhole) await note('tree-error', formatUnread(unread));
	} catch (error) {
		await note('tree-error', reasonOf(error));
	}
};

const formatUnread = (paths: readonly string[]): string => {
	const what = paths.length === 0 ? 'a repository inside' : paths.map(escapeHidden).join(', ');
	return `Git cannot store ${what}, so the tree has the version from the index.`;
};

/** If a worktree has lost its `.git` file, git takes it for a part of the checkout around it. */
const expectSameCheckout = async (git: Git, {workspace, own, common}: CaptureAfter): Promise<void> => {
	const now = await git.folders(workspace);
	if (now.own !== own || now.common !== common)
		throw new HiveError('wrong_status', {
			message: `${workspace} is no longer in the work tree where it was before the run.`,
		});
};

const reasonOf = (error: unknown): string => {
	if (error instanceof HiveError) return formatRefusal(error.refusal);
	return errorMessage(error);
};
