import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Caller} from './caller.ts';
import type {Devices} from './devices.ts';
import type {Keys} from './keys.ts';

/** Which names the console answers to. */
export type Names = {
	/** It listens on this machine's loopback alone. */
	readonly isLoopback: boolean;
	/** Origins that people use beside its address: `https://hive.example.org`. */
	readonly origins: readonly string[];
};

/** What of a request decides whether it is answered. */
export type Asked = {
	readonly method: string;
	readonly path: string;
	readonly header: (name: string) => string | undefined;
};

/**
 * Refuses a request that names a host which is not this console's, as one does whose name was bound anew to
 * this address, and one that a page of another origin sends.
 */
export const refuseForeign = ({method, header}: Omit<Asked, 'path'>, names: Names): Outcome<void> => {
	const host = header('host') ?? '';
	if (!isOwnHost(host, names)) return foreign(`The host "${host}" is not known here.`);
	const origin = header('origin');
	const fetchSite = header('sec-fetch-site');
	const isSafe = method === 'GET' || method === 'HEAD';
	if (origin !== undefined && !isOrigin(origin, host, names))
		return foreign(`The origin "${origin}" is not this console's.`);
	if (fetchSite === undefined || fetchSite === 'same-origin') return accepted(undefined);
	// A person who types the address or follows a link from elsewhere.
	const isVisit = fetchSite === 'none' || header('sec-fetch-mode') === 'navigate';
	return isSafe && isVisit ? accepted(undefined) : foreign('A page of another origin sends it.');
};

const foreign = (message: string) => refuse('foreign_request', {message});

/** A name can be bound to any address by whoever owns it, an address cannot. */
const isOwnHost = (host: string, {isLoopback, origins}: Names): boolean => {
	if (origins.some(origin => new URL(origin).host === host)) return true;
	if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)) return true;
	return !isLoopback && /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
};

const isOrigin = (origin: string, host: string, {origins}: Names): boolean =>
	origin === `http://${host}` || origins.some(own => own === origin && new URL(own).host === host);

/** The header that proves a cookie to be sent by the page it was given to. */
export const proofHeader = 'x-hive-page';

type Known = {
	readonly keys: Keys;
	readonly cookieName: string;
	readonly devices: Pick<Devices, 'admit'>;
};

/**
 * Who asks: by a token in the header, else by the cookie. Of both in one request the token counts. Browsers
 * send a cookie to every port of its host, so whatever a person looks at on another port has it too: alone it
 * opens nothing. A server there may set cookies of the same name, so each that is sent is tried.
 */
export const callerOf = async (
	{method, path, header}: Asked,
	{keys, cookieName, devices}: Known,
): Promise<Outcome<Caller>> => {
	const authorization = header('authorization');
	const isSafe = method === 'GET' || method === 'HEAD';
	// A read-only device may log out.
	const mayCall = (caller: Caller): Outcome<Caller> =>
		isSafe || caller.scope === 'act' || path === leavePath ? accepted(caller) : refuse('read_only');
	if (authorization !== undefined) {
		const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
		const caller = token === undefined ? undefined : keys.callerOf(token);
		return caller === undefined ? refuse('unauthorized') : mayCall(caller);
	}
	const proof = header(proofHeader) ?? '';
	const cookie = cookiesIn(header('cookie') ?? '', cookieName).find(one => keys.isProof(one, proof));
	const device = cookie === undefined ? undefined : keys.unseal(cookie);
	const caller = device === undefined ? undefined : await devices.admit(device);
	if (caller === undefined) return refuse('unauthorized');
	// Every browser names the origin of what is not a GET; without it, it is not the page that asks.
	if (!isSafe && header('origin') === undefined) return foreign('It does not say which page sends it.');
	return mayCall(caller);
};

/** Where a device logs out. */
export const leavePath = '/api/logout';

const cookiesIn = (header: string, name: string): readonly string[] =>
	header
		.split(';')
		.map(pair => pair.trim().split('='))
		.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
