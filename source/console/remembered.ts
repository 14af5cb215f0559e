import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** An answer to a request that changed something. */
export type Answer = {readonly status: number; readonly body: string};

/**
 * Answers of requests that named a key, by it: who asks again with the same gets the same, and nothing is
 * done twice.
 */
export type Remembered = {
	/** Refused when the key was another request's, or that one is still being done. */
	readonly once: (key: string, request: string, answer: () => Promise<Answer>) => Promise<Outcome<Answer>>;
};

/** Keys that are remembered; the oldest go first. */
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
				// What failed for now may go well next time.
				if (status >= 500) known.delete(key);
			} catch (error) {
				known.delete(key);
				throw error;
			}
			return accepted(await answering);
		},
	};
};
