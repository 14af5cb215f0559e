import type {NewerHive} from './machine-status.ts';
import type {TaskWait} from './question.ts';
import type {Spendable} from './reserve.ts';
import type {RunRecord} from './run.ts';
import type {Review, TaskStatus} from './task.ts';

/**
 * Why a task, or a run that an event asks for, does not move now. It is data; each face turns it into text.
 */
export type Reason =
	/** A task that it needs. */
	| {readonly for: 'dependency'; readonly taskId: string; readonly status: TaskStatus}
	/** The merge of the branch: a gate that it needs was completed without a merge. */
	| {readonly for: 'left'; readonly taskId: string}
	/** A person's decision about its plan. */
	| {readonly for: 'plan'}
	/** An earlier task of the queue. */
	| {readonly for: 'queue'; readonly taskId: string; readonly status: TaskStatus}
	/** A lack in the configuration. `broken`: the problem of the file, with its line. */
	| {
			readonly for: 'configuration';
			readonly lack: Lack;
			readonly name: string;
			readonly broken?: string;
	  }
	/** An open merge of a gate, or, without a task, of the base into the worktree. */
	| {readonly for: 'merge'; readonly taskId?: string; readonly by: string}
	/** An approved merge that waits in the landing queue. */
	| {readonly for: 'landing'; readonly taskId: string; readonly by: string}
	/** The reserve is out of it. */
	| {readonly for: 'honey'; readonly lacks: Spendable}
	/** A limit of a tool, which passes at `until`. */
	| {readonly for: 'limit'; readonly until: string}
	/** An open run that must end first. */
	| {readonly for: 'run'; readonly run: RunRecord}
	/** A run that an event asks for and that is not claimed yet. */
	| {readonly for: 'pending'; readonly bee: string; readonly trigger: number}
	/** An open run that keeps others out of the workspace. */
	| {readonly for: 'workspace'; readonly traceId: string; readonly agentId: string; readonly bee: string}
	/** The maximum of open runs in this checkout is reached. */
	| {readonly for: 'slot'; readonly taken: number; readonly total: number}
	/** The reactor of the named checkout; without one, a reactor in this checkout, where none is alive. */
	| {readonly for: 'reactor'; readonly checkout?: string}
	/** The hive of this checkout is too old: a newer one has worked on the log. */
	| VersionReason
	/** A person's decision about the task. Each receiver is a bee that may complete it before. */
	| {
			readonly for: 'review';
			readonly review: Review;
			readonly receivers: readonly string[];
			readonly waitsFor?: TaskWait;
	  }
	/** A person's request to repeat the task, or the failed run about it. */
	| {readonly for: 'retry'; readonly run?: RunRecord};

export type VersionReason = {readonly for: 'version'} & NewerHive;

/**
 * What is lacking. The bee does not exist or takes no tasks, the sector does not exist, or the bee's program
 * is not on this machine.
 */
export type Lack = 'bee' | 'tasks' | 'sector' | 'program';

/**
 * Reasons that hold up a whole trace, and that no task shows. They do not end with a run: only a person or
 * time can help.
 */
export type Holding = Extract<Reason['for'], 'honey' | 'limit' | 'configuration' | 'version'>;

/** True if there is no reason, so the work can go on. Reads only the first element. */
export const isFree = (reasons: Iterable<Reason>): boolean => {
	for (const _ of reasons) return false;
	return true;
};
