import {execFileSync} from 'node:child_process';
import {lstat, mkdtemp, readdir, readFile, readlink, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {linesOf, type ScratchColony} from './scratch-colony.ts';

/** A file as git would store it: mode and bytes, as latin1 so that any byte survives. */
export type Kept = {readonly mode: string; readonly bytes: string};

type Files = ReadonlyMap<string, Kept>;

/** All of the user's files and refs that a merge could touch. */
export type RootState = {
	readonly main: string;
	readonly head: string;
	/** Stashes, and every branch except the base and hive's own. */
	readonly others: string;
	readonly worktree: Files;
	readonly index: Files;
};

export const readRootState = async (colony: ScratchColony): Promise<RootState> => {
	const refs = linesOf(await colony.git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads']));
	const stashes = await colony.git(['stash', 'list', '--format=%H %gs']);
	return {
		main: await colony.git(['rev-parse', 'main']),
		head: await colony.git(['symbolic-ref', 'HEAD']),
		others: [...refs.filter(line => !/^refs\/heads\/(main|hive\/\S+) /.test(line)), stashes].join('\n'),
		worktree: await readWorktree(colony.root),
		index: await readBlobs(colony, await colony.git(['ls-files', '--stage', '-z'])),
	};
};

/** Reads the files of a commit. */
export const readCommit = async (colony: ScratchColony, commit: string): Promise<Files> =>
	readBlobs(colony, await colony.git(['ls-tree', '-r', '-z', commit]));

const readWorktree = async (root: string): Promise<Files> => {
	const entries = await readdir(root, {recursive: true, withFileTypes: true});
	const files = new Map<string, Kept>();
	for (const entry of entries.filter(found => !found.isDirectory())) {
		const path = join(entry.parentPath, entry.name);
		const name = path.slice(root.length + 1);
		if (/^\.(git\/|hive\/(worktrees|runs|cache)\/)/.test(name)) continue;
		const stats = await lstat(path);
		const isLink = stats.isSymbolicLink();
		const bytes = isLink ? await readlink(path) : await readFile(path, 'latin1');
		files.set(name, {mode: isLink ? '120000' : stats.mode & 0o100 ? '100755' : '100644', bytes});
	}
	return files;
};

/** Parses records of `ls-files --stage -z` or `ls-tree -r -z`: mode, fields with the object id, tab, path. */
const readBlobs = async (colony: ScratchColony, listed: string): Promise<Files> => {
	const files = new Map<string, Kept>();
	for (const record of listed.split('\0').filter(Boolean)) {
		const [facts = '', path = ''] = record.split('\t');
		const [mode = ''] = facts.split(' ');
		const [id = ''] = /\b[0-9a-f]{40}\b/.exec(facts) ?? [];
		files.set(path, {mode, bytes: await readBlob(colony, id)});
	}
	return files;
};

/** Objects never change, so each is read once. */
const blobs = new Map<string, string>();

const readBlob = async ({root, env}: ScratchColony, id: string): Promise<string> => {
	const known = blobs.get(id);
	if (known !== undefined) return known;
	const options = {cwd: root, env: {PATH: process.env.PATH, ...env}, encoding: 'latin1'} as const;
	const bytes = execFileSync('git', ['cat-file', 'blob', id], options);
	blobs.set(id, bytes);
	return bytes;
};

/** Merges both changes of a file with git's three-way merge. Returns undefined for a conflict. */
export const mergeKept = async (
	{folder}: ScratchColony,
	mine: Kept,
	base: Kept,
	theirs: Kept,
): Promise<Kept | undefined> => {
	const scratch = await mkdtemp(join(folder, 'merge-'));
	try {
		const paths = ['mine', 'base', 'theirs'].map(name => join(scratch, name));
		for (const [index, kept] of [mine, base, theirs].entries())
			await writeFile(paths[index] ?? '', kept.bytes, 'latin1');
		const bytes = execFileSync('git', ['merge-file', '-p', '-q', ...paths], {encoding: 'latin1'});
		return {mode: mine.mode === base.mode ? theirs.mode : mine.mode, bytes};
	} catch {
		return undefined;
	} finally {
		await rm(scratch, {recursive: true});
	}
};
