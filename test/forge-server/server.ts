import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ForgePlace} from '../../source/ports/forge.ts';
import {openRepository} from '../helpers/repository.ts';
import {createFaults, type Fault} from './faults.ts';
import {serveGit} from './git-http.ts';
import {githubRoot, githubRoutes} from './github.ts';
import {gitlabRoot, gitlabRoutes} from './gitlab.ts';
import {mergeInto} from './merge.ts';
import {
	addComment,
	createModel,
	type Level,
	type MergeWay,
	type ModelCheck,
	type ModelComment,
	type ModelIssue,
	type ModelRequest,
} from './model.ts';
import {type Answer, freshRequests, type Json, type Route, type World} from './routes.ts';

/** A call that the server answered, or was struck by a fault. */
export type SeenCall = {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: string;
	/** 0 if no answer was sent. */
	readonly status: number;
	readonly hasToken: boolean;
};

type Options = {
	/** The bare repository that it serves. */
	readonly bare: string;
	/** `owner/name`. */
	readonly repository?: string;
	readonly token?: string;
	readonly login?: string;
};

export type ForgeServer = Awaited<ReturnType<typeof startForgeServer>>;

/** Requests per hour. */
const limit = 5000;

/**
 * A forge on this machine. It plays the parts of GitHub's and GitLab's APIs that the drivers use, over one
 * model and a real bare repository, which it also serves to git.
 */
export const startForgeServer = async ({
	bare,
	repository = 'ada/hive',
	token = 'forge-token-0123456789',
	login = 'hive-bot',
}: Options) => {
	const model = createModel({repository, token, login});
	const {git} = openRepository(bare);
	const faults = createFaults();
	const calls: SeenCall[] = [];
	const rate = {remaining: limit, resetAt: Date.now() + 3_600_000};
	const apis: readonly {root: string; routes: readonly Route[]}[] = [
		{root: githubRoot, routes: githubRoutes},
		{root: gitlabRoot, routes: gitlabRoutes},
	];
	let url = '';
	const world: World = {
		model,
		git: args => git(args),
		get url() {
			return url;
		},
	};

	const hasToken = ({headers}: IncomingMessage): boolean => {
		const {authorization = '', 'private-token': own} = headers;
		const [kind, value = ''] = authorization.split(' ');
		const password = Buffer.from(value, 'base64').toString().split(':')[1];
		return own === token || (kind === 'Basic' ? password === token : value === token);
	};

	const answerApi = async (request: IncomingMessage, path: string, query: string): Promise<Answer> => {
		const api = apis.find(({root}) => path.startsWith(`${root}/`));
		if (api === undefined) return {status: 404, body: {message: 'Not Found'}};
		if (!hasToken(request)) return {status: 401, body: {message: 'Bad credentials'}};
		const isGithub = api.root === githubRoot;
		if (rate.remaining === 0)
			return {
				status: isGithub ? 403 : 429,
				body: {message: isGithub ? 'API rate limit exceeded for user ID 1.' : 'Retry later'},
			};
		const renamed = isGithub
			? /^\/api\/v3\/repos\/([^/]+\/[^/]+)(.*)$/.exec(path)
			: /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(path);
		const name = decodeURIComponent(renamed?.[1] ?? model.repository);
		if (renamed && model.formerNames.includes(name)) {
			const now = isGithub ? model.repository : encodeURIComponent(model.repository);
			const location = `${url}${api.root}/${isGithub ? 'repos' : 'projects'}/${now}${renamed[2]}${query && `?${query}`}`;
			return {status: request.method === 'GET' ? 301 : 307, body: {message: 'Moved'}, headers: {location}};
		}
		if (renamed && name !== model.repository) return {status: 404, body: {message: 'Not Found'}};
		const rest = path.slice(api.root.length);
		for (const {method, path: pattern, answer} of api.routes) {
			const match = method === request.method ? pattern.exec(rest) : null;
			if (match === null) continue;
			const parts = match.slice(1).map(decodeURIComponent);
			const body = await readBody(request);
			return answer(world, {parts, query: new URLSearchParams(query), body, url: `${url}${path}`});
		}
		return {status: 404, body: {message: 'Not Found'}};
	};

	const send = (request: IncomingMessage, response: ServerResponse, answer: Answer): number => {
		const {status = 200, body, headers = {}} = answer;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
		const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 20)}"`;
		const isKnown = status === 200 && request.method === 'GET' && request.headers['if-none-match'] === etag;
		if (!isKnown && rate.remaining > 0) rate.remaining -= 1;
		const limits = {limit, remaining: rate.remaining, reset: Math.ceil(rate.resetAt / 1000)};
		response.writeHead(isKnown ? 304 : status, {
			'content-type': 'application/json; charset=utf-8',
			...(status === 200 && request.method === 'GET' && {etag}),
			...Object.fromEntries(
				Object.entries(limits).flatMap(([name, value]) => [
					[`x-ratelimit-${name}`, value],
					[`ratelimit-${name}`, value],
				]),
			),
			...headers,
		});
		response.end(isKnown ? undefined : text);
		return isKnown ? 304 : status;
	};

	const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const [path = '', query = ''] = (request.url ?? '').split('?');
		const {method = 'GET'} = request;
		const seen = {...{method, path, query, hasToken: hasToken(request), status: 0}};
		calls.push(seen);
		const fault = faults.take(`${method} ${path}`);
		if (fault && 'cut' in fault && fault.cut === 'before') return void request.socket.destroy();
		if (fault && 'answer' in fault) {
			seen.status = send(request, response, fault.answer);
			return;
		}
		if (fault && 'hold' in fault) await fault.hold;
		const ofGit = /^\/(.+)\.git(\/.*)$/.exec(path);
		if (ofGit) {
			if (![model.repository, ...model.formerNames].includes(ofGit[1] ?? '')) {
				seen.status = send(request, response, {status: 404});
				return;
			}
			if (!hasToken(request)) {
				seen.status = 401;
				response.writeHead(401, {'www-authenticate': 'Basic realm="forge"'}).end();
				return;
			}
			await serveGit(bare, {request, response, service: ofGit[2] ?? '', query});
			seen.status = response.statusCode;
			return;
		}
		const answer = await answerApi(request, path, query);
		if (fault && 'cut' in fault && fault.cut === 'after') return void request.socket.destroy();
		if (fault && ('cut' in fault || 'stalls' in fault)) {
			response.writeHead(200, {'content-type': 'application/json'}).write('[{"id": 1, ', () => {
				if ('cut' in fault) request.socket.destroy();
			});
			return;
		}
		seen.status = send(request, response, answer);
		if (fault && 'change' in fault) fault.change();
	};

	const server = createServer((request, response) => {
		serve(request, response).catch((error: unknown) => {
			console.error(error);
			request.socket.destroy();
		});
	}).listen(0, '127.0.0.1');
	await new Promise<void>(resolve => void server.once('listening', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const requestOf = (number: number): ModelRequest => {
		const found = model.requests.find(each => each.number === number);
		if (found === undefined) throw new Error(`There is no request ${number}.`);
		return found;
	};
	const issueOf = (number: number): ModelIssue => {
		const found = model.issues.find(each => each.number === number);
		if (found === undefined) throw new Error(`There is no issue ${number}.`);
		return found;
	};
	return {
		...{url, token, login, model, rate, calls},
		place: (provider: ForgePlace['provider']): ForgePlace => ({
			provider,
			api: `${url}${provider === 'github' ? githubRoot : gitlabRoot}`,
			repository: model.repository,
		}),
		/** Address of the repository for git. */
		gitUrl: () => `${url}/${model.repository}.git`,
		/** How many calls matched, by method and path. */
		count: (match: RegExp): number =>
			calls.filter(({method, path}) => match.test(`${method} ${path}`)).length,
		fail: (fault: Fault): (() => void) => faults.add(fault),
		/** The rate limit is used up until then. */
		exhaust: (resetAt: number): void => {
			Object.assign(rate, {remaining: 0, resetAt});
		},
		allow: (login: string, level: Level): void => void model.people.set(login, level),
		/** Opens a request as a person would, from a branch of the repository or of a fork. */
		openRequest: async (
			request: Pick<ModelRequest, 'branch'> & Partial<ModelRequest>,
		): Promise<ModelRequest> => {
			const head = request.head ?? (await git(['rev-parse', `refs/heads/${request.branch}`]));
			const opened: ModelRequest = {
				...{title: request.branch, body: '', author: 'ada', base: model.defaultBranch},
				...{isFromFork: false, isDraft: false, state: 'open'},
				...{reviewers: [], labels: [], comments: []},
				...request,
				...{head, id: model.nextId(), number: model.nextNumber()},
			};
			model.requests.push(opened);
			return opened;
		},
		comment: (number: number, comment: Parameters<typeof addComment>[2]): ModelComment =>
			addComment(model, requestOf(number), comment),
		check: (check: Omit<ModelCheck, 'id' | 'summary' | 'url' | 'kind'> & Partial<ModelCheck>): ModelCheck => {
			const added: ModelCheck = {...{kind: 'run', summary: '', url: ''}, ...check, id: model.nextId()};
			const kept = model.checks.filter(({name, commit}) => name !== added.name || commit !== added.commit);
			model.checks.splice(0, model.checks.length, ...kept, added);
			return added;
		},
		/** Merges with real git in the bare repository. */
		merge: async (
			number: number,
			way: MergeWay,
			{deletesBranch = false}: {deletesBranch?: boolean} = {},
		): Promise<string> => {
			await freshRequests(world);
			const request = requestOf(number);
			const mergedAs = await mergeInto(world.git, request, way);
			Object.assign(request, {state: 'merged', mergedAs, mergedBy: way});
			if (deletesBranch) await git(['update-ref', '-d', `refs/heads/${request.branch}`]);
			return mergedAs;
		},
		close: async (number: number): Promise<void> => {
			await freshRequests(world);
			requestOf(number).state = 'closed';
		},
		reopen: (number: number): void => {
			requestOf(number).state = 'open';
		},
		openIssue: (issue: Partial<Pick<ModelIssue, 'title' | 'body' | 'author'>> = {}): ModelIssue => {
			const opened: ModelIssue = {
				...{title: 'An issue', body: '', author: 'ada', ...issue},
				...{id: model.nextId(), number: model.nextNumber(), isOpen: true},
				...{labels: [], labelled: [], comments: []},
			};
			model.issues.push(opened);
			return opened;
		},
		closeIssue: (number: number): void => {
			issueOf(number).isOpen = false;
		},
		label: (number: number, label: string, login: string): void => {
			const issue = issueOf(number);
			issue.labels.push(label);
			issue.labelled.push({id: model.nextId(), login, label, isAdded: true});
		},
		unlabel: (number: number, label: string, login: string): void => {
			const issue = issueOf(number);
			issue.labels = issue.labels.filter(each => each !== label);
			issue.labelled.push({id: model.nextId(), login, label, isAdded: false});
		},
		/** The old name goes on to lead there. */
		rename: (repository: string): void => {
			model.formerNames.push(model.repository);
			model.repository = repository;
		},
		stop: (): void => {
			server.close();
			server.closeAllConnections();
		},
	};
};

const readBody = async (request: IncomingMessage): Promise<Json> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	const text = Buffer.concat(chunks).toString();
	return text === '' ? {} : JSON.parse(text);
};
