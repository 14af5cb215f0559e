import {lstatSync, readdirSync} from 'node:fs';
import type {Git} from '../../ports/git.ts';
import {expectTraceId, refsOf} from '../trees/refs.ts';
import {type Checkout, listCheckouts} from './checkouts.ts';

/** A trace in a checkout of the colony; `root` is the absolute git root. */
export type TraceLocation = {readonly root: string; readonly traceId: string};

/** Relative to the git root. */
export const worktreesFolder = '.hive/worktrees';

/** Throws `invalid_id`. */
export const worktreePath = ({root, traceId}: TraceLocation): string => {
	expectTraceId(traceId);
	return `${root}/${worktreesFolder}/${traceId}`;
};

/**
 * Returns the first of these folders that is a symbolic link. Git would make a worktree wherever it leads
 * (docs/reliability.md I14).
 */
export const findLink = (folders: readonly string[]): string | undefined => folders.find(isLink);

const isLink = (path: string): boolean => {
	try {
		return lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() ?? false;
	} catch {
		return false;
	}
};

/** Reason of git's own lock on a worktree until all its files are written. */
export const makingMark = 'hive is making this worktree';

export type WorktreeState =
	/** Git has no record of one. */
	| {readonly state: 'none'}
	/** Its folder is gone. */
	| {readonly state: 'missing'}
	/** Left by a crash before all files were written; `opens` tells whether git can work in it. */
	| {readonly state: 'half-made'; readonly opens: boolean}
	/** The folder is not the worktree on git's record, or git does not open it. */
	| {readonly state: 'foreign'}
	| {readonly state: 'whole'};

/** Inspects the trace's path. `elsewhere` is another checkout that has the trace branch. */
export const inspectWorktree = async (
	git: Git,
	location: TraceLocation,
): Promise<WorktreeState & {readonly elsewhere?: string}> => {
	const [checkouts, root] = await Promise.all([
		listCheckouts(git, location.root),
		git.run(['rev-parse', '--show-toplevel'], {cwd: location.root}),
	]);
	const path = worktreePath({...location, root});
	const elsewhere = checkouts.find(
		checkout => checkout.branch === refsOf(location.traceId).head && checkout.path !== path,
	)?.path;
	const state = await stateOf(
		git,
		location,
		checkouts.find(checkout => checkout.path === path),
	);
	return elsewhere === undefined ? state : {...state, elsewhere};
};

const stateOf = async (
	git: Git,
	location: TraceLocation,
	checkout: Checkout | undefined,
): Promise<WorktreeState> => {
	if (!checkout) return {state: namesIn(worktreePath(location)).includes('.git') ? 'foreign' : 'none'};
	const opens = await opensAsOurs(git, location, checkout.path);
	if (checkout.locked === makingMark) return {state: 'half-made', opens};
	if (opens) return {state: 'whole'};
	return {state: namesIn(checkout.path).length > 0 ? 'foreign' : 'missing'};
};

/** Without its `.git` file, git would take the folder for a part of the root and work on the root's files. */
const opensAsOurs = async (git: Git, {root}: TraceLocation, path: string): Promise<boolean> => {
	const [ours, theirs] = await Promise.all([git.folders(root), git.folders(path).catch(() => undefined)]);
	return theirs !== undefined && theirs.common === ours.common && theirs.prefix === '';
};

const namesIn = (path: string): string[] => {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
};
