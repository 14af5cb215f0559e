import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import {type ConnectionOptions, checkServerIdentity} from 'node:tls';
import {
	type Authenticator,
	connect as connectClient,
	credsAuthenticator,
	type NatsConnection,
	nkeyAuthenticator,
	type TlsOptions,
	tokenAuthenticator,
	usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {BusAccess} from '../../ports/bus-access.ts';
import {isLoginRefused, loginRefused, unreachable} from './failure.ts';

const connectTimeoutMs = 2000;
const reconnectDelayMs = 250;
/** Milliseconds between pings. Two unanswered pings count as a lost connection. */
const pingIntervalMs = 5000;

/** A connection, and the way to another login for it. */
export type LoggedIn = {
	readonly connection: NatsConnection;
	/**
	 * Logs in with another login: at once if the server accepts it, else at the next connection. Throws
	 * `bus_unreachable` if the server refuses it; the present connection then stays.
	 */
	readonly changeLogin: (access: BusAccess) => Promise<void>;
};

/** Connects to a server. Throws `bus_unreachable`. */
export const connect = async (access: BusAccess): Promise<NatsConnection> =>
	(await connectWithLogin(access)).connection;

/** Connects to a server, with a login that can change. Throws `bus_unreachable`. */
export const connectWithLogin = async (access: BusAccess): Promise<LoggedIn> => {
	let authenticator = await readAuthenticator(access);
	const connection = await open(access, nonce => authenticator?.(nonce));
	return {
		connection,
		changeLogin: async next => {
			authenticator = await readAuthenticator(next);
			await (await connect(next)).close();
			await connection.reconnect();
		},
	};
};

const open = async (access: BusAccess, authenticator: Authenticator): Promise<NatsConnection> => {
	const {servers, tls, shown} = access;
	// The client reads these files for every connection, and its error does not name the file that is missing.
	for (const file of Object.values(tls ?? {})) if (file !== undefined) await readSecret(file);
	try {
		return await connectClient({
			servers: [...servers],
			name: 'hive',
			timeout: connectTimeoutMs,
			pingInterval: pingIntervalMs,
			maxPingOut: 2,
			maxReconnectAttempts: -1,
			reconnectTimeWait: reconnectDelayMs,
			ignoreAuthErrorAbort: true,
			// The client would capture a stack for each request, which takes a tenth of a busy reactor's time.
			noAsyncTraces: true,
			authenticator,
			...((tls || servers.some(server => server.startsWith('tls:'))) && {tls: tlsOptions(servers, tls)}),
		});
	} catch (error) {
		throw isLoginRefused(error) ? loginRefused(access, error) : unreachable(shown, error);
	}
};

const readAuthenticator = async ({
	user,
	password = '',
	token,
	nkeyFile,
	credentialsFile,
}: BusAccess): Promise<Authenticator | undefined> => {
	if (user !== undefined) return usernamePasswordAuthenticator(user, password);
	if (token !== undefined) return tokenAuthenticator(token);
	const file = credentialsFile ?? nkeyFile;
	if (file === undefined) return undefined;
	const secret = await readSecret(file);
	const authenticator =
		credentialsFile === undefined
			? nkeyAuthenticator(new TextEncoder().encode(secret.toString().trim()))
			: credsAuthenticator(secret);
	try {
		await authenticator('any');
	} catch {
		throw unusable(file, `holds no ${credentialsFile === undefined ? 'nkey seed' : 'credentials'}`);
	}
	return authenticator;
};

const readSecret = async (file: string): Promise<Buffer> => {
	try {
		return await readFile(file);
	} catch (error) {
		throw unusable(file, 'cannot be read', error);
	}
};

const unusable = (file: string, why: string, cause?: unknown) =>
	new HiveError('bus_unreachable', {
		message: `The file ${file}, which hive needs to log in to the bus, ${why}.`,
		hint: 'bus.nkey_file, bus.credentials_file and bus.tls in config.yaml name such files.',
		cause,
	});

const tlsOptions = (
	servers: readonly string[],
	tls: BusAccess['tls'],
): TlsOptions & Pick<ConnectionOptions, 'checkServerIdentity'> => ({
	...(tls?.ca && {caFile: tls.ca}),
	...(tls?.cert && {certFile: tls.cert}),
	...(tls?.key && {keyFile: tls.key}),
	// The client does not pass a server's address to the certificate check, which would then look for this
	// machine's name.
	checkServerIdentity: (name, certificate) => {
		const hosts = servers.map(server => new URL(server).hostname.replace(/^\[|\]$/g, ''));
		const names = name === 'localhost' ? hosts.filter(host => isIP(host) || host === name) : [name];
		const problems = names.map(each => checkServerIdentity(each, certificate));
		return problems.some(problem => problem === undefined) ? undefined : problems[0];
	},
});
