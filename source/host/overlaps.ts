import type {ActionContext} from '../actions/context.ts';
import {isTerminal} from '../domain/task.ts';
import {lastThatChanged, type Trace} from '../domain/trace.ts';
import {type ChangedLines, readChangedLines, sharedPaths} from '../workspaces/changed-lines.ts';
import {refsOf} from '../workspaces/refs.ts';

/** Two traces that are not over and change the same lines, as far as runs have recorded what they did. */
export type Overlap = {readonly traceIds: readonly [string, string]; readonly paths: readonly string[]};

export const readOverlaps = async (
	{git, colony}: Pick<ActionContext, 'git' | 'colony'>,
	traces: Iterable<Trace>,
): Promise<readonly Overlap[]> => {
	const live = [...traces].filter(isLive);
	if (live.length < 2) return [];
	const changes = await Promise.all(
		live.map(async trace => ({trace, changed: await readChange({git, colony}, trace)})),
	);
	return changes.flatMap(({trace, changed}, index) =>
		changes.slice(index + 1).flatMap(other => {
			if (changed === undefined || other.changed === undefined) return [];
			const paths = sharedPaths(changed, other.changed);
			return paths.length === 0 ? [] : [{traceIds: [trace.traceId, other.trace.traceId] as const, paths}];
		}),
	);
};

const isLive = (trace: Trace): boolean =>
	!trace.killed &&
	lastThatChanged(trace) !== undefined &&
	[...trace.tasks.values()].some(({status}) => !isTerminal(status));

/** What the last run left in the worktree, beside what the trace's branch and its base have in common. */
const readChange = async (
	{git, colony: {root}}: Pick<ActionContext, 'git' | 'colony'>,
	trace: Trace,
): Promise<ChangedLines | undefined> => {
	const {base, head} = refsOf(trace.traceId);
	const tree = lastThatChanged(trace)?.trees?.after;
	const fork = await git.attempt(['merge-base', base, head], {cwd: root});
	if (tree === undefined || fork.exitCode !== 0) return undefined;
	return readChangedLines(git, root, {commit: fork.stdout.trim(), tree});
};
