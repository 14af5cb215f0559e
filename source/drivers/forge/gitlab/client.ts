import {setTimeout as pause} from 'node:timers/promises';
import * as z from 'zod/mini';
import {isObject, type JsonObject} from '../../../domain/json.ts';
import {ForgeError, type ForgeLimit} from '../../../ports/forge.ts';
import {failureOf} from '../failure.ts';
import {createGuardedFetch, isTooLarge} from '../guarded-fetch.ts';
import type {DriverOptions} from '../options.ts';
import {lastPage, nextPage, type Pass, readWhole} from '../pages.ts';
import {readShape} from '../read-shape.ts';

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** Calls of the REST API; paths are below its root. */
export type GitlabClient = {
	readonly get: <Shape extends z.ZodMiniType>(
		path: string,
		query: Query,
		shape: Shape,
	) => Promise<z.output<Shape>>;
	/** The items of all pages. If there are more than `max`, the last ones. */
	readonly list: <Shape extends z.ZodMiniType<{readonly id: number | string}>>(
		path: string,
		query: Query,
		shape: Shape,
		max: number,
	) => Promise<readonly z.output<Shape>[]>;
	/** Writes once. What was sent is not sent again, since the forge may have it. */
	readonly send: <Shape extends z.ZodMiniType>(
		method: 'POST' | 'PUT' | 'DELETE',
		path: string,
		body: JsonObject,
		shape: Shape,
	) => Promise<z.output<Shape>>;
	/** A path of the repository. */
	readonly inProject: (path: string) => string;
	/** Uses the repository's new name from now on. */
	readonly rename: (repository: string) => void;
	readonly limit: () => ForgeLimit | undefined;
};

const forge = 'GitLab';
const perPage = 100;
/** Where notes are so long that a page is too large: GitLab takes a million characters in one. */
const perSmallPage = 10;
/** Milliseconds before a read is tried again, once, after a failure of the forge or the network. */
const retryMs = 1000;

export const createGitlabClient = (options: DriverOptions): GitlabClient => {
	const {place, token, userAgent, now, isHasty} = options;
	const guard = createGuardedFetch(forge, options);
	let {repository} = place;
	const headers = {'private-token': token, 'user-agent': userAgent, accept: 'application/json'};

	const ask = async (url: string, method = 'GET', body?: JsonObject): Promise<Response> => {
		const answer = await guard.ask(url, {
			...{method, headers: {...headers, ...(body && {'content-type': 'application/json'})}},
			...(body && {body: JSON.stringify(body)}),
		});
		if (answer.ok) return answer;
		const words = guard.redact(wordsOf(parsed(await answer.text())));
		throw failureOf(
			forge,
			{status: answer.status, headers: Object.fromEntries(answer.headers), words},
			now(),
		);
	};
	const read = async (url: string): Promise<Response> => {
		try {
			return await ask(url);
		} catch (error) {
			if (!(error instanceof ForgeError) || error.trouble !== 'unreachable') throw error;
			await pause(isHasty ? 1 : retryMs);
			return ask(url);
		}
	};
	const urlOf = (path: string, query: Query = {}): string => {
		const fields = new URLSearchParams();
		for (const [name, value] of Object.entries(query))
			for (const each of [value].flat()) fields.append(name, String(each));
		return `${place.api}${path}${fields.size > 0 ? `?${fields}` : ''}`;
	};
	const readPass = async (
		path: string,
		query: Query,
		{size, max, from = 1}: {size: number; max: number; from?: number},
	): Promise<Pass<unknown>> => {
		const items: unknown[] = [];
		const maxPages = Math.ceil(max / size);
		let pages = 0;
		let url: string | undefined = urlOf(path, {...query, per_page: size, page: from});
		while (url !== undefined && pages <= maxPages) {
			const answer: Response = await read(url);
			const link = answer.headers.get('link') ?? '';
			const first = lastPage(link) - maxPages;
			if (pages === 0 && from === 1 && first > 1) return readPass(path, query, {size, max, from: first});
			pages += 1;
			items.push(...readShape(z.array(z.unknown()), parsed(await answer.text()), forge));
			url = nextPage(link);
		}
		return {items: items.slice(-max), pages};
	};
	return {
		get: async (path, query, shape) =>
			readShape(shape, parsed(await (await read(urlOf(path, query))).text()), forge),
		list: (path, query, shape, max) =>
			readWhole(async () => {
				const {items, pages} = await readPass(path, query, {size: perPage, max}).catch((error: unknown) => {
					if (!isTooLarge(error)) throw error;
					return readPass(path, query, {size: perSmallPage, max});
				});
				return {items: readShape(z.array(shape), items, forge), pages};
			}),
		send: async (method, path, body, shape) =>
			readShape(shape, parsed(await (await ask(urlOf(path), method, body)).text()), forge),
		inProject: path => `/projects/${encodeURIComponent(repository)}${path}`,
		rename: name => {
			repository = name;
		},
		limit: guard.limit,
	};
};

/** The value of a text; the text itself if it is no JSON, which has no documented shape. */
const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** What an answer says: a text, or lists of texts by field. */
const wordsOf = (data: unknown): string => {
	if (!isObject(data)) return '';
	const said = data.message ?? data.error_description ?? data.error;
	if (typeof said === 'string') return said;
	const parts = isObject(said) ? Object.entries(said).map(([field, what]) => `${field} ${what}`) : [said];
	return parts.flat().filter(Boolean).map(String).join(', ');
};
