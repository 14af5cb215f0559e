import {redactionMargin} from '../../domain/redact.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from './beside-clean-up.ts';
import {findLargeFiles, type LargeFile} from './large-files.ts';
import {resolve, scratchCommit} from './objects.ts';
import {refsOf} from './refs.ts';
import {contentAlone, type ObjectsAlone, withObjectsAlone} from './scratch-repository.ts';
import {type BinaryFile, findTextAmong, showAsText} from './text-with-nuls.ts';

type FileStatus = 'added' | 'changed' | 'deleted' | 'renamed' | 'mode';

/**
 * A changed file. Paths are relative to the checkout. Lines are counted as git does; a binary file has none.
 */
type ChangedFile = {
	readonly path: string;
	/** The old path of a renamed file. */
	readonly from?: string;
	readonly status: FileStatus;
	readonly added: number;
	readonly deleted: number;
	readonly binary: boolean;
};

/** The difference between two trees, for people: a list, a summary, and a unified patch cut at `maxBytes`. */
export type Change = {
	readonly empty: boolean;
	readonly files: readonly ChangedFile[];
	readonly patch: string;
	readonly truncated: boolean;
	readonly stat: string;
	/** Files whose change is too large to show; the patch lacks them. Absent if there is none. */
	readonly large?: readonly LargeFile[];
};

export const noChange: Change = {empty: true, files: [], patch: '', truncated: false, stat: ''};

/** A change, and the files that git treats as binary, whose lines it does not show. */
type Compared = Change & {
	readonly binary: readonly BinaryFile[];
	/** Names and contents of each file, before and after. */
	readonly contents: readonly BinaryFile[];
};

type Comparison = {
	readonly workspace: string;
	/** Trees or commits. */
	readonly before: string;
	readonly after: string;
	readonly maxBytes: number;
	/** A file whose patch has more bytes is summarised. Default: none is. */
	readonly largeBytes?: number | undefined;
	/** Only these files, by their whole paths. Default: all. */
	readonly paths?: readonly string[];
	/** Not these files. */
	readonly without?: readonly string[];
};

/**
 * Returns the difference between two trees: those of `captureTree` before and after a run, or of a base and
 * the work (docs/architecture.md §5). It depends on the two trees alone: no attribute makes a text binary,
 * and no setting leaves out a submodule.
 */
export const describeChange = (git: Git, comparison: Comparison): Promise<Change> =>
	withObjectsAlone(git, comparison.workspace, async env => {
		const first = await compareObjects(git, comparison, env);
		const text = await findTextAmong(git, comparison.workspace, first.binary, env);
		if (text.length === 0) return summarise(git, comparison, first, env);
		await showAsText(env, text);
		return summarise(git, comparison, await compareObjects(git, comparison, env), env);
	});

/** Takes the files out of the patch whose change is too large to show. */
const summarise = async (
	git: Git,
	comparison: Comparison,
	{binary, contents, ...change}: Compared,
	env: ObjectsAlone,
): Promise<Change> => {
	const {largeBytes, maxBytes} = comparison;
	if (largeBytes === undefined || (!change.truncated && change.patch.length <= largeBytes)) return change;
	const text = contents.filter(file => !binary.includes(file));
	const readPatch = async (paths: readonly string[], limit: number): Promise<string> => {
		const args = [...compareArguments, '--patch', ...endsOf({...comparison, paths})];
		return (await git.attempt(args, {cwd: comparison.workspace, env, asBytes: true, maxBytes: limit})).stdout;
	};
	const found = await findLargeFiles(git, {
		cwd: comparison.workspace,
		env,
		files: text,
		largeBytes,
		readPatch,
	});
	if (found.length === 0) return change;
	const without = found.flatMap(({paths}) => paths);
	const rest = await compareObjects(git, {...comparison, without}, env);
	const large = found.map(({paths, patch}): LargeFile => {
		const [path = ''] = paths;
		const {added = 0, deleted = 0} = change.files.find(file => file.path === path) ?? {};
		return {
			path,
			added,
			deleted,
			beginning: decode(beginning(patch, Math.min(maxBytes, maxBeginning)), true),
		};
	});
	return {...change, patch: rest.patch, truncated: true, large};
};

/** Maximum bytes of the beginning of a large file's patch. */
const maxBeginning = 4096;

const compareObjects = async (git: Git, comparison: Comparison, env: ObjectsAlone): Promise<Compared> => {
	const {workspace: cwd, maxBytes} = comparison;
	const trees = endsOf(comparison);
	const compare = compareArguments;
	const listing = ['--raw', '--numstat', '--stat=100'];
	const diff = (format: readonly string[], maxOutputBytes: number) =>
		git.attempt([...compare, ...format, ...trees], {cwd, env, asBytes: true, maxBytes: maxOutputBytes});
	const all = await diff([...listing, '--patch'], maxListingBytes + maxBytes);
	if (all.exitCode === 0 && !(all.truncated && partsOf(all.stdout).patch === undefined))
		return changeOf(all.stdout, maxBytes);
	// In a partial clone, objects may be missing. This call lets git fetch them if it has a remote.
	if (all.exitCode !== 0) await git.attempt([...compare, '--numstat', ...trees], {cwd});
	const list = await git.run([...compare, ...listing, ...trees], {cwd, env, asBytes: true});
	const patch = await diff(['--patch'], maxBytes + 1);
	return changeOf(`${list}\0${patch.stdout}`, maxBytes);
};

const compareArguments = [
	...contentAlone,
	...['diff-tree', '-r', '--find-renames', '--ignore-submodules=none', '--submodule=short'],
	...['--no-ext-diff', '--no-textconv', '-z'],
];

const endsOf = ({before, after, paths = [], without = []}: Comparison): readonly string[] => {
	const only = [
		...paths.map(path => `:(literal)${path}`),
		...without.map(path => `:(exclude,literal)${path}`),
	];
	return [before, after, ...(only.length > 0 ? ['--', ...only] : [])];
};

/** Maximum bytes of the list of files and its summary, which are read together with the patch. */
const maxListingBytes = 1024 * 1024;

/** @param text latin1, one character per byte: the files, their summary, and after a NUL the patch */
const changeOf = (text: string, maxBytes: number): Compared => {
	const {files, binary, contents, stat, patch = ''} = partsOf(text);
	const truncated = patch.length > maxBytes;
	return {
		empty: files.length === 0,
		files,
		patch: decode(truncated ? beginning(patch, maxBytes) : patch, truncated),
		truncated,
		stat: decode(stat.replace(/\n$/, '')),
		binary,
		contents,
	};
};

/**
 * Cuts the text without cutting a secret. It cuts after the last whole line, or in a long line before the
 * place where a secret may begin.
 */
const beginning = (text: string, maxBytes: number): string =>
	text.slice(0, Math.max(text.lastIndexOf('\n', maxBytes - 1) + 1, maxBytes - redactionMargin));

/** Decodes UTF-8. With `isCut`, an incomplete character at the end is left out. */
const decode = (bytes: string, isCut = false): string =>
	new TextDecoder().decode(Buffer.from(bytes, 'latin1'), {stream: isCut});

type KeptTree = {
	readonly root: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly tree: string;
	/** The commit the workspace was at; empty before the first one. */
	readonly parent: string;
	/** ISO 8601. */
	readonly endedAt: string;
	/** Set if the run worked in the trace's worktree. `alone`: no other run of the trace was open during it. */
	readonly inWorktree: 'alone' | 'among others' | undefined;
};

/**
 * Keeps a run's tree from git's garbage collection, as a commit under `refs/hive/keep/<traceId>/<agentId>`.
 * Returns the commit. If the run was in the worktree, the trace's work ref moves to it, unless that ref has a
 * newer commit. So keeping an older tree late, or twice, does not move the work back.
 */
export const keepTree = (git: Git, kept: KeptTree): Promise<string> =>
	writeBesideCleanUp(git, kept.root, async () => {
		const commit = await writeKept(git, kept);
		return {value: commit, ids: [commit]};
	});

const writeKept = async (
	git: Git,
	{root, traceId, agentId, tree, parent, endedAt, inWorktree}: KeptTree,
): Promise<string> => {
	const message = `Files of run ${agentId} of trace ${traceId}\n\n${endedAt}\n`;
	const commit = await scratchCommit(git, root, {tree, parents: parent === '' ? [] : [parent], message});
	const {keep, work} = refsOf(traceId);
	const kept = keep(agentId);
	if (inWorktree === 'alone') {
		const once = {cwd: root, input: `create ${kept} ${commit}\nupdate ${work} ${commit}\n`};
		if ((await git.attempt(['update-ref', '--stdin'], once)).exitCode === 0) return commit;
		if ((await resolve(git, root, kept)) === undefined) await git.run(['update-ref', '--stdin'], once);
	}
	await git.run(['update-ref', kept, commit], {cwd: root});
	if (inWorktree === 'among others') await moveWork(git, root, work, {commit, endedAt});
	return commit;
};

/**
 * Moves the work ref by compare-and-set, and retries when another run that ended at the same time moved it
 * first.
 */
const moveWork = async (
	git: Git,
	root: string,
	work: string,
	kept: {readonly commit: string; readonly endedAt: string},
	tries = 5,
): Promise<void> => {
	const listArguments = ['for-each-ref', '--format=%(objectname) %(contents:body)', work];
	const [found = '', newest = ''] = (await git.run(listArguments, {cwd: root})).trim().split(' ');
	if (newest > kept.endedAt) return;
	const move = ['update-ref', work, kept.commit, found];
	if (tries === 1) await git.run(move, {cwd: root});
	else if ((await git.attempt(move, {cwd: root})).exitCode !== 0)
		await moveWork(git, root, work, kept, tries - 1);
};

/**
 * Parses git's output. All raw records come first, each with a colon at its start. Then come the counts in
 * the same order, the summary, and a NUL before the patch.
 */
const partsOf = (
	text: string,
): {files: ChangedFile[]; binary: BinaryFile[]; contents: BinaryFile[]; stat: string; patch?: string} => {
	const fields = text.split('\0');
	const raw = takeRaw(fields);
	const listed = raw.reduce((used, {paths}) => used + 1 + paths.length, 0);
	const {counts, used} = takeCounts(fields.slice(listed), raw.length);
	const files = raw.map(({status, paths}, index) => {
		const {added = 0, deleted = 0, binary = false} = counts[index] ?? {};
		const [first = '', renamedTo] = paths.map(path => decode(path));
		return renamedTo === undefined
			? {path: first, status, added, deleted, binary}
			: {path: renamedTo, from: first, status, added, deleted, binary};
	});
	const [stat = '', ...patch] = fields.slice(listed + used);
	const contents = files.map(({path, from}, index) => ({
		paths: [path, ...(from === undefined ? [] : [from])],
		blobs: raw[index]?.blobs ?? [],
	}));
	const binary = contents.filter((_, index) => files[index]?.binary);
	return {files, binary, contents, stat, ...(patch.length > 0 && {patch: patch.join('\0')})};
};

const takeRaw = (fields: readonly string[]) => {
	const records: {status: FileStatus; blobs: string[]; paths: string[]}[] = [];
	for (let at = 0; fields[at]?.startsWith(':'); ) {
		const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] =
			fields[at]?.slice(1).split(' ') ?? [];
		const paths = fields.slice(at + 1, letter.startsWith('R') ? at + 3 : at + 2);
		const status = statusOf(letter, oldMode !== newMode && oldId === newId);
		records.push({status, blobs: [oldId, newId], paths});
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
const takeCounts = (fields: readonly string[], files: number) => {
	const counts: {added: number; deleted: number; binary: boolean}[] = [];
	let used = 0;
	while (counts.length < files && used < fields.length) {
		const [added = '', deleted = '', path = ''] = fields[used]?.split('\t') ?? [];
		counts.push({added: Number(added) || 0, deleted: Number(deleted) || 0, binary: added === '-'});
		used += path === '' ? 3 : 1;
	}
	return {counts, used};
};
