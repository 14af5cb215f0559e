import type {Trees} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';

/**
 * Trees of the runs in the worktree since the last gate took its work, ordered by the runs' ends. `undefined`
 * for a run whose trees are not known.
 */
export const untakenTrees = ({runs, tasks}: Trace): readonly (Trees | undefined)[] => {
	const taken = [...tasks.values()]
		.filter(({review, status}) => review === 'final' && status === 'completed')
		.map(({updatedAt}) => updatedAt)
		.sort()
		.at(-1);
	return [...runs.values()]
		.filter(({workspace, verifies}) => workspace !== 'root' && verifies === undefined)
		.filter(({startedAt}) => taken === undefined || startedAt > taken)
		.toSorted((one, other) => (one.finishedAt ?? '').localeCompare(other.finishedAt ?? ''))
		.map(({trees}) => trees);
};
