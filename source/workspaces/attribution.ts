import type {Git} from '../ports/git.ts';
import {scratchCommit} from './objects.ts';
import {refsOf} from './refs.ts';

type FileStatus = 'added' | 'changed' | 'deleted' | 'renamed' | 'mode';

/** Paths are relative to the checkout. Lines are counted as git does; a binary file has none. */
type ChangedFile = {
	readonly path: string;
	/** The old path of a renamed file. */
	readonly from?: string;
	readonly status: FileStatus;
	readonly added: number;
	readonly deleted: number;
	readonly binary: boolean;
};

/** What differs between two trees, for people: a list, a summary, and a unified patch cut at `maxBytes`. */
export type Change = {
	readonly empty: boolean;
	readonly files: readonly ChangedFile[];
	readonly patch: string;
	readonly truncated: boolean;
	readonly stat: string;
};

export const noChange: Change = {empty: true, files: [], patch: '', truncated: false, stat: ''};

type Comparison = {
	readonly workspace: string;
	/** Trees or commits. */
	readonly before: string;
	readonly after: string;
	readonly maxBytes: number;
};

/** What a run did to its workspace (docs/architecture.md §5): the trees of `captureTree` before and after it, compared. */
export const describeChange = async (git: Git, comparison: Comparison): Promise<Change> => {
	const {workspace: cwd, before, after, maxBytes} = comparison;
	const compare = (...format: string[]) => [
		'diff-tree',
		'-r',
		'--find-renames',
		'--no-ext-diff',
		'--no-textconv',
		...format,
		before,
		after,
	];
	const [list, stat, patch] = await Promise.all([
		git.run(compare('--raw', '--numstat', '-z'), {cwd}),
		git.run(compare('--stat=100'), {cwd}),
		git.attempt(compare('--patch'), {cwd, maxBytes}),
	]);
	const files = parseFiles(list);
	return {empty: files.length === 0, files, patch: patch.stdout, truncated: patch.truncated, stat};
};

type KeptTree = {
	readonly root: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly tree: string;
	/** The commit the workspace was at. */
	readonly parent: string;
	/** The run worked in the trace's worktree. */
	readonly inWorktree: boolean;
};

/**
 * Keeps a run's tree from git's clean-up as a commit under `refs/hive/keep/<traceId>/<agentId>`, and returns it. One of the
 * worktree is what the trace's work is by now.
 */
export const keepTree = async (
	git: Git,
	{root, traceId, agentId, tree, parent, inWorktree}: KeptTree,
): Promise<string> => {
	const message = `Files of run ${agentId} of trace ${traceId}\n`;
	const commit = await scratchCommit(git, root, {tree, parents: [parent], message});
	const {keep, work} = refsOf(traceId);
	const refs = [keep(agentId), ...(inWorktree ? [work] : [])];
	const input = refs.map(ref => `update ${ref} ${commit}\n`).join('');
	await git.run(['update-ref', '--stdin'], {cwd: root, input});
	return commit;
};

/** `--raw --numstat -z`: all raw records first, each starting with a colon, then the counts in the same order. */
const parseFiles = (text: string): ChangedFile[] => {
	const fields = text.split('\0');
	const raw = takeRaw(fields);
	const counts = takeCounts(fields.slice(raw.reduce((used, {paths}) => used + 1 + paths.length, 0)));
	return raw.map(({status, paths}, index) => {
		const {added = 0, deleted = 0, binary = false} = counts[index] ?? {};
		const [first = '', renamedTo] = paths;
		return renamedTo === undefined
			? {path: first, status, added, deleted, binary}
			: {path: renamedTo, from: first, status, added, deleted, binary};
	});
};

const takeRaw = (fields: readonly string[]) => {
	const records: {status: FileStatus; paths: string[]}[] = [];
	for (let at = 0; fields[at]?.startsWith(':'); ) {
		const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] =
			fields[at]?.slice(1).split(' ') ?? [];
		const paths = fields.slice(at + 1, letter.startsWith('R') ? at + 3 : at + 2);
		records.push({status: statusOf(letter, oldMode !== newMode && oldId === newId), paths});
		at += 1 + paths.length;
	}
	return records;
};

const statusOf = (letter: string, onlyMode: boolean): FileStatus => {
	if (letter === 'A') return 'added';
	if (letter === 'D') return 'deleted';
	if (letter.startsWith('R')) return 'renamed';
	return onlyMode ? 'mode' : 'changed';
};

/** `1 TAB 2 TAB path`, or for a rename `1 TAB 2 TAB` and both paths as records; a binary file counts `-`. */
const takeCounts = (fields: readonly string[]) => {
	const counts: {added: number; deleted: number; binary: boolean}[] = [];
	for (let at = 0; fields[at]; ) {
		const [added = '', deleted = '', path = ''] = fields[at]?.split('\t') ?? [];
		counts.push({added: Number(added) || 0, deleted: Number(deleted) || 0, binary: added === '-'});
		at += path === '' ? 3 : 1;
	}
	return counts;
};
