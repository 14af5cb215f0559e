import {readdirSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {readRef} from '../trees/ref-files.ts';
import {refsOf} from '../trees/refs.ts';
import {type TraceLocation, worktreePath} from './worktree-state.ts';

/**
 * True if git's files show that a run can begin in the trace's worktree as it is. Git has it on record there
 * and finds its settings. It is on its branch, which exists, it has an index, and no merge has taken its
 * work. False if not, or not for sure: then git has to be asked. Where possible, all is read in one turn of
 * the event loop, so that each file is read once.
 */
export const isSoundWorktree = async (git: Git, location: TraceLocation): Promise<boolean> => {
	try {
		const found = await findOnRecord(git, location);
		if (found === undefined) return false;
		const {path, own} = found;
		const names = readdirSync(own);
		const [settings, head, merged] = await Promise.all([
			git.settings(path),
			readRef(git, path, 'HEAD'),
			readRef(git, location.root, refsOf(location.traceId).merged),
		]);
		if (!names.includes('index') || names.some(name => name === 'locked' || /^sharedindex\./.test(name)))
			return false;
		if (settings.some(({key, value}) => key === 'core.bare' && value !== 'false')) return false;
		if (head?.name !== refsOf(location.traceId).head || head.id === undefined) return false;
		return merged !== undefined && merged.id === undefined;
	} catch {
		return false;
	}
};

/**
 * Returns the trace's worktree, with links resolved, and git's folder for it, if git's files show that each
 * points to the other. Undefined if not, or not for sure; throws if they cannot be read.
 */
export const findOnRecord = async (
	git: Git,
	location: TraceLocation,
): Promise<{readonly path: string; readonly own: string} | undefined> => {
	const path = realpathSync.native(worktreePath(location));
	const [{common}, {own, common: shared, prefix}] = await Promise.all([
		git.folders(location.root),
		git.folders(path),
	]);
	if (shared !== common || prefix !== '' || dirname(own) !== join(common, 'worktrees')) return undefined;
	const link = readFileSync(join(own, 'gitdir'), 'utf8');
	return link === `${path}/.git\n` ? {path, own} : undefined;
};
