import {isName} from '../domain/ids.ts';
import type {IssueStage} from '../domain/issue.ts';
import type {Trace} from '../domain/trace.ts';
import {issueStage} from '../ledger/issues.ts';
import {ownMark} from './read-news.ts';

/** The trace that a comment on an issue is about. */
export type Claim = {
	readonly traceId: string;
	/** Id of the colony. */
	readonly colony: string;
	/** Id of the checkout that works on it. */
	readonly place: string;
};

/** Comments on issues begin with it, then come the ids of a claim. It is invisible at the forge. */
const issueMark = `${ownMark}issue `;

/** The part of a comment's marker that stays the same when another checkout takes the trace. */
export const claimMarker = ({colony, traceId}: Pick<Claim, 'colony' | 'traceId'>): string =>
	`${issueMark}${colony} ${traceId} `;

/** The claim in a comment; undefined in any other comment. */
export const claimIn = (text: string): Claim | undefined => {
	const [, colony = '', traceId = '', place = ''] =
		/^<!-- hive:issue ([\w.-]{1,64}) ([\w.-]{1,64}) ([\w.-]{1,64}) -->(?:\r?\n|$)/.exec(text) ?? [];
	return isName(traceId) ? {colony, traceId, place} : undefined;
};

/** The comment on the issue of a trace. Nothing in it comes from the issue or from an agent. */
export const noteText = (claim: Claim, trace: Pick<Trace, 'pullRequest'>, stage: IssueStage): string =>
	`${claimMarker(claim)}${claim.place} -->\n${sentences[stage](linkOf(trace))}`;

/** The same about a trace as it is now. */
export const currentNote = (claim: Claim, trace: Trace): string => noteText(claim, trace, issueStage(trace));

type Sentence = (link: string) => string;

const sentences: Readonly<Record<IssueStage, Sentence>> = {
	started: () => 'hive works on this issue.',
	review: () => 'The work of hive on this issue waits for a review.',
	request: link => `The work of hive on this issue is in ${link}.`,
	closed: link => `The work of hive on this issue was rejected: ${link} was closed without a merge.`,
	merged: link => `The work of hive on this issue is merged${link === noLink ? '' : `, by ${link}`}.`,
	done: () => 'The work of hive on this issue is over, and changed nothing.',
	stopped: () => 'The work of hive on this issue was stopped.',
};

const noLink = 'a pull request';

/** Only the address of a request that the forge gave, with characters that markdown leaves alone. */
const linkOf = ({pullRequest}: Pick<Trace, 'pullRequest'>): string => {
	const {url = ''} = pullRequest ?? {};
	return /^https?:\/\/[\w.:/~-]+$/.test(url) ? url : noLink;
};
