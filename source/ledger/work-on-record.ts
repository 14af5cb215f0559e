import type {Trace} from '../domain/trace.ts';

/**
 * What the log knows about the work in a trace's worktree. `none`: its runs left nothing there. `some`: they
 * left work that no gate has taken. `unknown`: git has to be asked. It is unknown if a run has no trees on
 * record, or if the worktree changed between two runs. It is also unknown once a gate has taken changes of a
 * run.
 */
export const workOnRecord = ({runs, tasks}: Trace): 'none' | 'some' | 'unknown' => {
	const isolated = [...runs.values()].filter(
		({workspace, verifies}) => workspace !== 'root' && verifies === undefined,
	);
	const trees = isolated.flatMap(({workspace, trees}) => (workspace && trees ? [trees] : []));
	const isWhole = trees.length === isolated.length;
	const isUnbroken = trees.every(({before}, at) => before === (trees[at - 1]?.after ?? before));
	if (!isWhole || !isUnbroken) return 'unknown';
	if (trees.every(({before, after}) => before === after)) return 'none';
	if ([...tasks.values()].some(({review, status}) => review === 'final' && status === 'completed'))
		return 'unknown';
	return trees[0]?.before === trees.at(-1)?.after ? 'none' : 'some';
};
