import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {
	newsOf,
	type PullRequest,
	type RequestCheck,
	type RequestComment,
	type RequestNews,
} from '../domain/pull-request.ts';
import {maxCommentLength, maxQuoteLength, type ReviewComment} from '../domain/review-comment.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere} from './decide-and-append.ts';
import {rejectProposal} from './reject-proposal.ts';

export type SendNewsInput = {
	readonly traceId: string;
	/** A person's own words, put first. */
	readonly feedback?: string | undefined;
	/** Names of failed checks, and ids of comments. Default: all that no rework got. */
	readonly checks?: readonly string[] | undefined;
	readonly comments?: readonly string[] | undefined;
	readonly isAutomatic?: true;
};

export type SentNews = {
	readonly traceId: string;
	readonly taskId: string;
	readonly reworkTaskId: string;
	/** Names of the failed checks, and ids of the comments, that the rework has. */
	readonly checks: readonly string[];
	readonly comments: readonly string[];
};

/**
 * Sends failed checks and comments of a trace's request to its agent, as a rework of the review. Only words
 * of people who count are sent. Refuses `wrong_status` if there are none, and what `rejectProposal` refuses.
 */
export const sendNews = async (context: ActionContext, input: SendNewsInput): Promise<Outcome<SentNews>> => {
	const {traceId, feedback = '', isAutomatic} = input;
	const trace = await loadTrace(context.bus, traceId);
	const elsewhere = refuseElsewhere(trace, context.checkout);
	if (elsewhere !== undefined) return elsewhere;
	const {pullRequest: request} = trace;
	const {failed, comments} = chosen(request, input);
	if (request === undefined || failed.length + comments.length === 0)
		return refuse('wrong_status', {
			message: `No failed check and no comment at the forge waits for ${traceId}.`,
			hint: '"hive forge list" shows the requests, and what was said about them.',
		});
	const {taskId, number} = request;
	const [placed, general] = [comments.filter(isPlaced), comments.filter(comment => !isPlaced(comment))];
	const words = [
		feedback.trim(),
		`From pull request #${number}:`,
		...failed.map(formatCheck),
		...general.map(({author, text}) => `${author} wrote:\n${text.trim()}`),
	];
	const sent = {checks: failed.map(({name}) => name), comments: comments.map(({id}) => id)};
	const rejected = await rejectProposal(
		context,
		{
			...{traceId, taskId, comments: placed.map(toReviewComment)},
			feedback: words.filter(part => part !== '').join('\n\n'),
		},
		reworkTaskId => ({
			...{agentId: context.by, type: 'SIGNAL' as const},
			payload: {
				...{kind: 'pull_request.sent', taskId, reworkTaskId, ...sent},
				...(failed[0] !== undefined && {commit: failed[0].commit}),
				...(isAutomatic && {auto: true}),
			},
		}),
	);
	if (!rejected.ok) return rejected;
	return accepted({traceId, taskId, reworkTaskId: rejected.value.reworkTaskId, ...sent});
};

const chosen = (
	request: PullRequest | undefined,
	{checks = [], comments = []}: SendNewsInput,
): RequestNews => {
	if (request === undefined) return {failed: [], comments: []};
	const news = newsOf(request);
	if (checks.length + comments.length === 0) return news;
	return {
		failed: news.failed.filter(({name}) => checks.includes(name)),
		comments: news.comments.filter(({id}) => comments.includes(id)),
	};
};

const formatCheck = ({name, summary, url}: RequestCheck): string =>
	[`The check "${name}" failed.`, summary.trim(), url].filter(part => part !== '').join('\n');

type Placed = RequestComment & Required<Pick<RequestComment, 'path' | 'line'>>;

const isPlaced = (comment: RequestComment): comment is Placed =>
	comment.path !== undefined && comment.line !== undefined;

const toReviewComment = ({path, line, side = 'new', quote, author, text}: Placed): ReviewComment => ({
	...{path, line, side},
	...(quote && {quote: quote.slice(0, maxQuoteLength)}),
	text: `${author}: ${text.trim()}`.slice(0, maxCommentLength),
});
