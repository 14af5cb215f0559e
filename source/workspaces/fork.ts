import {accepted, type Outcome} from '../domain/errors.ts';
import type {Git} from '../ports/git.ts';
import type {Base} from './base.ts';
import {noCommonHistory} from './merge-refusals.ts';
import type {TraceTip} from './trace-tip.ts';
import type {TraceLocation} from './worktree-state.ts';

/**
 * The commit from which a trace's work and its base both went on. Refused where they have none in common: in a shallow clone that was
 * fetched on, or when the base was written anew.
 */
export const findFork = async (
	git: Git,
	{root, traceId}: TraceLocation,
	base: Base,
	tip: TraceTip,
): Promise<Outcome<string>> => {
	const search = ['merge-base', base.commit, tip.commit];
	const {exitCode, stdout} = await git.attempt(search, {cwd: root});
	if (exitCode === 0) return accepted(stdout.trim());
	// Git has nothing more to say with 1; another code has words of its own.
	if (exitCode !== 1) return accepted(await git.run(search, {cwd: root}));
	const isShallow = await git.run(['rev-parse', '--is-shallow-repository'], {cwd: root});
	return noCommonHistory(traceId, base, isShallow === 'true');
};
