import type {StoredEvent} from '../domain/event.ts';
import {type IssueStage, isIssueOf} from '../domain/issue.ts';
import {type ForgeProvider, forgeProviders} from '../domain/pull-request.ts';
import {awaitsPerson} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {Draft} from './draft.ts';
import {decideGate, isAtGate, mergeOnRecord} from './final-gate.ts';
import {numberOf, textOf} from './payload.ts';

/** `issue.taken`: the trace works on this issue. The first one counts. */
export const foldIssueTaken = ({trace}: Draft, {payload}: StoredEvent): void => {
	const [number, repository] = [numberOf(payload, 'number'), textOf(payload, 'repository')];
	const provider = forgeProviders.find(known => known === payload.provider);
	if (trace.issue !== undefined || number === undefined || provider === undefined || repository === '')
		return;
	trace.issue = {number, url: textOf(payload, 'url'), provider, repository};
};

/** `issue.noted`: the comment on the issue says this, or could not be written. */
export const foldIssueNoted = ({trace}: Draft, {payload}: StoredEvent): void => {
	const noted = textOf(payload, 'noted');
	if (trace.issue === undefined || noted === '') return;
	const {reason: _settled, ...rest} = trace.issue;
	const reason = textOf(payload, 'reason');
	trace.issue = {...rest, noted, ...(reason && {reason})};
};

/** How far the work on the trace's issue is. */
export const issueStage = (trace: Trace): IssueStage => {
	const {killed, tasks, landed = [], pullRequest: request} = trace;
	const isSent = request?.state === 'requested' && request.number !== undefined;
	if (killed) return 'stopped';
	if (request?.state === 'open' || isSent) return 'request';
	const all = [...tasks.values()];
	if (request?.state === 'merged' && tasks.get(request.taskId)?.status !== 'completed') return 'merged';
	const gate = all.find(task => task.review === 'final' && task.status === 'waiting_review');
	if (gate !== undefined && awaitsPerson(gate) && openRuns(trace).length === 0)
		return request?.taskId === gate.taskId && request.state === 'closed' ? 'closed' : 'review';
	if (all.length === 0 || openRuns(trace).length > 0) return 'started';
	if (all.every(({status}) => status === 'cancelled')) return 'stopped';
	if (!all.every(({status}) => status === 'completed' || status === 'cancelled')) return 'started';
	if (landed.length > 0) return 'merged';
	const isPast =
		isAtGate(trace) && mergeOnRecord(trace) === 'none' && decideGate(trace, false).gate === 'none';
	return isPast ? 'done' : 'started';
};

/** True if the work on the issue may still go on. */
export const isIssueOpen = (trace: Trace): boolean =>
	['started', 'review', 'request', 'closed'].includes(issueStage(trace));

/** The stage, with the number of the request that the comment names. */
export const stageKey = (trace: Trace): string => {
	const stage = issueStage(trace);
	const number = trace.pullRequest?.number;
	return number === undefined || stage === 'started' || stage === 'review' ? stage : `${stage} ${number}`;
};

/**
 * True if the comment on the trace's issue does not say yet how far the work is. Before the first run, only
 * of a trace that has a comment: machines could write one each.
 */
export const isNoteDue = (
	trace: Trace,
	settings: {readonly provider: ForgeProvider; readonly repository: string} | undefined,
): boolean =>
	settings !== undefined &&
	trace.purged === undefined &&
	isIssueOf(trace.issue, settings) &&
	isNoteOld(trace);

/** True if the newest comment on the issue of a trace is not what it should say. */
export const isNoteOld = (trace: Trace): boolean => {
	const {issue, place} = trace;
	if (issue === undefined || (place === undefined && issue.noted === undefined)) return false;
	return issue.noted !== stageKey(trace);
};

/** The trace that works on the issue, or did so last. */
export const findTraceOfIssue = (
	traces: Iterable<Trace>,
	place: {readonly provider: ForgeProvider; readonly repository: string},
	number: number,
): Trace | undefined => [...traces].findLast(({issue}) => isIssueOf(issue, place) && issue.number === number);
