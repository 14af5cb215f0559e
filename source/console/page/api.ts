import type {Answers} from '../answers.ts';
import type {problemOf} from '../problem.ts';

/** Why something was not done; of what never reached the console as well. */
export type Problem = Pick<ReturnType<typeof problemOf>, 'detail' | 'hint'> & {readonly status: number};

/** What a request came to. */
export type Answer<Value> =
	| {readonly ok: true; readonly value: Value; readonly tag: string}
	| {readonly ok: false; readonly problem: Problem};

const unreachable: Problem = {
	status: 0,
	detail: 'The console cannot be reached.',
	hint: 'Is "hive console" still running?',
};

/** What beside the cookie makes this page known. It is kept by origin, and browsers send it to nobody. */
const proofKey = 'hive-proof';
export const proof = (): Readonly<Record<string, string>> => ({
	'X-Hive-Page': localStorage.getItem(proofKey) ?? '',
});

const send = async <Value>(path: string, init: RequestInit): Promise<Answer<Value>> => {
	try {
		const answer = await fetch(path, init);
		const value = await answer.json();
		if (answer.ok) return {ok: true, value, tag: answer.headers.get('etag') ?? ''};
		return {ok: false, problem: value};
	} catch {
		return {ok: false, problem: unreachable};
	}
};

/** Where something is read, and what it is answered with. */
export type Address<Value> = string & {readonly answered?: Value};

/** The address of a route, with its names filled in. */
export const at = <Route extends keyof Answers>(
	route: Route,
	names: Names = {},
	query: Readonly<Record<string, string>> = {},
): Address<Answers[Route]> => {
	const asked = new URLSearchParams(query).toString();
	return `${fill(route, names)}${asked && `?${asked}`}` as Address<Answers[Route]>;
};

/** Reads a route. A tag that the browser has is not sent again. */
export const read = <Value>(address: Address<Value>): Promise<Answer<Value>> =>
	send(address, {headers: proof()});

/** Asks for something to be done, once, however often the network makes the browser ask. */
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

/** Makes this browser known by the code of a link or by a token. */
export const enter = async (
	by: {readonly code: string} | {readonly token: string},
): Promise<Answer<object>> => {
	const answer = await post<{readonly proof: string}>('/api/login', by);
	if (answer.ok) localStorage.setItem(proofKey, answer.value.proof);
	return answer;
};

/** Has something removed. */
export const remove = (path: string): Promise<Answer<{readonly message: string}>> =>
	send(path, {method: 'DELETE', headers: proof()});

/**
 * Has the console forget this browser, and the browser what made it known. One that the console does not know
 * is out already.
 */
export const leave = async (): Promise<{readonly ok: true} | Extract<Answer<object>, {ok: false}>> => {
	const answer = await post<object>('/api/logout', {});
	if (!answer.ok && answer.problem.status !== 401) return answer;
	localStorage.removeItem(proofKey);
	return {ok: true};
};

/** What stands in paths as `:name`. */
export type Names = Readonly<Record<string, string | undefined>>;

/** A path with its names filled in. */
export const fill = (path: string, names: Names): string =>
	path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
