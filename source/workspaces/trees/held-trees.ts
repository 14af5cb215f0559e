import type {Git} from '../../ports/git.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {readRef} from './ref-files.ts';
import {refsOf} from './refs.ts';

type RunLocation = {readonly traceId: string; readonly agentId: string};

/**
 * Keeps a tree of a run's workspace from git's clean-up until the run is collected (docs/reliability.md I27).
 */
export const holdTree = async (
	git: Git,
	{workspace, traceId, agentId}: RunLocation & {readonly workspace: string},
	when: 'before' | 'after',
	tree: string,
): Promise<void> => {
	await git.run(['update-ref', refsOf(traceId).run(`${agentId}-${when}`), tree], {cwd: workspace});
};

/** The run is collected: what it left is kept by refs of its trace. */
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
