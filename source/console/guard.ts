import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Caller} from './caller.ts';
import type {Devices} from './devices.ts';
import type {Keys} from './keys.ts';

/** The host names and origins that the console answers to. */
export type OwnNames = {
	/** True if it listens on this machine's loopback only. */
	readonly isLoopback: boolean;
	/** Origins under which people open it beside its own address: `https://hive.example.org`. */
	readonly origins: readonly string[];
};

/** The parts of a request that decide if it is answered. */
export type RequestFacts = {
	readonly method: string;
	readonly path: string;
	readonly header: (name: string) => string | undefined;
};

/**
 * Refuses a request for a host that is not this console's, which blocks DNS rebinding. Also refuses a request
 * that a page of another origin sends.
 */
export const refuseForeign = (
	{method, header}: Omit<RequestFacts, 'path'>,
	names: OwnNames,
): Outcome<void> => {
	const host = header('host') ?? '';
	if (!isOwnHost(host, names)) return refuseAsForeign(`The host "${host}" is not known here.`);
	const origin = header('origin');
	const fetchSite = header('sec-fetch-site');
	const isSafe = method === 'GET' || method === 'HEAD';
	if (origin !== undefined && !isOrigin(origin, host, names))
		return refuseAsForeign(`The origin "${origin}" is not this console's.`);
	if (fetchSite === undefined || fetchSite === 'same-origin') return accepted(undefined);
	// A person typed the address, or followed a link from another site.
	const isNavigation = fetchSite === 'none' || header('sec-fetch-mode') === 'navigate';
	return isSafe && isNavigation
		? accepted(undefined)
		: refuseAsForeign('A page of another origin sent the request.');
};

const refuseAsForeign = (message: string) => refuse('foreign_request', {message});

/**
 * Beyond loopback only addresses are accepted. The owner of a host name can bind it to any address, but
 * cannot do so with an address.
 */
const isOwnHost = (host: string, {isLoopback, origins}: OwnNames): boolean => {
	if (origins.some(origin => new URL(origin).host === host)) return true;
	if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)) return true;
	return !isLoopback && /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
};

const isOrigin = (origin: string, host: string, {origins}: OwnNames): boolean =>
	origin === `http://${host}` || origins.some(own => own === origin && new URL(own).host === host);

/** The header with the anti-forgery token. Only a page that received the cookie knows it. */
export const proofHeader = 'x-hive-page';

type GuardContext = {
	readonly keys: Keys;
	readonly cookieName: string;
	readonly devices: Pick<Devices, 'admit'>;
};

/**
 * Returns the caller: by the token in the header, else by the cookie. If a request has both, the token
 * counts. Browsers send a cookie to every port of its host, so a server on another port can read it. The
 * cookie alone therefore authorizes nothing. Such a server may also set cookies of the same name, so each of
 * them is tried.
 */
export const callerOf = async (
	{method, path, header}: RequestFacts,
	{keys, cookieName, devices}: GuardContext,
): Promise<Outcome<Caller>> => {
	const authorization = header('authorization');
	const isSafe = method === 'GET' || method === 'HEAD';
	// A read-only device may log out.
	const permit = (caller: Caller): Outcome<Caller> =>
		isSafe || caller.scope === 'act' || path === logoutPath ? accepted(caller) : refuse('read_only');
	if (authorization !== undefined) {
		const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
		const caller = token === undefined ? undefined : keys.callerOf(token);
		return caller === undefined ? refuse('unauthorized') : permit(caller);
	}
	const proof = header(proofHeader) ?? '';
	const cookie = cookiesIn(header('cookie') ?? '', cookieName).find(one => keys.isProof(one, proof));
	const device = cookie === undefined ? undefined : keys.unseal(cookie);
	const caller = device === undefined ? undefined : await devices.admit(device);
	if (caller === undefined) return refuse('unauthorized');
	// Browsers always send the origin with requests other than GET. Without it, the page is not the sender.
	if (!isSafe && header('origin') === undefined)
		return refuseAsForeign('The request does not say which page sent it.');
	return permit(caller);
};

/** The path on which a device logs out. */
export const logoutPath = '/api/logout';

const cookiesIn = (header: string, name: string): readonly string[] =>
	header
		.split(';')
		.map(pair => pair.trim().split('='))
		.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
