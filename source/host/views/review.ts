import {compareText} from '../../domain/compare-text.ts';
import type {Evidence} from '../../domain/evidence.ts';
import {isPausedRun, type RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import {isGated, type Trace, titleOf} from '../../domain/trace.ts';
import {type Attendance, attendanceOf} from '../../ledger/attendance.ts';
import {failedDirectRun} from '../../ledger/direct-run.ts';
import type {Judgement} from './format-judgement.ts';
import {judgementOf} from './judgement.ts';
import {type Round, roundOf} from './round.ts';
import {type OutsideNote, outsideNotes, quietNotes, type RunWarning, warningsOf} from './run.ts';
import {awaitsDecision, type TaskSnapshot, taskSnapshot} from './task.ts';
import {formatVerification} from './verification.ts';

/** One task that waits for a person's decision. */
export type Review = {
	/**
	 * What requires the decision: the trace's final gate, the task's own review, or the commit that it must
	 * have.
	 */
	readonly gate: 'final' | 'required' | 'commit';
	readonly traceTitle: string;
	readonly task: TaskSnapshot;
	readonly judgement: Judgement;
	readonly warnings: readonly RunWarning[];
	readonly outside: readonly OutsideNote[];
} & Round;

const reviewsOf = (trace: Trace): readonly Review[] => {
	const waiting = [...trace.tasks.values()].filter(task => awaitsDecision(trace, task));
	const warned = waiting.length === 0 ? [] : warnedRuns(trace);
	return waiting.map(task => ({
		gate: task.review === 'none' ? (task.waitsFor === undefined ? 'commit' : 'required') : task.review,
		traceTitle: titleOf(trace),
		task: taskSnapshot(trace.traceId, task),
		judgement: judgementOf(trace, task),
		warnings: warningsOf(warned.filter(run => isDecidedWith(trace, task, run))),
		outside: outsideNotes(warned.filter(run => isDecidedWith(trace, task, run))),
		...roundOf(trace, task),
	}));
};

const warnedRuns = ({runs}: Trace): readonly RunRecord[] =>
	[...runs.values()].filter(({warnings, outside}) => warnings !== undefined || outside !== undefined);

/** A gate decides about every run since the gate before it. */
const isDecidedWith = (trace: Trace, {taskId, review}: Task, run: RunRecord): boolean =>
	review === 'final' ? !isGated(trace, run) : run.taskId === taskId;

/** Hive's warnings about the runs that a decision about the task covers. */
export const reviewWarnings = (trace: Trace, task: Task): readonly RunWarning[] =>
	warningsOf(warnedRuns(trace).filter(run => isDecidedWith(trace, task, run)));

/** Changes outside of their workspaces meanwhile that removed nothing. */
export const reviewOutside = (trace: Trace, task: Task): readonly OutsideNote[] =>
	quietNotes(warnedRuns(trace).filter(run => isDecidedWith(trace, task, run)));

const byLongestWait = ({task: one}: Review, {task: other}: Review): number =>
	compareText(one.updatedAt, other.updatedAt);

/** Lists everything that waits for a person, the longest waiting first. */
export const reviewQueue = (traces: Iterable<Trace>): readonly Review[] =>
	[...traces].flatMap(reviewsOf).sort(byLongestWait);

/** What a person has to know before deciding about a task. */
export type Decision = {
	/** Sequence of its newest proposal. */
	readonly proposal?: number;
	readonly verdict?: Verdict;
	/** Result of its verification, in words; absent if it needs none. */
	readonly verification?: string;
	readonly evidence?: Evidence;
	readonly attendance: Attendance;
	readonly failure?: Failure;
	/** What a person asked to have changed; empty if nothing. */
	readonly feedback: string;
};

/** A guard's newest verdict. */
type Verdict = {
	readonly passed: boolean;
	readonly summary: string;
	/** Sequence of the older proposal that it judged, if a newer one has no verdict yet. */
	readonly olderProposal?: number;
};

/** The last failed run about the task. */
type Failure = {
	readonly bee: string;
	readonly agentId: string;
	readonly exitCode: number | null;
	readonly summary: string;
	/** True if no later work has made up for it. */
	readonly counts: boolean;
};

export const decisionOf = (trace: Trace, task: Task): Decision => {
	const verdict = verdictOf(task);
	const failure = failureOf(trace, task);
	const verification = formatVerification(trace, task);
	return {
		...(task.proposal && {proposal: task.proposal.sequence}),
		...(verdict && {verdict}),
		...(verification && {verification}),
		...(task.evidence && {evidence: task.evidence}),
		attendance: attendanceOf(trace, task),
		...(failure && {failure}),
		feedback: task.feedback ?? '',
	};
};

/** Sentences on the bees that still have to check the task. */
export const formatAttendance = ({attended, attendants}: Attendance): readonly string[] => {
	if (attendants.length === 0) return attended ? ['A bee has still to look at it.'] : [];
	return attendants.map(({bee, isGuard, verifies}) =>
		verifies
			? 'It is being verified.'
			: isGuard
				? `Its guard ${bee} still runs.`
				: `The bee ${bee} still works on it.`,
	);
};

const verdictOf = ({proposal, verdict}: Task): Verdict | undefined => {
	if (verdict === undefined) return undefined;
	const {passed, summary, proposal: judged} = verdict;
	const isOlder = judged !== undefined && judged !== proposal?.sequence;
	return {passed, summary, ...(isOlder ? {olderProposal: judged} : {})};
};

const failureOf = (trace: Trace, task: Task): Failure | undefined => {
	const run = [...trace.runs.values()].findLast(
		run =>
			run.taskId === task.taskId &&
			run.status === 'failed' &&
			run.verifies === undefined &&
			!isPausedRun(run),
	);
	if (run === undefined) return undefined;
	const {bee, agentId, exitCode = null, summary = ''} = run;
	return {bee, agentId, exitCode, summary, counts: isStillTrue(trace, task, run)};
};

const isStillTrue = (trace: Trace, task: Task, run: RunRecord): boolean =>
	failedDirectRun(trace, task) === run || (task.status === 'failed' && run.trigger === undefined);
