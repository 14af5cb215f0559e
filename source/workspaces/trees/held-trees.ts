import type {Git} from '../../ports/git.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {writeBesideCleanUp} from './beside-clean-up.ts';
import {readRef} from './ref-files.ts';
import {refsOf} from './refs.ts';

type RunLocation = {readonly traceId: string; readonly agentId: string};

/**
 * Captures a tree of a run's workspace, and keeps it from git's garbage collection until the run is collected
 * (docs/reliability.md I27).
 *
 * @param isHeld whether a ref already holds that tree
 */
export const captureHeld = <Captured extends {readonly tree: string}>(
	git: Git,
	{workspace, traceId, agentId}: RunLocation & {readonly workspace: string},
	when: 'before' | 'after',
	capture: () => Promise<Captured>,
	isHeld: (captured: Captured) => boolean = () => false,
): Promise<Captured> =>
	writeBesideCleanUp(git, workspace, async () => {
		const value = await capture();
		if (isHeld(value)) return {value, ids: []};
		await git.run(['update-ref', refsOf(traceId).run(`${agentId}-${when}`), value.tree], {cwd: workspace});
		return {value, ids: [value.tree]};
	});

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
