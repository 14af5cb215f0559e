import type {ForgeProvider} from './pull-request.ts';

/** What a comment on an issue says about the trace that works on it. */
export type IssueStage = 'started' | 'review' | 'request' | 'closed' | 'merged' | 'done' | 'stopped';

/** The issue at a forge from which a trace began. */
export type TraceIssue = {
	readonly number: number;
	readonly url: string;
	readonly provider: ForgeProvider;
	/** `owner/name` of the repository that has the issue. */
	readonly repository: string;
	/** What the comment on the issue says, as `stageKey` writes it; absent before the first comment. */
	readonly noted?: string;
	/** Why the newest comment could not be written. In one sentence. */
	readonly reason?: string;
};

/** A repository at a forge. */
type IssuePlace = Pick<TraceIssue, 'provider' | 'repository'>;

/** True if the issue is in this repository. Forges ignore the case of names. */
export const isIssueOf = (
	issue: IssuePlace | undefined,
	{provider, repository}: IssuePlace,
): issue is TraceIssue =>
	issue?.provider === provider && issue.repository.toLowerCase() === repository.toLowerCase();

/** `issue #12` */
export const issueName = ({number}: Pick<TraceIssue, 'number'>): string => `issue #${number}`;

/** The number in `12` or `#12`; undefined for any other text. */
export const issueNumberIn = (text: string): number | undefined => {
	const [, digits = ''] = /^#?([1-9]\d{0,14})$/.exec(text.trim()) ?? [];
	return digits === '' ? undefined : Number(digits);
};
