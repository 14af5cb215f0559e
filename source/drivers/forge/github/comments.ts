import * as z from 'zod/mini';
import type {ForgeComment} from '../../../ports/forge.ts';
import {cutBody, cutName, maxComments, webAddress} from '../limits.ts';
import {instant, wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GithubClient} from './client.ts';

const author = {
	// The author of a deleted account is null.
	user: z.nullish(z.object({login: words})),
	author_association: words,
};
const issueComment = z.object({
	...{id: wholeNumber, html_url: words, body: wordsIfAny, created_at: instant, ...author},
});
const lineComment = z.object({
	...{id: wholeNumber, html_url: words, body: wordsIfAny, created_at: instant, ...author},
	in_reply_to_id: z.nullish(wholeNumber),
	path: words,
	// Null for a comment whose line has changed since, or on a whole file.
	...{line: z.nullish(wholeNumber), original_line: z.nullish(wholeNumber)},
	side: z.nullish(words),
	diff_hunk: wordsIfAny,
});
const review = z.object({
	...{id: wholeNumber, html_url: words, body: wordsIfAny, ...author},
	// Missing until it is submitted.
	submitted_at: z.nullish(instant),
});

/** A comment, with what only replies need. */
export type ReadComment = ForgeComment & {
	/** The whole text. */
	readonly raw: string;
	/** GitHub's number of it. */
	readonly number: number;
	/** GitHub's number of the first comment of its thread; only on lines. */
	readonly thread?: number;
};

const mayWrite: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];
const deletedUser = 'ghost';

/** All comments of a request with its reviews that say something, oldest first. */
export const readComments = async (
	client: GithubClient,
	number: number,
	login: string,
): Promise<readonly ReadComment[]> => {
	const pullRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
	const [comments, onLines, reviews] = await Promise.all([
		readIssueComments(client, number, login),
		client.list(`${pullRoute}/comments`, {pull_number: number}, lineComment, maxComments),
		client.list(`${pullRoute}/reviews`, {pull_number: number}, review, maxComments),
	]);
	return [
		...comments,
		...onLines.map(comment => ({
			...commonOf(comment, login),
			...{id: `line-${comment.id}`, at: comment.created_at},
			thread: comment.in_reply_to_id ?? comment.id,
			...placeOf(comment),
		})),
		...reviews.flatMap(each =>
			typeof each.submitted_at === 'string' && each.body.trim() !== ''
				? [{...commonOf(each, login), id: `review-${each.id}`, at: each.submitted_at}]
				: [],
		),
	]
		.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
		.slice(-maxComments);
};

/** The comments on an issue, or on a request as a whole. */
export const readIssueComments = async (
	client: GithubClient,
	number: number,
	login: string,
): Promise<readonly ReadComment[]> => {
	const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
	const comments = await client.list(route, {issue_number: number}, issueComment, maxComments);
	return comments.map(comment => ({
		...commonOf(comment, login),
		...{id: `comment-${comment.id}`, at: comment.created_at},
	}));
};

type Common = Pick<z.output<typeof issueComment>, 'id' | 'user' | 'author_association' | 'body' | 'html_url'>;

const commonOf = (
	{id, user, author_association: association, body, html_url: url}: Common,
	login: string,
) => ({
	number: id,
	author: cutName(user?.login ?? deletedUser),
	mayWrite: user !== null && user !== undefined && mayWrite.includes(association),
	isOwn: user?.login === login,
	text: cutBody(body),
	raw: body,
	url: webAddress(url),
});

/** The place of a comment on a line. One on a whole file has none. */
const placeOf = (comment: z.output<typeof lineComment>): Pick<ForgeComment, 'place'> => {
	const line = comment.line ?? comment.original_line;
	if (line === null || line === undefined || line < 1) return {};
	const side = comment.side === 'LEFT' ? 'old' : 'new';
	return {place: {path: cutName(comment.path), line, side, quote: quoteOf(comment.diff_hunk)}};
};

/** The last line of a hunk, which is the commented one. */
const quoteOf = (hunk: string): string => cutName((hunk.split('\n').at(-1) ?? '').replace(/^[-+ ]/, ''));
