import {readFile} from 'node:fs/promises';
import {
	type Authenticator,
	connect as connectClient,
	credsAuthenticator,
	type NatsConnection,
	nkeyAuthenticator,
	type TlsOptions,
} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import {unreachable} from './failure.ts';

/** Where a server is and who asks. Paths are absolute. */
export type Access = {
	/** `nats://host:port` or `tls://host:port`, at least one. */
	readonly servers: readonly string[];
	readonly user?: string | undefined;
	readonly password?: string | undefined;
	readonly token?: string | undefined;
	/** A file with an nkey seed. */
	readonly nkeyFile?: string | undefined;
	/** A file of credentials, as account tools write it. */
	readonly credentialsFile?: string | undefined;
	readonly tls?:
		| {
				readonly ca?: string | undefined;
				readonly cert?: string | undefined;
				readonly key?: string | undefined;
		  }
		| undefined;
	/** The address as people are shown it, without who asks. */
	readonly shown: string;
};

const connectMilliseconds = 2000;
const reconnectMilliseconds = 250;
/** Two that are not answered are a lost connection. */
const pingMilliseconds = 5000;

/** Throws `bus_unreachable`. */
export const connect = async (access: Access): Promise<NatsConnection> => {
	const {servers, user, password, token, tls, shown} = access;
	const authenticator = await readAuthenticator(access);
	try {
		return await connectClient({
			servers: [...servers],
			name: 'hive',
			timeout: connectMilliseconds,
			pingInterval: pingMilliseconds,
			maxPingOut: 2,
			maxReconnectAttempts: -1,
			reconnectTimeWait: reconnectMilliseconds,
			ignoreAuthErrorAbort: true,
			...(user !== undefined && {user, pass: password ?? ''}),
			...(token !== undefined && {token}),
			...(authenticator && {authenticator}),
			...((tls || servers.some(server => server.startsWith('tls:'))) && {tls: tlsOptions(tls)}),
		});
	} catch (error) {
		throw unreachable(shown, error);
	}
};

const readAuthenticator = async ({nkeyFile, credentialsFile}: Access): Promise<Authenticator | undefined> => {
	if (credentialsFile !== undefined) return credsAuthenticator(await readSecret(credentialsFile));
	if (nkeyFile === undefined) return undefined;
	const seed = (await readSecret(nkeyFile)).toString().trim();
	return nkeyAuthenticator(new TextEncoder().encode(seed));
};

const readSecret = async (file: string): Promise<Buffer> => {
	try {
		return await readFile(file);
	} catch (error) {
		throw new HiveError('bus_unreachable', {
			message: `The file ${file}, with which hive shows a bus who it is, cannot be read.`,
			hint: 'bus.nkey_file and bus.credentials_file in config.yaml name it.',
			cause: error,
		});
	}
};

const tlsOptions = (tls: Access['tls']): TlsOptions => ({
	...(tls?.ca && {caFile: tls.ca}),
	...(tls?.cert && {certFile: tls.cert}),
	...(tls?.key && {keyFile: tls.key}),
});
