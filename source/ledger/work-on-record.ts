import type {Trace} from '../domain/trace.ts';

/**
 * What the log knows of the work in a trace's worktree: that its runs left nothing there, that they left
 * something no gate has taken, or neither, and then git has to be asked. It is `unknown` where a run has no
 * trees on record, where somebody changed the worktree between two runs, and once a gate has taken what a run
 * changed.
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
