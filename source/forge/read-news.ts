import {
	maxRequestChecks,
	maxRequestComments,
	maxRequestText,
	type PullRequest,
	type RequestCheck,
	type RequestComment,
} from '../domain/pull-request.ts';
import {isRepositoryPath} from '../domain/review-comment.ts';
import type {ForgeCheck, ForgeComment, ForgeView} from '../ports/forge.ts';

/** Every comment of hive's own has one of these, invisible at the forge. */
export const ownMark = '<!-- hive:';

/** What the forge says that the log does not have yet. */
export type News =
	| {readonly kind: 'none'}
	| {
			readonly kind: 'news';
			readonly checks: readonly RequestCheck[];
			readonly comments: readonly RequestComment[];
			/** The newest commit of the branch, if others pushed there. */
			readonly movedTo?: string;
	  }
	| {readonly kind: 'merged'; readonly commit: string; readonly head: string}
	| {readonly kind: 'closed'};

/**
 * Compares a request at its forge with the log.
 *
 * @param trusted logins whose comments count although the forge gives them no write access
 */
export const readNews = (
	known: PullRequest,
	{request, checks, comments}: ForgeView,
	trusted: readonly string[],
): News => {
	if (request.state === 'merged' && isCommit(request.mergedAs))
		return {kind: 'merged', commit: request.mergedAs, head: request.head};
	if (request.state === 'closed') return {kind: 'closed'};
	if (request.state === 'merged') return {kind: 'none'};
	const newChecks = checks.map(checkOf).filter(check => isNewCheck(known, check));
	const newComments = comments
		.filter(comment => !(comment.isOwn && comment.text.includes(ownMark)))
		.map(comment => commentOf(comment, trusted))
		.filter(comment => isNewComment(known, comment));
	const hasMoved =
		isCommit(request.head) &&
		known.commit !== undefined &&
		request.head !== known.commit &&
		request.head !== known.movedTo;
	if (newChecks.length + newComments.length === 0 && !hasMoved) return {kind: 'none'};
	return {
		kind: 'news',
		checks: newChecks.slice(-maxRequestChecks),
		comments: newComments.slice(-maxRequestComments),
		...(hasMoved && {movedTo: request.head}),
	};
};

const isCommit = (text: string | undefined): text is string => /^[0-9a-f]{40,64}$/.test(text ?? '');

const checkOf = ({name, state, commit, summary, url}: ForgeCheck): RequestCheck => ({
	...{name: name.trim().slice(0, 300) || 'check', state, commit},
	...{summary: summary.slice(0, maxRequestText), url: url.slice(0, maxRequestText)},
});

const isNewCheck = ({checks}: PullRequest, check: RequestCheck): boolean => {
	const known = checks.find(({name}) => name === check.name);
	return (
		isCommit(check.commit) &&
		(known?.state !== check.state || known.commit !== check.commit || known.summary !== check.summary)
	);
};

const commentOf = (comment: ForgeComment, trusted: readonly string[]): RequestComment => {
	const {id, author, mayWrite, at, text, url, place} = comment;
	const isTrusted = mayWrite || trusted.some(login => login.toLowerCase() === author.toLowerCase());
	const isOnLine = place !== undefined && isRepositoryPath(place.path) && place.line >= 1;
	return {
		...{id, author, isTrusted, at, url: url.slice(0, maxRequestText)},
		text: text.slice(0, maxRequestText),
		...(isOnLine && {
			...{path: place.path, line: place.line, side: place.side},
			quote: place.quote.slice(0, maxRequestText),
		}),
	};
};

const isNewComment = ({comments}: PullRequest, comment: RequestComment): boolean =>
	comment.id !== '' &&
	comment.text.trim() !== '' &&
	comments.find(({id}) => id === comment.id)?.text !== comment.text;
