import {mkdirSync, realpathSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Git} from '../ports/git.ts';
import {refsOf} from './refs.ts';
import {makingMark, type TraceLocation, worktreePath} from './worktree-state.ts';

/**
 * Puts a worktree that is not there yet on git's record, on its trace's branch and marked as being made, by the files that
 * `git worktree add` would write (gitrepository-layout(5)), without its two processes. False, with nothing left behind, where only git can: it
 * has a record of that name, or is set to do it in another way.
 */
export const registerWorktree = async (git: Git, location: TraceLocation): Promise<boolean> => {
	const {root, traceId} = location;
	if (!isPlainName(traceId) || (await git.settings(root)).some(goesAnotherWay)) return false;
	const {common} = await git.folders(root);
	const path = worktreePath(location);
	const made: string[] = [];
	try {
		const own = join(realpathSync.native(common), 'worktrees', traceId);
		mkdirSync(dirname(path), {recursive: true});
		mkdirSync(dirname(own), {recursive: true});
		for (const folder of [own, path]) {
			mkdirSync(folder);
			made.push(folder);
		}
		const link = join(realpathSync.native(path), '.git');
		// Marked after it names the worktree: a mark alone would keep a folder of git's that nothing finds again.
		writeNew(join(own, 'gitdir'), link);
		writeNew(join(own, 'locked'), makingMark);
		writeNew(join(own, 'commondir'), '../..');
		writeNew(join(own, 'HEAD'), `ref: ${refsOf(traceId).head}`);
		writeNew(link, `gitdir: ${own}`);
		return true;
	} catch {
		takeBack(made);
		return false;
	}
};

/** Git changes other names for its record, some since a version. */
const isPlainName = (traceId: string): boolean => /^[a-z\d][a-z\d-]*$/i.test(traceId);

const goesAnotherWay = ({key, value}: {readonly key: string; readonly value: string}): boolean =>
	/^(?:extensions|worktree)\./.test(key) ||
	(/^core\.(?:bare|sparsecheckout|sharedrepository|worktree)$/.test(key) && value !== 'false');

const writeNew = (path: string, line: string): void => writeFileSync(path, `${line}\n`, {flag: 'wx'});

/** Folders that were made here, with what was written to them. */
const takeBack = (made: readonly string[]): void => {
	try {
		for (const folder of made.toReversed()) {
			for (const name of ['.git', 'HEAD', 'commondir', 'gitdir', 'locked'])
				rmSync(join(folder, name), {force: true});
			rmdirSync(folder);
		}
	} catch {
		// What is left is no worktree to git, which says why when it makes one.
	}
};
