import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {beeName} from '../../host/views/name.ts';
import {type Decision, decisionOf, formatAttendance} from '../../host/views/review.ts';
import {formatRunEnd} from '../../host/views/run.ts';
import {isAtVerification, verifying} from '../../host/views/verification.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {type Line, line, type Span, span} from '../parts/line.ts';
import {perObject} from './memo.ts';

const decisions = perObject((trace: Trace) => perObject((task: Task) => decisionOf(trace, task)));

/**
 * What a person needs to know to decide about a task: its newest proposal, the guard's verdict, and the last
 * failure.
 */
export const decisionLines = (trace: Trace, task: Task): readonly Line[] => {
	const {proposal, verdict, verification, evidence, attendance, failure, feedback} = decisions(trace)(task);
	return [
		...(proposal === undefined
			? []
			: [[span(`proposal ${proposal} · `), verdictSpan(verdict, attendance.attended)]]),
		...(verification === undefined ? [] : [verificationLine(verification, evidence)]),
		...formatAttendance(attendance).map(words => line(words, 'info')),
		...(failure === undefined ? [] : [failureLine(failure)]),
		...(feedback === '' ? [] : [line(`asked for: ${feedback}`, 'dim')]),
	];
};

/** The bees that look at it before a person does, in a few words. */
export const attendanceText = (trace: Trace, task: Task): string => {
	const {attendants} = decisions(trace)(task).attendance;
	if (isAtVerification(trace, task))
		return attendants.length === 0 ? 'waits to be verified' : 'is being verified';
	const bees = attendants.map(({bee}) => beeName(bee));
	return bees.length === 0 ? 'waits for its guard' : `${bees.join(', ')} at work`;
};

/** What keeps a bee from starting to look at it. */
export const beginLines = (trace: Trace, task: Task, waits: readonly Wait[]): readonly Line[] => {
	const {attended, attendants} = decisions(trace)(task).attendance;
	return attended && attendants.length === 0
		? waits.filter(wait => wait.for !== 'person').map(wait => line(`waits: ${wait.for}: ${wait.what}`, 'dim'))
		: [];
};

const verificationLine = (words: string, evidence: Decision['evidence']): Line => {
	if (evidence === undefined || words === verifying)
		return line(words, words === verifying ? 'dim' : 'accent');
	return line(`${evidence.passed ? '✓' : '✗'} ${words}`, evidence.passed ? 'good' : 'bad');
};

const verdictSpan = (verdict: Decision['verdict'], isAwaited: boolean): Span => {
	if (verdict === undefined) return isAwaited ? span('no verdict yet', 'dim') : span('no verdict', 'accent');
	const {passed, summary, olderProposal} = verdict;
	const words = `${passed ? '✓ passed' : '✗ failed'}: ${summary}`;
	return olderProposal === undefined
		? span(words, passed ? 'good' : 'bad')
		: span(`no verdict yet; proposal ${olderProposal} ${words}`, 'dim');
};

/** A failure that later work has made up for is dim. */
const failureLine = ({bee, exitCode, summary, counts}: NonNullable<Decision['failure']>): Line => {
	const text = `last failure: ${beeName(bee)} · ${formatRunEnd({exitCode, summary})}`;
	return line(text, counts ? 'bad' : 'dim');
};
