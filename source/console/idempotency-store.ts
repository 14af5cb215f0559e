import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** The answer to a request that changed something. */
export type Answer = {readonly status: number; readonly body: string};

/**
 * Answers by idempotency key. A repeated request with the same key gets the same answer, and nothing is done
 * twice.
 */
export type IdempotencyStore = {
	/**
	 * Refused if another request used the key. While the first request runs, the repeated one waits for its
	 * answer.
	 */
	readonly once: (key: string, request: string, answer: () => Promise<Answer>) => Promise<Outcome<Answer>>;
};

/** Max keys that are kept; the oldest are removed first. */
const maxKeys = 1000;

export const createIdempotencyStore = (): IdempotencyStore => {
	const requests = new Map<string, {readonly request: string; readonly answer: Promise<Answer>}>();
	return {
		once: async (key, request, answer) => {
			const earlier = requests.get(key);
			if (earlier !== undefined && earlier.request !== request) return refuse('key_reused');
			if (earlier !== undefined) return accepted(await earlier.answer);
			const pendingAnswer = answer();
			requests.set(key, {request, answer: pendingAnswer});
			for (const oldest of requests.keys()) {
				if (requests.size <= maxKeys) break;
				requests.delete(oldest);
			}
			try {
				const {status} = await pendingAnswer;
				// A server error is not kept, since a retry may succeed.
				if (status >= 500) requests.delete(key);
			} catch (error) {
				requests.delete(key);
				throw error;
			}
			return accepted(await pendingAnswer);
		},
	};
};
