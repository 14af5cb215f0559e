import {isIPv6} from 'node:net';

/** The login for the servers of a bus: a user with an optional password, or a token. */
export type BusLogin =
	| {readonly user: string; readonly password?: string; readonly token?: never}
	| {readonly token: string; readonly user?: never; readonly password?: never};

/** The parsed address of a bus, or its problem. The problem's text contains no part of the address. */
export type BusServers =
	| {
			readonly ok: true;
			/** `nats://host:port`, or `tls://host:port` for all of them. At least one, without duplicates. */
			readonly servers: readonly string[];
			readonly login: BusLogin | undefined;
	  }
	| {readonly ok: false; readonly problem: string};

/** The hint for an address that cannot be read. */
export const addressHint =
	'Write nats://host:port or tls://host:port. Separate several servers with ","; all have one login. Write IPv6 in [brackets]. Write special characters in a user, password or token as % and two hex digits.';

/**
 * Parses the servers of an address, separated by ",". A server is a host with an optional port (default
 * 4222). `nats://` (the default) or `tls://` may precede it, then `user:password@` or `token@`,
 * percent-encoded. One `tls://` applies to all of them. All must have the same login or none. So a login is
 * never sent to a server that it is not written at.
 */
export const parseServers = (address: string): BusServers => {
	const read = address.split(',').map((text, index) => readServer(text.trim(), `server ${index + 1}`));
	const found = read.flatMap(server => (typeof server === 'string' ? [] : [server]));
	const [first] = found;
	const problem = read.find(server => typeof server === 'string');
	if (problem !== undefined || first === undefined) return {ok: false, problem: `${problem}`};
	if (found.some(({login}) => login !== first.login))
		return {ok: false, problem: 'not all servers have the same user and password, or token'};
	const login = first.login === undefined ? undefined : readLogin(first.login);
	if (typeof login === 'string') return {ok: false, problem: login};
	const scheme = found.some(server => server.scheme === 'tls') ? 'tls' : 'nats';
	return {
		ok: true,
		servers: [...new Set(found.map(({hostAndPort: place}) => `${scheme}://${place}`))],
		login,
	};
};

/**
 * The secrets in an address, both encoded and decoded. If the address cannot be read, everything that could
 * be a password or a token.
 */
export const secretsInAddress = (address: string): string[] => {
	const logins = [address, ...address.split(',')].flatMap(text => beforeHost.exec(text)?.[1] ?? []);
	const secrets = logins.map(login => login.slice(login.indexOf(':') + 1));
	return [...new Set(secrets.flatMap(secret => [secret, decode(secret) ?? secret]))];
};

const beforeHost = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?(.*)@/is;

type Server = {
	readonly scheme: string;
	/** Host and port. */
	readonly hostAndPort: string;
	/** The login as written before the host. */
	readonly login: string | undefined;
};

const form = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^\s/?#]*)@)?(\[[^\]]*\]|[^\s:/?#@[\]]*)(?::(\d{1,5}))?\/?$/i;

const hostName = /^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_-]+)*\.?$/;

/** Returns a server, or its problem. */
const readServer = (text: string, called: string): Server | string => {
	const [whole, scheme = 'nats', login, host = '', port = '4222'] = form.exec(text) ?? [];
	if (whole === undefined) return `${called} is not written as host:port`;
	const known = scheme.toLowerCase();
	if (known !== 'nats' && known !== 'tls') return `${called} has another scheme than nats:// and tls://`;
	const name = host.toLowerCase();
	const isHost = name.startsWith('[') ? isAddress(name.slice(1, -1)) : hostName.test(name);
	if (!isHost) return `${called} has no valid host`;
	const number = Number(port);
	if (number < 1 || number > 65_535) return `${called} has no valid port (1 to 65535)`;
	return {scheme: known, hostAndPort: `${name}:${number}`, login};
};

const isAddress = (text: string): boolean => isIPv6(text) && !text.includes('%');

/** Returns a login, or its problem. */
const readLogin = (written: string): BusLogin | string => {
	const [first = '', ...rest] = written.split(':').map(decode);
	if (first === undefined || rest.includes(undefined))
		return 'its user, password or token has a "%" without two valid hex digits';
	if (first === '') return 'it has no user or token before "@"';
	if (rest.length === 0) return {token: first};
	const password = rest.join(':');
	return {user: first, ...(password && {password})};
};

const decode = (text: string): string | undefined => {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
};
