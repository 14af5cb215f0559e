import type {Answers} from '../answers.ts';
import type {problemOf} from '../problem.ts';

/** Why a request failed. Also used for a request that never reached the console (status 0). */
export type Problem = Pick<ReturnType<typeof problemOf>, 'detail' | 'hint'> & {
	readonly status: number;
	/** Absent if the request never reached the console. */
	readonly code?: string;
	/** Every problem of the input, by its place in it. */
	readonly errors?: readonly {readonly path: string; readonly message: string}[];
};

/** The result of a request. */
export type Answer<Value> =
	| {readonly ok: true; readonly value: Value; readonly tag: string}
	| {readonly ok: false; readonly problem: Problem};

const unreachable: Problem = {
	status: 0,
	detail: 'The console cannot be reached.',
	hint: 'Is "hive console" still running?',
};

/**
 * Storage key of this page's anti-forgery token, which the console requires beside the cookie. The token is
 * stored per origin, and browsers do not send it by themselves.
 */
const proofKey = 'hive-proof';
export const proof = (): Readonly<Record<string, string>> => ({
	'X-Hive-Page': localStorage.getItem(proofKey) ?? '',
});

const send = async <Value>(path: string, init: RequestInit): Promise<Answer<Value>> => {
	try {
		const answer = await fetch(path, init);
		const value = await answer.json();
		// A compressed answer has the weak form of the same tag.
		if (answer.ok) return {ok: true, value, tag: (answer.headers.get('etag') ?? '').replace(/^W\//, '')};
		// A proxy in between may answer in a form of its own.
		return {ok: false, problem: {...value, status: answer.status}};
	} catch {
		return {ok: false, problem: unreachable};
	}
};

/** The address of a read route, typed with its answer. */
export type Address<Value> = string & {readonly answered?: Value};

/** Returns the address of a route, with its names filled in. */
export const pathTo = <Route extends keyof Answers>(
	route: Route,
	names: PathNames = {},
	query: Readonly<Record<string, string>> = {},
): Address<Answers[Route]> => {
	const asked = new URLSearchParams(query).toString();
	return `${fillPath(route, names)}${asked && `?${asked}`}` as Address<Answers[Route]>;
};

/** Reads a route. The browser's cache sends the ETag, so an unchanged answer is not transferred again. */
export const read = <Value>(address: Address<Value>): Promise<Answer<Value>> =>
	send(address, {headers: proof()});

/**
 * Posts a request for an action. The idempotency key makes the action run once, even if the browser repeats
 * the request.
 */
export const post = <Value = {readonly message: string}>(
	path: string,
	body: object,
	seen?: string,
): Promise<Answer<Value>> =>
	send(path, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: {
			...proof(),
			'Content-Type': 'application/json',
			'Idempotency-Key': crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
			...(seen === undefined ? {} : {'If-Match': seen}),
		},
	});

/** Logs this browser in, with the code of a link or with a token. */
export const logIn = async (
	by: {readonly code: string} | {readonly token: string},
): Promise<Answer<object>> => {
	const answer = await post<{readonly proof: string}>('/api/login', by);
	if (answer.ok) localStorage.setItem(proofKey, answer.value.proof);
	return answer;
};

/** Sends DELETE for a path. */
export const remove = (path: string): Promise<Answer<{readonly message: string}>> =>
	send(path, {method: 'DELETE', headers: proof()});

/**
 * Logs this browser out on the console, and deletes its token. A 401 means that the console does not know
 * this browser, so it is logged out already.
 */
export const logOut = async (): Promise<{readonly ok: true} | Extract<Answer<object>, {ok: false}>> => {
	const answer = await post<object>('/api/logout', {});
	if (!answer.ok && answer.problem.status !== 401) return answer;
	localStorage.removeItem(proofKey);
	return {ok: true};
};

/** Values for the `:name` parts of a path. */
export type PathNames = Readonly<Record<string, string | undefined>>;

/** Returns a path with its names filled in. */
export const fillPath = (path: string, names: PathNames): string =>
	path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
