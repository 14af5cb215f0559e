import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {isGated, type Trace} from '../domain/trace.ts';

/**
 * True for a run in the worktree that belongs to no task: a session, `hive bee run`, or a bee that a signal
 * started.
 */
export const isUnowned = ({tasks}: Pick<Trace, 'tasks'>, run: RunRecord): boolean =>
	run.workspace !== 'root' && run.verifies === undefined && !tasks.has(run.taskId ?? '');

/** Unowned runs that changed the worktree, or may have because their trees are not known. */
export const unownedWork = (trace: Trace): RunRecord[] =>
	[...trace.runs.values()].filter(
		run => isUnowned(trace, run) && (run.trees === undefined || run.trees.before !== run.trees.after),
	);

/** Proposals of unowned runs that no gate has taken yet. */
export const unownedProposals = (trace: Trace): (RunRecord & Required<Pick<Task, 'proposal'>>)[] =>
	[...trace.runs.values()].flatMap(run => {
		const {proposal} = run;
		return proposal?.workspace === 'isolated' && !isGated(trace, run) ? [{...run, proposal}] : [];
	});
