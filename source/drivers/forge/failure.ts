import {sanitizeText} from '../../domain/sanitize.ts';
import {truncate} from '../../domain/truncate.ts';
import {ForgeError, type ForgeTrouble} from '../../ports/forge.ts';

/** An answer that is no success. */
export type FailedAnswer = {
	readonly status: number;
	/** Lower-case name to value. */
	readonly headers: Readonly<Record<string, unknown>>;
	/** The forge's own words; empty if it has none. */
	readonly words: string;
};

/** Characters of the forge's own words in a message. */
const maxWordsLength = 300;
/** Milliseconds until a limit is tried again if the forge names no time. */
const defaultPauseMs = 60_000;
/** A forge that names a later time is asked again after this many milliseconds. */
const maxPauseMs = 24 * 60 * 60 * 1000;

/** Names the trouble of an answer in a plain sentence. */
export const failureOf = (forge: string, answer: FailedAnswer, now: number): ForgeError => {
	const trouble = troubleOf(answer);
	const words = truncate(sanitizeText(answer.words).text.replace(/\s+/g, ' ').trim(), maxWordsLength);
	const sentence = `${forge} ${sentences[trouble]} (${answer.status}).`;
	const message = words === '' ? sentence : `${sentence} It says: ${words}`;
	return new ForgeError(trouble, message, trouble === 'limited' ? retryAt(answer, now) : undefined);
};

const sentences: Readonly<Record<ForgeTrouble, string>> = {
	unauthorized: 'does not accept the token',
	forbidden: 'does not allow this to the token',
	limited: 'accepts no more requests for now',
	not_found: 'does not have this, or hides it from the token',
	conflict: 'has changed this meanwhile',
	refused: 'refuses this',
	unreachable: 'fails',
	invalid: 'answers what it does not document',
};

const troubleOf = (answer: FailedAnswer): ForgeTrouble => {
	const {status} = answer;
	if (status === 429 || (status === 403 && isLimit(answer))) return 'limited';
	const known = troubles[status];
	if (known !== undefined) return known;
	if (status >= 500) return 'unreachable';
	return status >= 400 ? 'refused' : 'invalid';
};

const troubles: Readonly<Record<number, ForgeTrouble>> = {
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	408: 'unreachable',
	409: 'conflict',
	410: 'not_found',
};

const isLimit = ({headers, words}: FailedAnswer): boolean =>
	headers['x-ratelimit-remaining'] === '0' ||
	headers['retry-after'] !== undefined ||
	/\brate limit/i.test(words);

const retryAt = ({headers}: FailedAnswer, now: number): number => {
	const seconds = numberIn(headers['retry-after']);
	const reset = numberIn(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
	const isReset = reset !== undefined && reset * 1000 > now;
	const named = isReset ? reset * 1000 : now + defaultPauseMs;
	return Math.min(seconds === undefined ? named : now + seconds * 1000, now + maxPauseMs);
};

/** The whole number of a header. */
export const numberIn = (header: unknown): number | undefined =>
	typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
