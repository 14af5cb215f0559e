import {taskStatuses} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {isAtGate} from '../ledger/final-gate.ts';
import {pendingInvites, reportedInvites} from '../ledger/invites.ts';
import {waitingRuns} from '../ledger/questions.ts';

const waiting = taskMarks(['ready', 'blocked']);
const undone = taskMarks(taskStatuses.filter(status => status !== 'completed' && status !== 'cancelled'));

/** Looked at again when a slot or a workspace falls free. */
export const isWaiting = (trace: Trace): boolean => !trace.killed && trace.tasks.hasAny(waiting);

/** A person is to answer an invite or a question, or the reactor an invite that is reported done. */
const awaitsAnswer = (trace: Trace): boolean =>
	pendingInvites(trace).length > 0 || reportedInvites(trace).length > 0 || waitingRuns(trace).length > 0;

/** A run, a merge or a task of it is not over, or an invite awaits its answer. */
export const isUnfinished = (trace: Trace): boolean =>
	openRuns(trace).length > 0 ||
	trace.merge !== undefined ||
	(!trace.killed && (trace.tasks.hasAny(undone) || awaitsAnswer(trace)));

/** Nothing came of it: whatever was asked for there is unserved. */
export const isUnanswered = ({killed, tasks, runs, invites}: Trace): boolean =>
	!killed && tasks.size === 0 && runs.size === 0 && invites.size === 0;

/** Of a trace without honey and name at least nobody asked for work (docs/architecture.md §9). */
export const mayBeRequest = (trace: Trace): boolean =>
	isUnanswered(trace) && (trace.energyBudget !== undefined || trace.title !== '');

/** Something may be due to it at a start, if nobody has looked since something was said of it. */
export const isOfInterest = (trace: Trace): boolean => isUnfinished(trace) || isAtGate(trace);
