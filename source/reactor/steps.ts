import type {HiveEvent} from '../domain/event.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Workspace} from '../domain/task.ts';
import type {RequestedRun} from './machine.ts';

/**
 * An append, whose precondition is the sequence at which the trace was read. The other steps are idempotent;
 * any process may repeat them.
 */
export type Append = Extract<Step, {do: 'append'}>;
export type Claim = Extract<Step, {do: 'claim'}>;

export type Step =
	/**
	 * The event's id is derived from `key` and the trace's sequence, so the same decision on the same state
	 * appends once.
	 */
	| {
			readonly do: 'append';
			readonly event: HiveEvent;
			readonly key: string;
			/** Set if the task fails because the configuration lacks something. */
			readonly because?: 'configuration';
	  }
	| {
			readonly do: 'claim';
			readonly bee: string;
			readonly taskId?: string;
			readonly trigger?: number;
			/** Kind of the event with the sequence `trigger`. */
			readonly answers?: string;
			/** Absent for a verification, which has its own worktree. */
			readonly workspace?: Workspace;
			readonly verifies?: string;
			readonly interactive?: true;
			/** Set if it begins a new session of its tool. */
			readonly fresh?: true;
			readonly reason: string;
			/** Set if the bee does not exist: the run fails when it begins. */
			readonly because?: 'configuration';
	  }
	| {readonly do: 'begin'; readonly run: RunRecord}
	| {readonly do: 'stop'; readonly run: RunRecord; readonly reason: string}
	| {readonly do: 'collect'; readonly run: RunRecord}
	| ({readonly do: 'drop'} & RequestedRun)
	| {readonly do: 'dropInvite'; readonly inviteId: string};
