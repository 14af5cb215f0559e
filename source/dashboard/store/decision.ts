import {classifyInjected} from '../../domain/injected-warnings.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {formatJudgement, isRefused} from '../../host/views/format-judgement.ts';
import {judgementOf} from '../../host/views/judgement.ts';
import {
	type Decision,
	decisionOf,
	formatAttendance,
	reviewOutside,
	reviewWarnings,
} from '../../host/views/review.ts';
import {formatRunEnd} from '../../host/views/run.ts';
import {isAtVerification, verifying} from '../../host/views/verification.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {type Line, line, type Span, span} from '../parts/line.ts';
import {perObject} from './memo.ts';
import {taskTitle} from './names.ts';

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

/** The guards' verdicts on everything that a final gate would merge. Empty if nothing was proposed. */
export const judgementLines = (trace: Trace, task: Task): readonly Line[] => {
	const judgement = judgements(trace)(task);
	const {failed, unjudged, refuted, unverified} = judgement;
	const words = formatJudgement(judgement);
	if (words === '') return [];
	const doubtfulNames = [...new Set([...failed, ...unjudged, ...refuted, ...unverified])].map(id =>
		nameIn(trace, id),
	);
	const [tone, mark] = isRefused(judgement)
		? (['bad', '✗'] as const)
		: doubtfulNames.length > 0
			? (['accent', '!'] as const)
			: (['good', '✓'] as const);
	return [
		line(
			`${mark} guards: ${words}${doubtfulNames.length === 0 ? '' : ` (${doubtfulNames.join(', ')})`}`,
			tone,
		),
	];
};

/** The name of a task; for work without a task, the bee that did it. */
const nameIn = (trace: Trace, id: string): string => {
	const task = trace.tasks.get(id);
	return task === undefined ? (trace.runs.get(id)?.bee ?? id) : taskTitle(trace, task);
};

const judgements = perObject((trace: Trace) => perObject((task: Task) => judgementOf(trace, task)));

/** The bees that look at it before a person does, in a few words. */
export const attendanceText = (trace: Trace, task: Task): string => {
	const {attendants} = decisions(trace)(task).attendance;
	if (isAtVerification(trace, task))
		return attendants.length === 0 ? 'waits to be verified' : 'is being verified';
	const bees = attendants.map(({bee}) => bee);
	return bees.length === 0 ? 'waits for its guard' : `${bees.join(', ')} at work`;
};

/** What keeps a bee from starting to look at it. */
export const beginLines = (trace: Trace, task: Task, waits: readonly Wait[]): readonly Line[] => {
	const {attended, attendants} = decisions(trace)(task).attendance;
	return attended && attendants.length === 0
		? waits.filter(wait => wait.for !== 'person').map(wait => line(`waits: ${wait.for}: ${wait.what}`, 'dim'))
		: [];
};

const warnings = perObject((trace: Trace) => perObject((task: Task) => reviewWarnings(trace, task)));

/** Warnings about the runs under review, each with its bee. */
export const warningTexts = (trace: Trace, task: Task): readonly string[] =>
	warnings(trace)(task).map(({bee, text}) => `${bee}: ${text}`);

const outside = perObject((trace: Trace) => perObject((task: Task) => reviewOutside(trace, task)));

/**
 * Changes outside of the workspaces, during the runs, that removed nothing. Shows the newest one and the
 * number of the others.
 */
export const outsideLines = (trace: Trace, task: Task): readonly Line[] => {
	const notes = outside(trace)(task);
	const newest = notes.at(-1);
	if (newest === undefined) return [];
	const more = notes.length === 1 ? '' : ` (and ${notes.length - 1} more: hive proposal list)`;
	return [line(`outside: ${newest.text}${more}`, 'dim')];
};

/** Max warnings in a dialog, so that its buttons stay visible. The rest are counted. */
const maxWarningLines = 3;

/** The warnings for a dialog, one row each. */
export const warningLines = (trace: Trace, task: Task): readonly Line[] => {
	const texts = warningTexts(trace, task);
	const left = texts.length - maxWarningLines;
	return [
		...texts.slice(0, maxWarningLines).map(text => [span('! ', 'accent'), span(text, 'accent')]),
		...(left > 0 ? [line(`! and ${left} more: hive proposal list`, 'accent')] : []),
	];
};

/**
 * Programs that hive leaves out, but people's own git would run (docs/reliability.md I17). The names are
 * last, since a narrow pane cuts the end.
 */
export const plantedLines = (planted: readonly string[]): readonly Line[] =>
	plantedTexts(planted).map(text => line(text, 'bad'));

const plantedTexts = (planted: readonly string[]): readonly string[] => {
	const {programs, altered} = classifyInjected(planted);
	return [
		...(programs.length === 0
			? []
			: [`✗ git would run planted programs; look, then "hive init": ${programs.join(', ')}`]),
		...altered.map(words => `✗ not accepted by "hive init": ${words}`),
	];
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
	const text = `last failure: ${bee} · ${formatRunEnd({exitCode, summary})}`;
	return line(text, counts ? 'bad' : 'dim');
};
