import {awaitsPerson, type Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {awaitsGuard} from './verdicts.ts';

/** A bee at work on what a task proposed. */
type Attendant = {
	readonly bee: string;
	readonly agentId: string;
	/** It looks at the proposal itself; others answer the verdict on it. */
	readonly isGuard: boolean;
	/** It is hive's own, which verifies the proposal. */
	readonly verifies: boolean;
};

/** Who looks at the newest proposal of a task before a person does. */
export type Attendance = {
	/** It is not a person's turn yet, whether a bee is at work on it or has still to begin. */
	readonly attended: boolean;
	readonly attendants: readonly Attendant[];
};

export const unattended: Attendance = {attended: false, attendants: []};

export const attendanceOf = (trace: Trace, task: Task): Attendance => {
	const waitsForBees = task.status === 'waiting_review' && !awaitsPerson(task);
	return {attended: waitsForBees || awaitsGuard(trace, task), attendants: attendantsOf(trace, task)};
};

const attendantsOf = (trace: Trace, {taskId, proposal}: Task): Attendant[] =>
	proposal === undefined
		? []
		: openRuns(trace).flatMap(({taskId: about, trigger = 0, bee, agentId, verifies}) =>
				about === taskId && trigger >= proposal.sequence
					? [{bee, agentId, isGuard: trigger === proposal.sequence, verifies: verifies !== undefined}]
					: [],
			);
