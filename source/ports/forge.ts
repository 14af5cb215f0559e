/** The state of a pull request at its forge. A merged one is not `closed`. */
type RequestState = 'open' | 'merged' | 'closed';

/** A pull request (GitLab: a merge request) as its forge has it. All texts are hostile until checked. */
export type ForgeRequest = {
	readonly number: number;
	readonly url: string;
	readonly state: RequestState;
	readonly isDraft: boolean;
	readonly title: string;
	readonly body: string;
	/** Name of its branch. */
	readonly branch: string;
	/** Newest commit of its branch, as the forge knows it. */
	readonly head: string;
	/** Name of the branch that it is merged into. */
	readonly base: string;
	/** The commit on the base that has the work; only of a merged request. */
	readonly mergedAs?: string;
};

/** What a new request says. */
export type RequestDraft = Pick<ForgeRequest, 'title' | 'body' | 'branch' | 'base' | 'isDraft'> & {
	/** Logins. */
	readonly reviewers: readonly string[];
	readonly labels: readonly string[];
};

/** The newest result of one check of the forge. */
export type ForgeCheck = {
	readonly name: string;
	readonly state: 'pending' | 'passed' | 'failed';
	/** The commit that it ran on. */
	readonly commit: string;
	/** The forge's own words; empty if it has none. At most 4,000 characters. */
	readonly summary: string;
	readonly url: string;
};

/** A comment on a request, on its lines, or of a review. */
export type ForgeComment = {
	/** Unique among the comments of the request, and stable. */
	readonly id: string;
	readonly author: string;
	/** True if the author may write to the repository, by the forge's word. */
	readonly mayWrite: boolean;
	/** True if the login of the token wrote it. */
	readonly isOwn: boolean;
	/** UTC, RFC 3339. */
	readonly at: string;
	readonly text: string;
	readonly url: string;
	/** Absent for a comment on the whole request. */
	readonly place?: {
		readonly path: string;
		/** From 1. */
		readonly line: number;
		readonly side: 'old' | 'new';
		/** The commented line as it was; empty if the forge does not give it. */
		readonly quote: string;
	};
};

/** A request with all that was said about it. */
export type ForgeView = {
	readonly request: ForgeRequest;
	/** Of its newest commit. */
	readonly checks: readonly ForgeCheck[];
	/** Oldest first. */
	readonly comments: readonly ForgeComment[];
};

/** An issue as its forge has it. */
export type ForgeIssue = {
	readonly number: number;
	readonly url: string;
	readonly isOpen: boolean;
	readonly title: string;
	readonly body: string;
	readonly author: string;
	readonly labels: readonly string[];
};

/** A comment on an issue. */
export type IssueComment = Pick<ForgeComment, 'author' | 'mayWrite' | 'isOwn' | 'text'> & {
	/** Later comments have higher ones. */
	readonly id: number;
};

/** The token's owner and rights. */
export type ForgeAccess = {
	readonly login: string;
	/** True if it may push to the repository and open requests there. */
	readonly mayPush: boolean;
	/** Scopes of the token as the forge names them; empty if it does not say. */
	readonly scopes: readonly string[];
	/** The repository's own name, which differs after a rename. */
	readonly repository: string;
	readonly defaultBranch: string;
};

/** Requests that the forge still accepts, as of its last answer. */
export type ForgeLimit = {
	readonly remaining: number;
	readonly limit: number;
	/** Milliseconds since 1970. */
	readonly resetAt: number;
};

/**
 * One repository at a forge. Every call may throw a `ForgeError`. Reads send the validators (`ETag`) of the
 * last answer, so that at GitHub an unchanged resource costs no request of the rate limit. They are kept as
 * long as this object.
 */
export type Forge = {
	readonly examine: () => Promise<ForgeAccess>;
	/** The newest request from the branch of this repository, in any state. */
	readonly findRequest: (branch: string) => Promise<ForgeRequest | undefined>;
	/**
	 * Opens a request. If one from the branch is open already, returns that one unchanged. `problems` are
	 * sentences about reviewers and labels that the forge did not take.
	 */
	readonly openRequest: (
		draft: RequestDraft,
	) => Promise<ForgeRequest & {readonly problems?: readonly string[]}>;
	readonly editRequest: (
		number: number,
		change: Partial<Pick<ForgeRequest, 'title' | 'body'>>,
	) => Promise<void>;
	readonly readRequest: (number: number) => Promise<ForgeView>;
	/**
	 * Answers a comment: in its thread if it is on a line, else as a comment on the request. Does nothing if
	 * an own comment of the request contains the marker already. A text without the marker gets it at its end,
	 * here and in `noteOnIssue`.
	 */
	readonly reply: (
		number: number,
		to: Pick<ForgeComment, 'id' | 'place'>,
		answer: {readonly text: string; readonly marker: string},
	) => Promise<void>;
	readonly readIssue: (number: number) => Promise<ForgeIssue>;
	/**
	 * Open issues with the label, which a login with the right to write has set.
	 *
	 * @param known numbers of issues to leave out
	 */
	readonly issuesWithLabel: (label: string, known?: ReadonlySet<number>) => Promise<readonly ForgeIssue[]>;
	/** Oldest first. */
	readonly issueComments: (number: number) => Promise<readonly IssueComment[]>;
	readonly commentOnIssue: (number: number, text: string) => Promise<void>;
	/** Removes an own comment. Does nothing if it is gone. */
	readonly removeIssueComment: (number: number, id: number) => Promise<void>;
	/** Writes one comment on an issue, or replaces the text of the own one that contains the marker. */
	readonly noteOnIssue: (
		number: number,
		note: {readonly text: string; readonly marker: string},
	) => Promise<void>;
	/** Undefined until the forge has told it. */
	readonly limit: () => ForgeLimit | undefined;
};

const forgeTroubles = [
	/** The token is unknown or expired (401). */
	'unauthorized',
	/** The token lacks a right or scope (403). */
	'forbidden',
	/** The rate limit is used up (403 or 429); `retryAt` says until when. */
	'limited',
	/** The repository, request or issue is not there, or hidden from the token (404). */
	'not_found',
	/** It has changed meanwhile (409). */
	'conflict',
	/** The forge refused what was sent (422 and other 4xx). */
	'refused',
	/** No answer: network, timeout, or a failure of the forge (5xx). */
	'unreachable',
	/** The answer is not what the forge documents. */
	'invalid',
] as const;
export type ForgeTrouble = (typeof forgeTroubles)[number];

/** Why a forge did not do what it was asked. The message is for people, and has no secret. */
export class ForgeError extends Error {
	readonly trouble: ForgeTrouble;
	/** Milliseconds since 1970; only for `limited`. */
	readonly retryAt: number | undefined;

	constructor(trouble: ForgeTrouble, message: string, retryAt?: number) {
		super(message);
		this.name = 'ForgeError';
		this.trouble = trouble;
		this.retryAt = retryAt;
	}
}

/** The address of a repository at a forge. */
export type ForgePlace = {
	readonly provider: 'github' | 'gitlab';
	/** Root of the API: https, or http on loopback. */
	readonly api: string;
	/** `owner/name`. */
	readonly repository: string;
};
