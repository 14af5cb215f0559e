import {Octokit} from '@octokit/core';
import {paginateRest} from '@octokit/plugin-paginate-rest';
import {retry} from '@octokit/plugin-retry';
import {throttling} from '@octokit/plugin-throttling';
import {RequestError} from '@octokit/request-error';
import * as z from 'zod/mini';
import {isObject} from '../../../domain/json.ts';
import {ForgeError, type ForgeLimit} from '../../../ports/forge.ts';
import {failureOf} from '../failure.ts';
import {createGuardedFetch, type GuardedFetch} from '../guarded-fetch.ts';
import type {DriverOptions} from '../options.ts';
import {lastPage, type Pass, readWhole} from '../pages.ts';
import {readShape} from '../read-shape.ts';

/** Values for the route and its query, or the fields of the body. */
type Fields = Readonly<Record<string, unknown>>;

/** Calls to one repository; routes are those of GitHub's documentation. */
export type GithubClient = {
	readonly get: <Shape extends z.ZodMiniType>(
		route: string,
		fields: Fields,
		shape: Shape,
	) => Promise<z.output<Shape>>;
	/** The items of all pages. If there are more than `max`, the last ones. */
	readonly list: <Shape extends z.ZodMiniType<{readonly id: number}>>(
		route: string,
		fields: Fields,
		shape: Shape,
		max: number,
	) => Promise<readonly z.output<Shape>[]>;
	/** Writes once. What was sent is not sent again, since the forge may have it. */
	readonly send: <Shape extends z.ZodMiniType>(
		route: string,
		fields: Fields,
		shape: Shape,
	) => Promise<z.output<Shape>>;
	/** Scopes of the token, as the header of an answer has them. */
	readonly scopes: () => readonly string[];
	/** Uses the repository's new name from now on. */
	readonly rename: (repository: string) => void;
	readonly repository: () => string;
	readonly limit: () => ForgeLimit | undefined;
};

const forge = 'GitHub';
const ForgeOctokit = Octokit.plugin(paginateRest, retry, throttling);
const perPage = 100;
/** Seconds of a limit that passes soon; for a later time the call fails. */
const maxWaitSeconds = 2;
/** How often a read is tried again after a failure of the forge or the network. */
const maxRetries = 1;
/** The answer of the forge stands. */
const doNotRetry = [400, 401, 403, 404, 409, 410, 422, 429, 451];
const silent = {debug: () => {}, info: () => {}, warn: () => {}, error: () => {}};
const group = {key: () => ({schedule: (_: unknown, call: () => Promise<unknown>) => call()})};
/** In place of the queues that space out writes. */
const unpaced: object = {write: group, notifications: group};

export const createGithubClient = (options: DriverOptions): GithubClient => {
	const {place, now} = options;
	const guard = createGuardedFetch(forge, options);
	let {repository} = place;
	let scopes: readonly string[] = [];
	const octokit = openOctokit(options, guard);
	octokit.hook.after('request', ({headers}) => {
		const named = headers['x-oauth-scopes'];
		if (typeof named === 'string') scopes = named.split(/[\s,]+/).filter(scope => scope !== '');
	});
	const withRepository = (route: string, fields: Fields): Fields => {
		const [owner = '', repo = ''] = repository.split('/');
		// What the route does not name would go into the query.
		return route.includes('{owner}') ? {owner, repo, ...fields} : fields;
	};
	const explained = async <Value>(call: Promise<Value>): Promise<Value> => {
		try {
			return await call;
		} catch (error) {
			throw explain(error, now(), guard.redact);
		}
	};
	const readPass = async (route: string, fields: Fields, max: number, from = 1): Promise<Pass<unknown>> => {
		const items: unknown[] = [];
		const maxPages = Math.ceil(max / perPage);
		let pages = 0;
		const parameters = {...withRepository(route, fields), per_page: perPage, page: from};
		for await (const {data, headers} of octokit.paginate.iterator(route, parameters)) {
			const first = lastPage(headers.link ?? '') - maxPages;
			if (pages === 0 && from === 1 && first > 1) return readPass(route, fields, max, first);
			pages += 1;
			items.push(...readShape(z.array(z.unknown()), data, forge));
			if (pages > maxPages) break;
		}
		return {items: items.slice(-max), pages};
	};
	return {
		get: async (route, fields, shape) => {
			const {data} = await explained(octokit.request(route, withRepository(route, fields)));
			return readShape(shape, data, forge);
		},
		list: (route, fields, shape, max) =>
			readWhole(async () => {
				const {items, pages} = await explained(readPass(route, fields, max));
				return {items: readShape(z.array(shape), items, forge), pages};
			}),
		send: async (route, fields, shape) => {
			const parameters = {...withRepository(route, fields), request: {retries: 0}};
			const {data} = await explained(octokit.request(route, parameters));
			return readShape(shape, data, forge);
		},
		scopes: () => scopes,
		rename: name => {
			repository = name;
		},
		repository: () => repository,
		limit: guard.limit,
	};
};

const openOctokit = ({place, token, userAgent, isHasty}: DriverOptions, {ask}: GuardedFetch) => {
	const waits = (retryAfter: number, _options: unknown, _octokit: unknown, retryCount: number): boolean =>
		retryAfter <= maxWaitSeconds && retryCount === 0;
	const retryAfterBaseValue = isHasty ? 1 : 1000;
	return new ForgeOctokit({
		...{auth: token, baseUrl: place.api, userAgent, log: silent},
		request: {fetch: ask, log: silent},
		retry: {retries: maxRetries, doNotRetry, retryAfterBaseValue},
		throttle: {
			...{id: place.api, onRateLimit: waits, onSecondaryRateLimit: waits, retryAfterBaseValue},
			...(isHasty && unpaced),
		},
	});
};

const explain = (error: unknown, now: number, redact: (text: string) => string): unknown => {
	if (!(error instanceof RequestError)) return error;
	if (error.cause instanceof ForgeError) return error.cause;
	const {status, response} = error;
	const answer = {status, headers: response?.headers ?? {}, words: redact(wordsOf(response?.data))};
	return failureOf(forge, answer, now);
};

/** What an answer says in its message and in the messages of its errors. */
const wordsOf = (data: unknown): string => {
	if (!isObject(data)) return '';
	const errors = Array.isArray(data.errors) ? data.errors : [];
	return [data.message, ...errors.map(error => (isObject(error) ? error.message : error))]
		.filter(text => typeof text === 'string')
		.join(' ');
};
