import * as z from 'zod/mini';
import {refuse} from '../../domain/errors.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {LiveColony} from '../../host/live/live.ts';
import {readAuthorizedBody} from '../body.ts';
import type {Call} from '../call.ts';
import type {Callers} from '../callers.ts';
import type {Reply} from '../reply.ts';

/** The body of a request. A mark is one that the changes of a review have. */
export const markInput = z.object({
	mark: z.string().check(z.regex(/^[0-9a-f]{0,7} /), z.maxLength(4200)),
	reviewed: z.boolean(),
});

/**
 * Marks a file as reviewed, for all reviews on this machine, or removes the mark. It decides nothing, so it
 * is no action and no event.
 */
export const markReviewed = ({reviews}: Pick<LiveColony, 'reviews'>, callers: Callers, reply: Reply) => {
	// Each write replaces the file.
	const queue = createSerialQueue();
	return async (call: Call): Promise<Response> => {
		const body = await readAuthorizedBody(call, callers);
		if (!body.ok) return reply.problem(call, body.refusal);
		const {success, data} = z.safeParse(markInput, body.value);
		if (!success) {
			const hint = 'Send {"mark", "reviewed"} with a mark of the changes.';
			return reply.problem(call, refuse('usage', {message: 'No file has such a mark.', hint}).refusal);
		}
		await queue(async () => {
			const before = await reviews.read();
			const others = before.reviewed.filter(mark => mark !== data.mark);
			const reviewed = data.reviewed ? [...others, data.mark] : others;
			await reviews.write({...before, reviewed}, before);
		});
		return reply.json(call, {reviewed: data.reviewed});
	};
};
