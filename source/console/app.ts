import {type Context, Hono} from 'hono';
import {accepted, type Outcome, type Refusal, type Refused, refusalOf, refuse} from '../domain/errors.ts';
import {type ActionId, actionIds} from '../host/actions/table.ts';
import {act} from './act.ts';
import {addresses} from './addresses.ts';
import {readBody} from './body.ts';
import {type Caller, credentialOf} from './caller.ts';
import {callerOf, leavePath, type Names, refuseForeign} from './guard.ts';
import type {KeyFile} from './key-file.ts';
import {createLimits, type Limits, type Taker} from './limits.ts';
import {createLogin} from './login.ts';
import {openApiOf} from './openapi.ts';
import {problemOf, refusedFor} from './problem.ts';
import {callerAddress, countedAs, type IsProxy} from './proxy.ts';
import {type Read, readQuery} from './read.ts';
import {reads} from './reads.ts';
import {type Answer, createRemembered} from './remembered.ts';
import type {Runtime} from './runtime.ts';
import {streamEvents} from './stream.ts';
import {bodyOf, tagOf} from './tag.ts';
import type {World} from './world.ts';

/** A file of the page, whole. */
export type PageFile = {readonly type: string; readonly text: string};

export type ConsoleParts = {
	readonly world: World;
	readonly keyFile: Pick<KeyFile, 'keys' | 'redeem' | 'devices'>;
	readonly names: Names;
	readonly cookieName: string;
	/** By path; what they hold is the same for everybody, and no secret. */
	readonly page: Readonly<Record<string, PageFile>>;
	readonly version: string;
	readonly runtime: Pick<Runtime, 'start' | 'stop'>;
	/** Aborted when the console ends, and when its keys are others. */
	readonly streamsEnd: () => AbortSignal;
	readonly limits?: Limits;
	/** Tells the trusted proxies; without it no proxy is trusted. */
	readonly isProxy?: IsProxy;
};

/** The socket of a request, where it came by one. */
export type Connection = {
	readonly incoming?: {readonly socket: {readonly remoteAddress?: string | undefined}};
	readonly outgoing?: {readonly destroy: () => void};
	/** Called when a request on it was let in, with its credential. */
	readonly letIn?: (credential: string) => void;
};

type Env = {Variables: {caller: Caller}; Bindings: Connection};
type Call = Context<Env>;

const policy = [
	"default-src 'none'",
	...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
	...["manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const everywhere = {
	'Content-Security-Policy': policy,
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'Referrer-Policy': 'no-referrer',
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
	'Cache-Control': 'no-store',
};

/** The whole API and the files of the page, without a socket: every request is answered by `fetch`. */
export const createApp = (parts: ConsoleParts): Hono<Env> => {
	const {world, keyFile, names, cookieName, page, limits = createLimits(), isProxy = () => false} = parts;
	const {devices} = keyFile;
	const {redact = (text: string) => text, clock} = world.context;
	const app = new Hono<Env>();
	const json = (call: Call, status: number, value: object, headers: Record<string, string> = {}) =>
		answerWith(call, {status, body: bodyOf(value, redact)}, headers);
	const problem = (call: Call, refusal: Refusal) => {
		const said = problemOf(refusal);
		return answerWith(
			call,
			{status: said.status, body: bodyOf(said, redact)},
			{
				'Content-Type': 'application/problem+json',
				...(said.status === 401 ? {'WWW-Authenticate': 'Bearer realm="hive"'} : {}),
				...(said.status === 429 ? {'Retry-After': '60'} : {}),
			},
		);
	};

	app.use('*', async (call, next) => {
		await next();
		for (const [name, value] of Object.entries(everywhere))
			if (!call.res.headers.has(name)) call.res.headers.set(name, value);
	});
	app.use('*', async (call, next) => {
		const asked = {method: call.req.method, header: (name: string) => call.req.header(name)};
		const own = refuseForeign(asked, names);
		return own.ok ? next() : problem(call, own.refusal);
	});
	/** A place is for who is let in, and for who has said all: whoever sends slowly keeps nobody out. */
	const inPlace = async <Answered>(call: Call, answer: () => Promise<Answered>) => {
		const place = limits.enter(takerOf(call));
		if (!place.ok) return problem(call, place.refusal);
		try {
			return await answer();
		} finally {
			place.value();
		}
	};
	/** The address that a caller is counted under. */
	const addressOf = (call: Call): string => {
		const remote = connectionOf(call).incoming?.socket.remoteAddress ?? '';
		return countedAs(callerAddress({remote, forwarded: call.req.header('x-forwarded-for')}, isProxy));
	};
	const takerOf = (call: Call): Taker => {
		const caller = call.get('caller');
		const credential = credentialOf(caller);
		return {credential, caller: caller.device ?? `${credential} ${addressOf(call)}`};
	};
	const identify = async (call: Call): Promise<Outcome<Caller>> => {
		const keys = await keyFile.keys();
		if (!keys.ok) return keys;
		const {method, path} = call.req;
		const asked = {method, path, header: (name: string) => call.req.header(name)};
		return callerOf(asked, {keys: keys.value, cookieName, devices});
	};
	/** The body. Its caller is identified again once it is whole: it may come slowly, and the device be revoked meanwhile. */
	const readOwnBody = async (call: Call): ReturnType<typeof readBody> => {
		const body = await readBody(call.req.raw);
		const caller = body.ok ? await identify(call) : body;
		return caller.ok ? body : caller;
	};
	for (const [path, {type, text}] of Object.entries(page)) {
		const tag = `"${tagOf(text)}"`;
		app.get(path, call => {
			const headers = {'Content-Type': type, ETag: tag, 'Cache-Control': 'no-cache'};
			return hasTag(call, tag) ? call.body(null, 304, headers) : call.body(text, 200, headers);
		});
	}
	const login = createLogin({keyFile, clock, cookieName});
	app.post('/api/login', async call => {
		const body = await readBody(call.req.raw, 4096);
		if (!body.ok) return problem(call, body.refusal);
		const entered = await login({
			...{body: body.value, from: addressOf(call)},
			...{origin: call.req.header('origin'), agent: call.req.header('user-agent')},
		});
		if (!entered.ok) return problem(call, entered.refusal);
		const {caller, cookie, proof} = entered.value;
		connectionOf(call).letIn?.(credentialOf(caller));
		return json(call, 200, {caller, proof}, {'Set-Cookie': cookie});
	});
	app.use('/api/*', async (call, next) => {
		const caller = await identify(call);
		if (!caller.ok) return problem(call, caller.refusal);
		call.set('caller', caller.value);
		connectionOf(call).letIn?.(credentialOf(caller.value));
		return inPlace(call, next);
	});
	app.post(leavePath, async call => {
		const {device} = call.get('caller');
		if (device !== undefined) await devices.revoke(device);
		const forgotten = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
		return json(call, 200, {}, {'Set-Cookie': forgotten});
	});
	app.delete('/api/devices/:device', async call => {
		const revoked = await devices.revoke(call.req.param('device'));
		if (!revoked.ok) return problem(call, revoked.refusal);
		const {device, name} = revoked.value;
		return json(call, 200, {device, name, message: `Revoked ${name}.`});
	});
	for (const what of ['start', 'stop'] as const)
		app.post(`/api/runtime/${what}`, async call => {
			const body = await readOwnBody(call);
			if (!body.ok) return problem(call, body.refusal);
			const done = await parts.runtime[what](call.get('caller'));
			return done.ok ? json(call, 200, done.value) : problem(call, done.refusal);
		});
	app.get('/api/openapi.json', call => json(call, 200, openApiOf(reads, parts.version)));
	app.get('/api/stream', call => {
		const headers = {
			'Content-Type': 'text/event-stream',
			'Cache-Control': 'no-store',
			'X-Accel-Buffering': 'no',
		};
		// Nobody reads the body of an answer to HEAD, so nobody would end it.
		if (call.req.method === 'HEAD') return call.body(null, 200, headers);
		const over = new AbortController();
		const place = limits.enterStream(takerOf(call), () => over.abort());
		if (!place.ok) return problem(call, place.refusal);
		const id = call.req.header('last-event-id') ?? call.req.query('after');
		const after = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
		const ends = AbortSignal.any([parts.streamsEnd(), call.req.raw.signal]);
		ends.addEventListener('abort', () => over.abort(), {once: true});
		over.signal.addEventListener('abort', place.value, {once: true});
		// What a client that does not read was sent would wait for it in the socket for ever.
		over.signal.addEventListener('abort', () => connectionOf(call).outgoing?.destroy(), {once: true});
		if (ends.aborted) over.abort();
		const {device} = call.get('caller');
		if (device !== undefined) devices.whenGone(device, over.signal, () => over.abort());
		return call.body(streamEvents(world, after, over), 200, headers);
	});
	for (const read of reads) app.get(read.path, call => answerRead(call, read));
	const remembered = createRemembered();
	for (const id of actionIds)
		for (const path of addresses[id].paths) app.post(path, call => answerAction(call, id));
	app.notFound(call => problem(call, refuse('unknown_route').refusal));
	const refused = (error: unknown): Refused => {
		if (refusalOf(error) === undefined) world.host.faults.report(error);
		return refusedFor(error);
	};
	app.onError((error, call) => problem(call, refused(error).refusal));

	async function answerRead(call: Call, read: Read): Promise<Response> {
		const query = readQuery(read, call.req.query());
		const named = call.req.param() as Record<string, string>;
		const answered = query.ok
			? await read.answer(world, {named, query: query.value, caller: call.get('caller')})
			: query;
		if (!answered.ok) return problem(call, answered.refusal);
		const body = bodyOf(answered.value, redact);
		const tag = `"${tagOf(body)}"`;
		const headers = {ETag: tag, 'Cache-Control': 'private, no-cache'};
		return hasTag(call, tag) ? call.body(null, 304, headers) : answerWith(call, {status: 200, body}, headers);
	}

	async function answerAction(call: Call, id: ActionId): Promise<Response> {
		const body = await readOwnBody(call);
		if (!body.ok) return problem(call, body.refusal);
		const named = call.req.param() as Record<string, string>;
		const asking = {
			id,
			named,
			body: body.value,
			seen: call.req.header('if-match'),
			caller: call.get('caller'),
		};
		const perform = async (): Promise<Answer> => {
			const done = await act(world.context, world.model, asking).catch(refused);
			if (done.ok) return {status: addresses[id].makes ? 201 : 200, body: bodyOf(done.value, redact)};
			const said = problemOf(done.refusal);
			return {status: said.status, body: bodyOf(said, redact)};
		};
		const key = call.req.header('idempotency-key');
		const request = JSON.stringify([id, named, body.value, asking.seen]);
		const answered: Outcome<Answer> =
			key === undefined
				? accepted(await perform())
				: await remembered.once(`${credentialOf(asking.caller)} ${key}`, request, perform);
		if (!answered.ok) return problem(call, answered.refusal);
		const isProblem = answered.value.status >= 400;
		return answerWith(call, answered.value, isProblem ? {'Content-Type': 'application/problem+json'} : {});
	}
	return app;
};

const answerWith = (call: Call, {status, body}: Answer, headers: Record<string, string>): Response =>
	call.body(body, status as 200, {'Content-Type': 'application/json; charset=utf-8', ...headers});

/** None without a socket. */
const connectionOf = ({env}: Call): Connection => (env as Connection | undefined) ?? {};

const hasTag = (call: Call, tag: string): boolean =>
	(call.req.header('if-none-match') ?? '')
		.split(',')
		.some(one => one.trim().replace(/^W\//, '') === tag || one.trim() === '*');
