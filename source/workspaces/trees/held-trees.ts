import type {Git} from '../../ports/git.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {readRef} from './ref-files.ts';
import {refsOf} from './refs.ts';

type RunLocation = {readonly traceId: string; readonly agentId: string};

/**
 * Keeps a tree of a run's workspace from git's garbage collection until the run is collected
 * (docs/reliability.md I27).
 */
export const holdTree = async (
	git: Git,
	{workspace, traceId, agentId}: RunLocation & {readonly workspace: string},
	when: 'before' | 'after',
	tree: string,
): Promise<void> => {
	await git.run(['update-ref', refsOf(traceId).run(`${agentId}-${when}`), tree], {cwd: workspace});
};

/** Call when the run is collected: refs of its trace then keep its results. */
export const releaseTrees = async (
	git: Git,
	{root, traceId, agentId}: RunLocation & TraceLocation,
): Promise<void> => {
	const refs = ['before', 'after'].map(when => refsOf(traceId).run(`${agentId}-${when}`));
	const found = await Promise.all(refs.map(ref => readRef(git, root, ref)));
	const held = refs.filter((_, index) => found[index] === undefined || found[index]?.id !== undefined);
	const input = held.map(ref => `delete ${ref}\n`).join('');
	if (held.length > 0) await git.run(['update-ref', '--stdin'], {cwd: root, input});
};
