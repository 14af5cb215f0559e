import type {IssueStage} from '../../domain/issue.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import {isNoteOld, issueStage} from '../../ledger/issues.ts';

/** The issue from which a trace began, as scripts read it. */
export type IssueLink = {readonly number: number; readonly url: string};

/** The work on an issue, as scripts read it. */
export type IssueView = IssueLink & {
	readonly traceId: string;
	/** Of the trace. */
	readonly title: string;
	readonly state: IssueStage;
	/** True if the comment on the issue says so. */
	readonly isNoted: boolean;
	/** Why the comment could not be written; empty otherwise. */
	readonly reason: string;
	/** The state for people. */
	readonly words: string;
};

export const issueViews = (traces: Iterable<Trace>): readonly IssueView[] =>
	[...traces].flatMap(trace => issueView(trace) ?? []);

const issueView = (trace: Trace): IssueView | undefined => {
	const {traceId, issue} = trace;
	if (issue === undefined) return undefined;
	const {number, url, noted, reason = ''} = issue;
	const state = issueStage(trace);
	const isNoted = noted !== undefined && reason === '' && !isNoteOld(trace);
	return {traceId, title: titleOf(trace), number, url, state, isNoted, reason, words: stageWords[state]};
};

export const issueLink = ({issue}: Trace): IssueLink | null =>
	issue === undefined ? null : {number: issue.number, url: issue.url};

const stageWords: Readonly<Record<IssueStage, string>> = {
	started: 'at work',
	review: 'waits for review',
	request: 'in a pull request',
	closed: 'pull request closed',
	merged: 'merged',
	done: 'nothing to merge',
	stopped: 'stopped',
};
