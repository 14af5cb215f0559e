import {
	hasNews,
	isAtForge,
	newsOf,
	type PullRequest,
	type PullRequestState,
	type RequestComment,
	requestName,
} from '../../domain/pull-request.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {lastThatChanged, type Trace} from '../../domain/trace.ts';

/** A comment at the forge, as scripts read it. `line` is null for a comment on the whole request. */
export type RequestCommentView = {
	readonly id: string;
	readonly author: string;
	/** False if the author may not write to the repository: it is shown, and never sent to an agent. */
	readonly isTrusted: boolean;
	readonly text: string;
	readonly path: string;
	readonly line: number | null;
	readonly url: string;
	readonly state: 'new' | 'sent' | 'answered';
};

/** A trace's request, as scripts read it. */
export type RequestView = {
	readonly traceId: string;
	readonly taskId: string;
	readonly state: PullRequestState;
	/** Null until it is open. */
	readonly number: number | null;
	readonly url: string;
	/** Why it could not be sent; empty otherwise. */
	readonly reason: string;
	/** Names of checks on its newest commit. */
	readonly failed: readonly string[];
	readonly pending: readonly string[];
	readonly comments: readonly RequestCommentView[];
	/** Its state for people. */
	readonly words: string;
	/** The same, with what is new there, in a sentence. */
	readonly sentence: string;
	/** Its checks and comments in words; empty if there is nothing to say. */
	readonly says: string;
};

export const requestViews = (traces: Iterable<Trace>): readonly RequestView[] =>
	[...traces].flatMap(trace => requestView(trace) ?? []);

export const requestView = (trace: Trace): RequestView | undefined => {
	const {traceId, pullRequest: request} = trace;
	if (request === undefined) return undefined;
	const {taskId, state, number, url = '', reason = '', comments} = request;
	return {
		...{traceId, taskId, state, number: number ?? null, url, reason},
		failed: newsOf(request).failed.map(({name}) => name),
		pending: pendingOf(request),
		comments: comments.map(commentView),
		words: stateWords[state],
		sentence: requestSentence(trace, taskId),
		says: formatNews(request),
	};
};

const pendingOf = ({checks, commit, state}: PullRequest): readonly string[] =>
	state === 'open'
		? checks.filter(check => check.state === 'pending' && check.commit === commit).map(({name}) => name)
		: [];

const commentView = (comment: RequestComment): RequestCommentView => {
	const {id, author, isTrusted, text, path = '', line, url, sentTo, isAnswered} = comment;
	const sent = sentTo === undefined ? 'new' : 'sent';
	return {
		...{id, author, isTrusted, text, path, line: line ?? null, url},
		state: isAnswered ? 'answered' : sent,
	};
};

const stateWords: Readonly<Record<PullRequestState, string>> = {
	requested: 'is being sent',
	left: 'was not sent',
	open: 'open',
	merged: 'merged',
	closed: 'closed',
};

const maxNames = 3;

/** `"lint" failed, 2 comments of ada and bob`; empty without news. */
const formatNews = (request: PullRequest): string => {
	const {failed, comments} = newsOf(request);
	const authors = [...new Set(comments.map(({author}) => author))];
	const checks = failed.map(({name}) => `"${sanitizeLine(name)}"`);
	return [
		...(checks.length === 0 ? [] : [`${firstOf(checks)} failed`]),
		...(comments.length === 0
			? []
			: [`${comments.length} ${comments.length === 1 ? 'comment' : 'comments'} of ${firstOf(authors)}`]),
	].join(', ');
};

const firstOf = (names: readonly string[]): string =>
	names.length <= maxNames
		? names.join(' and ')
		: `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`;

/** What the request of a review says to a person, in one sentence; empty if there is none. */
export const requestSentence = (trace: Trace, taskId: string): string => {
	const {pullRequest: request} = trace;
	if (request?.taskId !== taskId) return '';
	const name = requestName(request);
	const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
	switch (request.state) {
		case 'requested':
			return 'Its pull request is being sent to the forge.';
		case 'left':
			return `It was not sent to the forge. ${request.reason ?? ''}`.trim();
		case 'open':
			if (hasNews(request)) return `${capital}: ${formatNews(request)}.`;
			if (request.movedTo !== undefined) return `${capital} has commits there that are not in the worktree.`;
			return lacksWork(trace, request)
				? `${capital} lacks the newest work, which approving sends.`
				: `${capital} waits at the forge.`;
		case 'closed':
			return request.number === undefined ? '' : `${capital} was closed at the forge without a merge.`;
		case 'merged':
			return `${capital} was merged at the forge.`;
	}
};

/** True if the review waits for people at the forge, and nothing there is new. */
export const waitsAtForge = (trace: Trace, taskId: string): boolean => {
	const {pullRequest: request} = trace;
	if (request?.taskId !== taskId || !isAtForge(request)) return false;
	return !hasNews(request) && request.movedTo === undefined && !lacksWork(trace, request);
};

/** True if the work was changed after its approval, and only another approval sends that. */
const lacksWork = (trace: Trace, {state, by, reworked, approvedAt}: PullRequest): boolean =>
	state === 'open' &&
	by !== 'forge' &&
	reworked === 0 &&
	(lastThatChanged(trace)?.finishedAt ?? '') > approvedAt;

/** True if the forge has news about the review that its agent could get. */
export const hasRequestNews = ({pullRequest: request}: Trace, taskId: string): boolean =>
	request?.taskId === taskId && hasNews(request);
