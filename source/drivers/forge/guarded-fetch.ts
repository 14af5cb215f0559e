import {createRedactor} from '../../domain/redact.ts';
import {ForgeError, type ForgeLimit} from '../../ports/forge.ts';
import {createAnswerCache} from './answer-cache.ts';
import {numberIn} from './failure.ts';
import type {DriverOptions} from './options.ts';

/** A request to a forge. The headers have the token. */
type Call = {
	readonly method?: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
};

export type GuardedFetch = {
	/** Asks once. Any answer of the forge is a `Response` with its whole text; no answer is a `ForgeError`. */
	readonly ask: (url: string, call: Call) => Promise<Response>;
	/** Hides the token in a text. */
	readonly redact: (text: string) => string;
	readonly limit: () => ForgeLimit | undefined;
};

type Options = Pick<DriverOptions, 'place' | 'token' | 'timeoutMs' | 'maxAnswerBytes'>;

const maxRedirects = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
/** With these a call keeps its method and body. */
const redirectsOfAll: readonly number[] = [307, 308];
/** They have no body. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * Asks one forge alone: the token goes to no other origin, not by a redirect nor by the address of a next
 * page. Reads are conditional; an answer that the forge confirms (304) is returned as it was.
 */
export const createGuardedFetch = (forge: string, options: Options): GuardedFetch => {
	const {place, token, timeoutMs, maxAnswerBytes} = options;
	const {origin} = new URL(place.api);
	const redact = createRedactor([token]);
	const cache = createAnswerCache();
	let limit: ForgeLimit | undefined;

	const follow = async (url: string, init: RequestInit, left = maxRedirects): Promise<Response> => {
		if (new URL(url).origin !== origin)
			throw new ForgeError(
				'invalid',
				`${forge} sends this call to ${new URL(url).origin}. That is another address than ${origin}, so it gets no token.`,
			);
		const answer = await fetch(url, init);
		const location = answer.headers.get('location');
		if (!redirects.includes(answer.status) || location === null) return answer;
		await answer.body?.cancel();
		if (left === 0) throw new ForgeError('invalid', `${forge} redirects this call without an end.`);
		const isRead = init.method === 'GET';
		if (!isRead && !redirectsOfAll.includes(answer.status))
			throw new ForgeError(
				'refused',
				`${forge} has this at another address, and changes nothing at the old.`,
			);
		if (!URL.canParse(location, url))
			throw new ForgeError('invalid', `${forge} redirects this call to no address.`);
		return follow(new URL(location, url).href, init, left - 1);
	};

	const readText = async (answer: Response): Promise<string> => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of answer.body ?? []) {
			size += chunk.length;
			if (size > maxAnswerBytes) throw new TooLarge(forge, maxAnswerBytes);
			chunks.push(chunk);
		}
		return Buffer.concat(chunks).toString();
	};

	const noteLimit = (headers: Headers): void => {
		const read = (name: string) =>
			numberIn(headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`));
		const [remaining, all, reset] = [read('remaining'), read('limit'), read('reset')];
		if (remaining === undefined || all === undefined || reset === undefined) return;
		limit = {remaining, limit: all, resetAt: reset * 1000};
	};

	const askOnce = async (url: string, {method = 'GET', headers, body}: Call): Promise<Response> => {
		const known = method === 'GET' ? cache.find(url) : undefined;
		const answer = await follow(url, {
			...{method, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs)},
			headers: {...headers, ...(known && {'if-none-match': known.etag})},
			...(body !== undefined && {body}),
		});
		noteLimit(answer.headers);
		const {status} = answer;
		if (status === 304 && known !== undefined)
			return answerOf(url, known.text, {status: 200, headers: confirmed(known.headers, answer.headers)});
		const text = await readText(answer);
		const etag = answer.headers.get('etag');
		if (method === 'GET' && status === 200 && etag !== null)
			cache.keep(url, {etag, text, headers: answer.headers});
		return answerOf(url, bodiless.includes(status) ? null : text, {status, headers: answer.headers});
	};

	return {
		redact,
		limit: () => limit,
		ask: (url, call) =>
			askOnce(url, call).catch((error: unknown) => {
				if (error instanceof ForgeError) throw error;
				throw new ForgeError('unreachable', redact(reasonOf(error, forge, timeoutMs)));
			}),
	};
};

class TooLarge extends ForgeError {
	constructor(forge: string, maxBytes: number) {
		super('invalid', `${forge} answers with more than ${maxBytes} bytes.`);
	}
}

export const isTooLarge = (error: unknown): boolean => error instanceof TooLarge;

/** A response that knows what was asked, as that of `fetch` does. */
const answerOf = (url: string, text: string | null, init: ResponseInit): Response =>
	Object.defineProperty(new Response(text, init), 'url', {value: url});

/** The headers of the first answer, with the newer values of the one that confirms it. */
const confirmed = (before: Headers, now: Headers): Headers => {
	const headers = new Headers(before);
	for (const [name, value] of now) if (name !== 'content-length') headers.set(name, value);
	return headers;
};

const reasonOf = (error: unknown, forge: string, timeoutMs: number): string => {
	if (!(error instanceof Error)) return `${forge} cannot be reached.`;
	if (error.name === 'TimeoutError') return `${forge} did not answer within ${timeoutMs / 1000} seconds.`;
	const {message} = error.cause instanceof Error ? error.cause : error;
	return `${forge} cannot be reached: ${message || error.message}.`;
};
