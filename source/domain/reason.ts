import type {NewerHive} from './place.ts';
import type {TaskWait} from './question.ts';
import type {Spendable} from './reserve.ts';
import type {RunRecord} from './run.ts';
import type {Review, TaskStatus} from './task.ts';

/**
 * Why a task, or a run that an event asks for, does not move now. Data: whoever shows it puts it into words.
 */
export type Reason =
	/** A task that it needs. */
	| {readonly for: 'dependency'; readonly taskId: string; readonly status: TaskStatus}
	/** The merge of the branch: a gate that it needs was completed without one. */
	| {readonly for: 'left'; readonly taskId: string}
	/** An earlier task of the queue. */
	| {readonly for: 'queue'; readonly taskId: string; readonly status: TaskStatus}
	/** `broken`: the problem of the file, with its line. */
	| {
			readonly for: 'configuration';
			readonly lack: Lack;
			readonly name: string;
			readonly broken?: string;
	  }
	/** Of a gate, or without one of the base into the worktree. */
	| {readonly for: 'merge'; readonly taskId?: string; readonly by: string}
	/** The reserve has no more of it. */
	| {readonly for: 'honey'; readonly lacks: Spendable}
	/** A limit of a tool, which passes then. */
	| {readonly for: 'limit'; readonly until: string}
	/** An open run that must end first. */
	| {readonly for: 'run'; readonly run: RunRecord}
	/** A run that an event asks for and that is not claimed yet. */
	| {readonly for: 'pending'; readonly bee: string; readonly trigger: number}
	/** An open run that keeps others out of the workspace. */
	| {readonly for: 'workspace'; readonly traceId: string; readonly agentId: string; readonly bee: string}
	/** As many runs are open in this checkout as may be. */
	| {readonly for: 'slot'; readonly taken: number; readonly total: number}
	/** The reactor of another checkout; without one, a reactor in this checkout, where none is alive. */
	| {readonly for: 'reactor'; readonly checkout?: string}
	/** Its hive is too old: a newer one has worked on the log. */
	| VersionReason
	/** A person's word on the task; each of the receivers is a bee that may complete it first. */
	| {
			readonly for: 'review';
			readonly review: Review;
			readonly receivers: readonly string[];
			readonly waitsFor?: TaskWait;
	  }
	/** A person who has the task, or the failed run about it, done once more. */
	| {readonly for: 'retry'; readonly run?: RunRecord};

export type VersionReason = {readonly for: 'version'} & NewerHive;

/**
 * The bee is not there, it takes no tasks, the sector is not there, or the bee's program is not on this
 * machine.
 */
export type Lack = 'bee' | 'tasks' | 'sector' | 'program';

/**
 * What keeps a trace from going on that no task shows, and does not go as soon as runs end: a person or time
 * has to help.
 */
export type Holding = Extract<Reason['for'], 'honey' | 'limit' | 'configuration' | 'version'>;

/** None is left, or none was there: what they would hold back can go on. Looks at the first only. */
export const isFree = (reasons: Iterable<Reason>): boolean => {
	for (const _ of reasons) return false;
	return true;
};
