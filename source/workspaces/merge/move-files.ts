import {lstat, rm} from 'node:fs/promises';
import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {type ChangedPath, changedFiles, diskPath, pathInput, pathText} from '../trees/paths.ts';
import {addTo, captureFilesOf} from '../trees/tree.ts';
import {pathsInTheWay} from './in-the-way.ts';
import {unwritable} from './merge-refusals.ts';
import {listOverlooked} from './overlooked.ts';
import {writeAside} from './write-aside.ts';
import {applyMove, planMove} from './write-files.ts';

/**
 * Two commits or trees: `from` is the checkout's files now, with unsaved changes; `to` is what they become.
 */
export type FileMove = {readonly from: string; readonly to: string};

/**
 * Paths of new files that stay off the disk because a sparse checkout excludes them. Latin1, one character
 * per byte.
 */
export type LeftOut = readonly string[];

/**
 * Gives a checkout's files their new content. All are first written aside, where a full disk harms no file.
 * Then each moves into place atomically, one by one. If this is cut short, files already in place stay.
 * Before any file moves, git checks that each is unchanged. Refused with `merge_refused`; the details have
 * the paths.
 * @param moved called after each file that has moved
 */
export const moveFiles = (
	git: Git,
	checkout: string,
	move: FileMove,
	moved: () => void = () => {},
): Promise<Outcome<LeftOut>> =>
	git.withScratch(checkout, async folder => {
		const {from, to} = move;
		const reason = await writeAside(git, checkout, {from, to, folder});
		if (reason !== undefined) {
			await rm(folder, {recursive: true, force: true});
			const sorted = await sortFiles(git, checkout, move);
			return isAllMoved(sorted) ? accepted(sorted.outside) : unwritable(checkout, reason);
		}
		const deleted = (await changedFiles(git, checkout, from, to)).filter(({status}) => status === 'D');
		const planned = await planMove(folder, checkout, pathsOf(deleted));
		const sorted = await sortFiles(git, checkout, move);
		if (isAllMoved(sorted)) return accepted(sorted.outside);
		const {edited, absent, arrived} = sorted;
		const untracked = await pathsInTheWay(git, checkout, absent.map(pathText));
		const lost = [...edited.map(pathText), ...untracked];
		if (lost.length > 0) return inTheWay([...new Set(lost)]);
		const judged = await git.withIndexCopy(checkout, async env => {
			await addTo(git, checkout, env, '--update');
			const input = pathInput(arrived);
			await git.run(['update-index', '--add', '-z', '--stdin'], {cwd: checkout, env, input});
			return git.attempt(['read-tree', '--dry-run', '-m', '-u', from, to], {cwd: checkout, env});
		});
		if (judged.exitCode !== 0) {
			const hidden = await listHidden(git, checkout, move);
			return hidden.length > 0 ? inTheWay(hidden, takenForUnchanged) : inTheWay([judged.stderr.trim()]);
		}
		const failed = await applyMove(planned, moved);
		return failed ? refuse('merge_refused', {details: [failed]}) : accepted(sorted.outside);
	});

/** True if any file is in its state after the move and was not so before. */
export const hasMoved = async (git: Git, checkout: string, move: FileMove): Promise<boolean> =>
	(await sortFiles(git, checkout, move)).moved.length > 0;

/** Lists the new files that stay off the disk, once all other files have moved. */
export const listLeftOut = async (git: Git, checkout: string, move: FileMove): Promise<LeftOut> =>
	(await sortFiles(git, checkout, move)).outside;

/**
 * Does a two-way merge of the index alone, between trees or commits. Entries that the move leaves alone, or
 * that have already moved, stay. Returns git's reason when it refuses.
 */
export const moveIndex = async (
	git: Git,
	checkout: string,
	{from, to, leftOut}: FileMove & {readonly leftOut: LeftOut},
): Promise<string | undefined> => {
	const {exitCode, stderr} = await git.attempt(['read-tree', '-i', '-m', from, to], {cwd: checkout});
	if (exitCode !== 0) return stderr.trim();
	if (leftOut.length > 0) {
		const input = pathInput(leftOut);
		await git.run(['update-index', '--skip-worktree', '-z', '--stdin'], {cwd: checkout, input});
	}
	await git.attempt(['update-index', '-q', '--refresh'], {cwd: checkout});
	return undefined;
};

const inTheWay = (paths: readonly string[], message = 'is in the way of the merge'): Refused =>
	refuse('merge_refused', {details: paths.map(path => ({path, message}))});

const takenForUnchanged =
	'may have changes that git is set to overlook; "git update-index --no-skip-worktree --no-assume-unchanged <path>" shows them';

/** Lists the written paths that are on disk and whose changes git is set to ignore. */
const listHidden = async (git: Git, checkout: string, {from, to}: FileMove): Promise<string[]> => {
	const [written, overlooked] = await Promise.all([
		changedFiles(git, checkout, from, to),
		listOverlooked(git, checkout),
	]);
	const isHidden = new Set(overlooked);
	return pathsOf(written)
		.filter(path => isHidden.has(path))
		.map(pathText);
};

const pathsOf = (changes: readonly ChangedPath[]) => changes.map(({path}) => path);

const isAllMoved = ({old, edited, moved}: Awaited<ReturnType<typeof sortFiles>>) =>
	old.length === 0 && edited.length === 0 && moved.length > 0;

/**
 * Sorts the files that the move writes: those on disk as before the move, and those as after it. All others
 * were edited since.
 */
const sortFiles = async (git: Git, checkout: string, {from, to}: FileMove) => {
	const [written, sinceBefore, sinceAfter] = await Promise.all([
		changedFiles(git, checkout, from, to),
		changesOnDisk(git, checkout, from),
		changesOnDisk(git, checkout, to),
	]);
	const isOld = ({status, path}: ChangedPath) =>
		status === 'A' ? sinceAfter.get(path) === 'D' : !sinceBefore.has(path);
	const isMoved = ({status, path}: ChangedPath) =>
		status === 'D' ? sinceBefore.get(path) === 'D' : !sinceAfter.has(path);
	const added = written.filter(({status}) => status === 'A');
	const isThere = await Promise.all(
		added.map(({path}) => lstat(diskPath(checkout, path)).catch(() => undefined)),
	);
	const outside = added.filter((change, index) => isMoved(change) && !isThere[index]);
	const isWritten = (change: ChangedPath) => isMoved(change) && !isOld(change) && !outside.includes(change);
	return {
		old: pathsOf(written.filter(isOld)),
		moved: pathsOf(written.filter(isWritten)),
		edited: pathsOf(written.filter(change => !isOld(change) && !isMoved(change))),
		absent: pathsOf(added.filter(change => !isMoved(change))),
		arrived: pathsOf(added.filter(isWritten)),
		/**
		 * New files that git does not check here: a sparse checkout excludes them, though the index would not.
		 */
		outside: pathsOf(outside),
	};
};

const changesOnDisk = async (
	git: Git,
	checkout: string,
	tree: string,
): Promise<ReadonlyMap<string, string>> => {
	const onDisk = await captureFilesOf(git, checkout, tree);
	const changes = await changedFiles(git, checkout, tree, onDisk);
	return new Map(changes.map(({path, status}) => [path, status]));
};
