import type {PullRequest, RequestComment} from '../domain/pull-request.ts';
import type {Trace} from '../domain/trace.ts';
import {appendAbout, type ForgeContext} from './context.ts';
import {ownMark} from './read-news.ts';

/** The comments whose rework is at the forge, and that have no answer there. */
const unanswered = (request: PullRequest): readonly RequestComment[] => {
	if (request.state !== 'open' || request.commit === undefined) return [];
	return request.comments.filter(({isReworked, isAnswered}) => isReworked && !isAnswered);
};

/** Answers each of them with the commit that has its rework, once. */
export const answerComments = async (
	ports: ForgeContext,
	trace: Trace,
	request: PullRequest,
): Promise<void> => {
	const {number, commit = '', taskId} = request;
	if (number === undefined) return;
	const {traceId} = trace;
	for (const {id, path, line, side = 'new', quote = ''} of unanswered(request)) {
		const place = path === undefined || line === undefined ? undefined : {path, line, side, quote};
		const marker = `${ownMark}answer ${traceId} ${id} -->`;
		await ports.forge.reply(
			number,
			{id, ...(place && {place})},
			{text: `Changed in ${commit.slice(0, 12)}.`, marker},
		);
		ports.context.failpoint('forge.answered');
		await appendAbout(ports, traceId, `answered/${id}`, {
			...{kind: 'pull_request.answered', taskId, comments: [id]},
		});
	}
};
