import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** The answer to a request that changed something. */
export type Answer = {readonly status: number; readonly body: string};

/**
 * Answers by idempotency key. A repeated request with the same key gets the same answer, and nothing is done
 * twice.
 */
export type Remembered = {
	/**
	 * Refused if another request used the key. While the first request runs, the repeated one waits for its
	 * answer.
	 */
	readonly once: (key: string, request: string, answer: () => Promise<Answer>) => Promise<Outcome<Answer>>;
};

/** Max keys that are kept; the oldest are removed first. */
const most = 1000;

export const createRemembered = (): Remembered => {
	const known = new Map<string, {readonly request: string; readonly answer: Promise<Answer>}>();
	return {
		once: async (key, request, answer) => {
			const before = known.get(key);
			if (before !== undefined && before.request !== request) return refuse('key_reused');
			if (before !== undefined) return accepted(await before.answer);
			const answering = answer();
			known.set(key, {request, answer: answering});
			for (const oldest of known.keys()) {
				if (known.size <= most) break;
				known.delete(oldest);
			}
			try {
				const {status} = await answering;
				// A server error is not kept, since a retry may succeed.
				if (status >= 500) known.delete(key);
			} catch (error) {
				known.delete(key);
				throw error;
			}
			return accepted(await answering);
		},
	};
};
