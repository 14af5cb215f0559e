import type {Problem} from './types.ts';

/** What a request came to. */
export type Answer<Value> =
	| {readonly ok: true; readonly value: Value; readonly tag: string}
	| {readonly ok: false; readonly problem: Problem};

const unreachable: Problem = {
	status: 0,
	code: 'unreachable',
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

/** Reads a route. A tag that the browser has is not sent again. */
export const read = <Value>(path: string): Promise<Answer<Value>> => send(path, {headers: proof()});

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

/** A path with its names filled in. */
export const fill = (path: string, names: Readonly<Record<string, string | undefined>>): string =>
	path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
