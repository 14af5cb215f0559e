import {awaitsPerson, type Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {awaitsGuard} from './verdicts.ts';

/** A bee that works on what a task proposed. */
type Attendant = {
	readonly bee: string;
	readonly agentId: string;
	/** True if it judges the proposal itself; others answer the verdict on it. */
	readonly isGuard: boolean;
	/** True if it is hive's own run that verifies the proposal. */
	readonly verifies: boolean;
};

/** The bees that look at the newest proposal of a task before a person does. */
export type Attendance = {
	/** True if it is not a person's turn yet, whether a bee works on it or has still to begin. */
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
