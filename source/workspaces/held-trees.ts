import type {Git} from '../ports/git.ts';
import {makeRef, removeRef} from './ref-files.ts';
import {refsOf} from './refs.ts';
import type {TraceLocation} from './worktree-state.ts';

type RunLocation = TraceLocation & {readonly agentId: string};

/**
 * Keeps what was in a run's workspace before it from git's clean-up, until the run is collected. The supervisor does the same
 * (source/drivers/processes/tree-program.ts).
 */
export const holdTree = async (
	git: Git,
	{root, traceId, agentId}: RunLocation,
	tree: string,
): Promise<void> => {
	const ref = refsOf(traceId).run(`${agentId}-before`);
	if (!(await makeRef(git, root, ref, tree))) await git.run(['update-ref', ref, tree], {cwd: root});
};

/** The run is collected: what it left is kept by refs of its trace. */
export const releaseTrees = async (git: Git, {root, traceId, agentId}: RunLocation): Promise<void> => {
	for (const name of ['before', 'after'])
		await removeRef(git, root, refsOf(traceId).run(`${agentId}-${name}`));
};
