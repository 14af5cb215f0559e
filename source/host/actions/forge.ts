import * as z from 'zod/mini';
import {formatCount} from '../../domain/format-count.ts';
import {hasNews} from '../../domain/pull-request.ts';
import {action, field, type Subject} from './action.ts';
import {textField, traceId} from './fields.ts';

const whyNoNews = ({trace}: Subject): string | undefined => {
	const request = trace?.pullRequest;
	if (request === undefined) return 'It has no pull request.';
	return hasNews(request) ? undefined : 'No failed check and no comment at the forge waits.';
};

export const sendToAgent = action({
	id: 'forge.send',
	label: 'Send to agent',
	anywhere: true,
	progressLabel: 'Sending to the agent of',
	summary: 'Send the failed checks and comments of a pull request to the agent, as a rework.',
	description:
		'Only comments of people who may write to the repository are sent, and of logins in "forge.trusted". The rework is pushed to the same request when you approve it. The comments are answered there with its commit.',
	examples: ['forge send --trace trace-0199…', 'forge send --trace trace-0199… --feedback "Only the first"'],
	shape: '{v, traceId, taskId, reworkTaskId, checks, comments}',
	needsReactor: true,
	input: z.object({
		traceId,
		feedback: textField('Your own words, which the agent reads first.'),
		checks: field(z.optional(z.array(z.string())), {
			summary: 'Only these failed checks, by name.',
			hint: '<name>',
		}),
		comments: field(z.optional(z.array(z.string())), {
			summary: 'Only these comments, by their ids in "forge list --json".',
			hint: '<id>',
		}),
	}),
	blocked: whyNoNews,
	perform: async (context, input) => {
		const {sendNews} = await import('../../actions/send-news.ts');
		return sendNews(context, input);
	},
	done: ({reworkTaskId, checks, comments}) => [
		`Sent ${[
			...(checks.length === 0 ? [] : [formatCount(checks.length, 'failed check')]),
			...(comments.length === 0 ? [] : [formatCount(comments.length, 'comment')]),
		].join(' and ')}: the rework is task ${reworkTaskId}.`,
	],
});
