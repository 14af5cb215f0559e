import {JetStreamApiError} from '@nats-io/jetstream';
import {errors} from '@nats-io/transport-node';
import {errorMessage} from '../../domain/error-message.ts';
import {HiveError} from '../../domain/errors.ts';
import type {BusAccess} from '../../ports/bus-access.ts';

/**
 * Codes of the server's answers that hive reads. Since 2.10 the server has a second code for a trace that has
 * a newer event.
 */
export const answers = {
	moved: [10071, 10164],
	/** Past the stream's `max_msg_size`: every message is, once a log has moved. */
	tooLong: [10054],
	/** The stream's sequence differs from the expected one. */
	elsewhere: [10071],
	noMessage: [10037],
	noStream: [10059],
	noJetStream: [10039],
	nameTaken: [10058, 10065],
} as const;

/** True if the server itself answered with one of these codes, in an error of the client or of `Link.use`. */
export const isAnswer = (error: unknown, codes: readonly number[]): boolean =>
	error instanceof JetStreamApiError
		? codes.includes(error.code)
		: error instanceof Error && isAnswer(error.cause, codes);

/** True if no subscriber on the server receives the request now. */
export const hasNoResponders = (error: unknown): boolean =>
	error instanceof errors.NoRespondersError || (error instanceof Error && hasNoResponders(error.cause));

/** True if no answer came in time, or if no subscriber on the server receives the request now. */
export const isTimeout = (error: unknown): boolean =>
	error instanceof errors.TimeoutError ||
	hasNoResponders(error) ||
	(error instanceof Error && isTimeout(error.cause));

/** Error for a server that did not answer, refused, or ended the connection. */
export const unreachable = (address: string, cause: unknown): HiveError =>
	new HiveError('bus_unreachable', {
		message:
			cause instanceof JetStreamApiError || cause instanceof errors.AuthorizationError
				? `The bus at ${address} refused: ${formatCause(cause)}.`
				: `The bus at ${address} cannot be reached: ${formatCause(cause)}.`,
		hint: 'Start its server or fix the network; HIVE_BUS_URL and bus.url in config.yaml name the address. "hive doctor" examines it.',
		cause,
	});

/** Error for a server that refuses the login. It names the login and the keys that set it. */
export const loginRefused = (access: BusAccess, cause: unknown): HiveError => {
	const [login, keys] = loginOf(access);
	return new HiveError('bus_unreachable', {
		message: `The bus at ${access.shown} refused ${login}: ${formatCause(cause)}.`,
		hint: `Correct ${keys} in config.yaml of this machine, or the login in HIVE_BUS_URL. The server's own configuration lists its users.`,
		cause,
	});
};

const loginOf = ({user, token, nkeyFile, credentialsFile}: BusAccess): readonly [string, string] => {
	if (user !== undefined) return [`the login of "${user}"`, 'bus.user and bus.password'];
	if (token !== undefined) return ['the token', 'bus.token'];
	if (nkeyFile !== undefined) return [`the key in ${nkeyFile}`, 'bus.nkey_file'];
	if (credentialsFile !== undefined) return [`the credentials in ${credentialsFile}`, 'bus.credentials_file'];
	return [
		'a connection without a login',
		'bus.user and bus.password (or bus.token, bus.nkey_file or bus.credentials_file)',
	];
};

/** True if the server refused the login. */
export const isLoginRefused = (error: unknown): boolean =>
	error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

export const connectionLost = (address: string): HiveError =>
	new HiveError('bus_unreachable', {
		message: `The connection to the bus at ${address} is lost.`,
		hint: 'Acknowledged events are kept. hive continues by itself when the server can be reached again.',
	});

export const closed = (address: string): HiveError =>
	new HiveError('bus_unreachable', {message: `The bus at ${address} is closed.`});

/** Error for a store that differs from the one this process has worked on. */
export const replaced = (address: string, why: string): HiveError =>
	new HiveError('log_replaced', {
		message: `The event log on the bus at ${address} was deleted, truncated or replaced: ${why}.`,
		hint: 'Stop every hive process of this colony, then restore the stream from a backup. To continue with the log as it is, remove .hive/runs/.newest; the missing events are then lost.',
	});

const formatCause = (error: unknown): string => errorMessage(error).toLowerCase().replace(/\.$/, '');
