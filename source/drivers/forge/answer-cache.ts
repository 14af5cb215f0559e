/** An answer that the forge may confirm instead of sending it again. */
export type KnownAnswer = {
	readonly etag: string;
	readonly text: string;
	readonly headers: Headers;
};

/** Characters of all answers together; the least recently used are forgotten. */
const maxLength = 32 * 1024 * 1024;

/** Answers by their address, in memory. */
export const createAnswerCache = () => {
	const known = new Map<string, KnownAnswer>();
	let length = 0;
	const forget = (url: string): void => {
		length -= known.get(url)?.text.length ?? 0;
		known.delete(url);
	};
	return {
		find: (url: string): KnownAnswer | undefined => known.get(url),
		keep: (url: string, answer: KnownAnswer): void => {
			forget(url);
			known.set(url, answer);
			length += answer.text.length;
			for (const oldest of known.keys()) {
				if (length <= maxLength) break;
				forget(oldest);
			}
		},
	};
};
