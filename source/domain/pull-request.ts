import type {Side} from './review-comment.ts';

export const forgeProviders = ['github', 'gitlab'] as const;
export type ForgeProvider = (typeof forgeProviders)[number];

/** When the request of a final review is opened: as a person approves, or as soon as the review opens. */
export const openPolicies = ['on_approve', 'when_ready'] as const;
export type OpenPolicy = (typeof openPolicies)[number];

/** What of a request is sent to the agent without a person. */
export const reworkPolicies = ['none', 'checks', 'comments', 'both'] as const;
export type ReworkPolicy = (typeof reworkPolicies)[number];

/** The effect of approving a final review, unless the person chooses. */
export const approvals = ['merge', 'pull_request'] as const;
export type Approval = (typeof approvals)[number];

/**
 * `requested`: approved, and not at the forge yet. `left`: the forge or git refused it, and a person has to
 * act. `closed`: closed there without a merge.
 */
const requestStates = ['requested', 'left', 'open', 'merged', 'closed'] as const;
export type PullRequestState = (typeof requestStates)[number];

export const checkStates = ['pending', 'passed', 'failed'] as const;

/** The newest result of a check of the forge. */
export type RequestCheck = {
	readonly name: string;
	readonly state: (typeof checkStates)[number];
	/** The commit that it ran on. */
	readonly commit: string;
	readonly summary: string;
	readonly url: string;
	/** The rework task that got this result. */
	readonly sentTo?: string;
};

/** A comment that was made at the forge. */
export type RequestComment = {
	/** Unique in its request. */
	readonly id: string;
	readonly author: string;
	/** True if its author counts: write access by the forge's word, or named in `forge.trusted`. */
	readonly isTrusted: boolean;
	/** UTC, RFC 3339. */
	readonly at: string;
	readonly text: string;
	readonly url: string;
	/** On a line of the change; absent for a comment on all of it. */
	readonly path?: string;
	readonly line?: number;
	readonly side?: Side;
	readonly quote?: string;
	/** The rework task that got it. */
	readonly sentTo?: string;
	/** Set once an approval has that rework. */
	readonly isReworked?: true;
	/** Set once it is answered at the forge. */
	readonly isAnswered?: true;
};

/** The request of a trace's final review at a forge (docs/architecture.md §5). */
export type PullRequest = {
	/** The final review. */
	readonly taskId: string;
	readonly state: PullRequestState;
	/** The person who approved it; `runtime` if it is opened when ready. */
	readonly by: string;
	/** The tree of the work that was approved. */
	readonly tree: string;
	/** Short name of the branch that it is for. */
	readonly base: string;
	/** The person's text: title and, after a blank line, body. */
	readonly message?: string;
	/** Sequence and time of the newest approval. */
	readonly approved: number;
	readonly approvedAt: string;
	/** Absent until it is open. */
	readonly number?: number;
	readonly url?: string;
	/** The commit that hive pushed last, and its tree. */
	readonly commit?: string;
	readonly pushedTree?: string;
	/** The newest commit of its branch at the forge, if others pushed there. */
	readonly movedTo?: string;
	/** Why it could not be sent. In one sentence. */
	readonly reason?: string;
	/** The commit on the base that has the work; of a merged one. */
	readonly mergedAs?: string;
	/** The login that merged or closed it, as far as the forge says. */
	readonly endedBy?: string;
	/** The newest result of each check, at most `maxRequestChecks`. */
	readonly checks: readonly RequestCheck[];
	/** Oldest first, at most `maxRequestComments`, the newest. */
	readonly comments: readonly RequestComment[];
	/** Sequence of the newest news from the forge. */
	readonly news?: number;
	/** How often its news were sent to the agent without a person. */
	readonly reworked: number;
};

export const maxRequestChecks = 50;
export const maxRequestComments = 50;
/** Characters of a comment, and of what a check says, that the log keeps. */
export const maxRequestText = 2000;
/** Rounds that `forge.auto_rework` may send to the agent before a person has to. */
export const maxAutoReworks = 3;

/** True if the forge may still merge it. */
export const isAtForge = (request: PullRequest | undefined): request is PullRequest =>
	request?.state === 'open' || request?.state === 'requested';

/** True if a final review is approved, and its request is not at the forge yet. */
export const isRequested = ({pullRequest}: {readonly pullRequest?: PullRequest}, taskId: string): boolean =>
	pullRequest?.taskId === taskId && pullRequest.state === 'requested';

/** `pull request #12`, as far as the number is known. */
export const requestName = ({number}: Pick<PullRequest, 'number'>): string =>
	number === undefined ? 'the pull request' : `pull request #${number}`;

/** News that no run and no person has dealt with yet. */
export type RequestNews = {
	readonly failed: readonly RequestCheck[];
	readonly comments: readonly RequestComment[];
};

/**
 * The failed checks of the pushed commit and the trusted comments, as far as no rework got them. Only of an
 * open request.
 */
export const newsOf = (request: PullRequest): RequestNews => {
	if (request.state !== 'open') return {failed: [], comments: []};
	const {commit, checks, comments, movedTo = commit} = request;
	return {
		failed: checks.filter(
			({state, commit: of, sentTo}) => state === 'failed' && of === movedTo && sentTo === undefined,
		),
		comments: comments.filter(({isTrusted, sentTo}) => isTrusted && sentTo === undefined),
	};
};

export const hasNews = (request: PullRequest): boolean => {
	const {failed, comments} = newsOf(request);
	return failed.length + comments.length > 0;
};
