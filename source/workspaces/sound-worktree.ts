import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Git} from '../ports/git.ts';
import {readRef} from './ref-files.ts';
import {refsOf} from './refs.ts';
import {type TraceLocation, worktreePath} from './worktree-state.ts';

/**
 * Whether git's files show that a run can begin in the trace's worktree as it is: git has it on record there and finds its settings,
 * it is on its branch, which is there, its index is whole, and no merge has taken its work. False where they do not, or not
 * for sure: git is to be asked then. All is read in one turn of the event loop, where it can be, so that it is read once.
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
		if (names.some(name => name === 'locked' || /^sharedindex\./.test(name))) return false;
		if (settings.some(({key, value}) => key === 'core.bare' && value !== 'false')) return false;
		if (head?.name !== refsOf(location.traceId).head || head.id === undefined) return false;
		return merged !== undefined && merged.id === undefined && hasWholeIndex(join(own, 'index'));
	} catch {
		return false;
	}
};

/**
 * The trace's worktree, its links resolved, and the folder that git has for it, where git's files show that it has the one on record for the
 * other. Nothing where they do not, or not for sure; throws where they cannot be read.
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

/** By path of an index that was whole: what tells that file from others. A link to it changes the time of its status. */
const wholeIndexes = new Map<string, string>();
const mostIndexes = 256;

const hasWholeIndex = (path: string): boolean => {
	const {ino, size, mtimeNs} = statSync(path, {bigint: true});
	const now = `${ino} ${size} ${mtimeNs}`;
	if (wholeIndexes.get(path) === now) return true;
	if (!isWholeIndex(readFileSync(path))) return false;
	if (wholeIndexes.size >= mostIndexes) wholeIndexes.clear();
	wholeIndexes.set(path, now);
	return true;
};

/** Git ends an index with the hash of what is before it, unless it is set not to. */
const isWholeIndex = (index: Buffer): boolean =>
	index.toString('latin1', 0, 4) === 'DIRC' &&
	(['sha1', 'sha256'] as const).some(algorithm => {
		const hash = createHash(algorithm);
		const end = index.length - (algorithm === 'sha1' ? 20 : 32);
		return end > 0 && hash.update(index.subarray(0, end)).digest().equals(index.subarray(end));
	});
