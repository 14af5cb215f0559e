import type {HiveEvent} from '../domain/event.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Workspace} from '../domain/task.ts';
import type {Asked} from './machine.ts';

/**
 * What is due. Appends are conditional on the trace as it was read; the other steps may be repeated by
 * anyone.
 */
export type Append = Extract<Step, {do: 'append'}>;
export type Claim = Extract<Step, {do: 'claim'}>;

export type Step =
	/**
	 * The event's id is made of `key` and the sequence that was read: the same decision on the same state
	 * appends once.
	 */
	| {
			readonly do: 'append';
			readonly event: HiveEvent;
			readonly key: string;
			/** The task fails for what the configuration lacks. */
			readonly because?: 'configuration';
	  }
	| {
			readonly do: 'claim';
			readonly bee: string;
			readonly taskId?: string;
			readonly trigger?: number;
			/** The kind of the event with that sequence. */
			readonly answers?: string;
			/** Absent for what has a worktree for itself. */
			readonly workspace?: Workspace;
			readonly verifies?: string;
			readonly interactive?: true;
			/** It begins a new session of its tool. */
			readonly fresh?: true;
			readonly reason: string;
			/** The bee is not there: the run fails as it begins. */
			readonly because?: 'configuration';
	  }
	| {readonly do: 'begin'; readonly run: RunRecord}
	| {readonly do: 'stop'; readonly run: RunRecord; readonly reason: string}
	| {readonly do: 'collect'; readonly run: RunRecord}
	| ({readonly do: 'drop'} & Asked)
	| {readonly do: 'dropInvite'; readonly inviteId: string};
