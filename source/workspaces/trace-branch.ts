import type {Git} from '../ports/git.ts';
import type {Base} from './base.ts';
import {isAncestor, resolve} from './objects.ts';
import {refsOf} from './refs.ts';
import type {TracePlace} from './worktree-state.ts';

/**
 * Readies the branch for a new worktree: made at the base's head, moved there when the base has all of it, left alone
 * when it holds work. A branch that was merged into a base which lost that merge since is kept first; the answer is
 * the ref that keeps it.
 */
export const readyBranch = async (git: Git, place: TracePlace, base: Base): Promise<string | undefined> => {
	const refs = refsOf(place.traceId);
	const cwd = place.root;
	const old = await resolve(git, cwd, refs.head);
	const start = () => git.run(['update-ref', refs.head, base.commit, old ?? ''], {cwd});
	if (!old || (await isAncestor(git, cwd, old, base.commit))) {
		await start();
		return undefined;
	}
	if ((await resolve(git, cwd, `${refs.merged}^2`)) !== old) return undefined;
	const kept = refs.keep(`branch-${old.slice(0, 12)}`);
	await git.run(['update-ref', kept, old], {cwd});
	await start();
	return kept;
};
