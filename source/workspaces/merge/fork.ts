import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {mergeBaseOf} from '../trees/objects.ts';
import type {TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import type {Base} from './base.ts';
import {noCommonHistory} from './merge-refusals.ts';

/**
 * Returns the commit at which a trace's work and its base diverged. Refused if they share no history: in a
 * shallow clone that was fetched again, or when the base was rewritten.
 */
export const findFork = async (
	git: Git,
	{root, traceId}: TraceLocation,
	base: Base,
	tip: Pick<TraceTip, 'commit'>,
): Promise<Outcome<string>> => {
	const fork = await mergeBaseOf(git, root, base.commit, tip.commit);
	if (fork !== undefined) return accepted(fork);
	const isShallow = await git.run(['rev-parse', '--is-shallow-repository'], {cwd: root});
	return noCommonHistory(traceId, base, isShallow === 'true');
};
