import {taskStatuses} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {isAtGate} from '../ledger/final-gate.ts';
import {pendingInvites, reportedInvites} from '../ledger/invites.ts';
import {waitingRuns} from '../ledger/questions.ts';

const waiting = taskMarks(['ready', 'blocked']);
const undone = taskMarks(taskStatuses.filter(status => status !== 'completed' && status !== 'cancelled'));

/** True if the trace has to be considered again when a slot or a workspace becomes free. */
export const isWaiting = (trace: Trace): boolean => !trace.killed && trace.tasks.hasAny(waiting);

/**
 * True if a person has to answer an invite or a question, or the reactor an invite that is reported as done.
 */
const awaitsAnswer = (trace: Trace): boolean =>
	pendingInvites(trace).length > 0 || reportedInvites(trace).length > 0 || waitingRuns(trace).length > 0;

/** True if a run, a merge or a task of the trace is not over, or an answer is awaited. */
export const isUnfinished = (trace: Trace): boolean =>
	openRuns(trace).length > 0 ||
	trace.merge !== undefined ||
	(!trace.killed && (trace.tasks.hasAny(undone) || awaitsAnswer(trace)));

/** True if the trace has no task, run or invite: a request in it is unserved. */
export const isUnanswered = ({killed, tasks, runs, invites}: Trace): boolean =>
	!killed && tasks.size === 0 && runs.size === 0 && invites.size === 0;

/** False for a trace without honey and title, since no work was requested there (docs/architecture.md §9). */
export const mayBeRequest = (trace: Trace): boolean =>
	isUnanswered(trace) && (trace.energyBudget !== undefined || trace.title !== '');

/** True if a start has to consider the trace, in case its last events were not considered. */
export const isOfInterest = (trace: Trace): boolean => isUnfinished(trace) || isAtGate(trace);
