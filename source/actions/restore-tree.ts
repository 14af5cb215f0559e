import {join} from 'node:path';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type KeptTree, listKept} from '../workspaces/trees/kept-trees.ts';
import {writeTreeTo} from '../workspaces/trees/write-tree-to.ts';
import type {ActionContext} from './context.ts';

export type Restored = {
	readonly ref: string;
	readonly commit: string;
	/** Absolute path. */
	readonly folder: string;
	readonly written: readonly string[];
};

/**
 * Writes the files of a run into a folder. Default: a folder of its own below `.hive/cache`, which git
 * ignores. Overwrites nothing: if a different file is in the way, nothing at all is written.
 */
export const restoreTree = async (
	{git, colony, files, failpoint}: ActionContext,
	{which, to}: {which: string; to?: string | undefined},
): Promise<Outcome<Restored>> => {
	const found = (await listKept(git, colony.root)).filter(({ref, name}) => ref === which || name === which);
	const [kept] = found;
	if (kept === undefined) return unknown(which);
	if (found.length > 1) return ambiguous(which, found);
	const folder = to ?? join(colony.root, '.hive', 'cache', 'restored', kept.traceId, kept.name);
	await files.makeFolder(folder);
	failpoint('restore.folderMade');
	const {written, inTheWay, failed} = await writeTreeTo(git, colony.root, {commit: kept.commit, folder});
	if (failed !== undefined) return refuseHalf(folder, inTheWay, failed);
	if (inTheWay.length > 0) return refuseInTheWay(folder, inTheWay);
	failpoint('restore.written');
	return accepted({ref: kept.ref, commit: kept.commit, folder, written});
};

const unknown = (which: string) =>
	refuse('run_not_found', {
		message: `No files are kept under "${which}".`,
		hint: 'See what is kept with "hive restore --list".',
	});

const ambiguous = (which: string, found: readonly KeptTree[]) =>
	refuse('usage', {
		message: `"${which}" names ${found.length} kept trees.`,
		hint: 'Name one by its ref.',
		details: found.map(({ref}) => ({path: ref, message: 'is one of them'})),
	});

const refuseInTheWay = (folder: string, paths: readonly string[]) =>
	refuse('would_overwrite', {
		message: `In ${folder} there are other files in the way; none was touched.`,
		hint: 'Choose an empty folder with --to <dir>.',
		details: paths.map(path => ({path, message: 'is there and differs'})),
	});

const refuseHalf = (folder: string, paths: readonly string[], reason: string) =>
	refuse('internal', {
		message: `Not all files could be written to ${folder}: ${reason}`,
		hint: 'Free disk space, remove the listed files, then try again. Or choose another folder with --to <dir>.',
		details: paths.map(path => ({path, message: 'is incomplete'})),
	});
