import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import type {Caller} from './caller.ts';

/**
 * Everything derived from a console's one secret. A new secret invalidates every token, cookie and link of
 * the old one.
 */
export type Keys = {
	readonly tokens: Readonly<Record<Caller['scope'], string>>;
	/** The caller of that token. Undefined for any other text. */
	readonly callerOf: (token: string) => Caller | undefined;
	/** The cookie value of a device, by the device's id. */
	readonly seal: (device: string) => string;
	/** The device id in a valid cookie. */
	readonly unseal: (cookie: string) => string | undefined;
	/**
	 * The anti-forgery token (`proof`) that the page stores beside its cookie. A server on another port of this
	 * machine may receive the cookie, but not the token.
	 */
	readonly proofOf: (cookie: string) => string;
	readonly isProof: (cookie: string, proof: string) => boolean;
};

/** @param secret at least `shortestSecret` characters */
export const keysOf = (secret: string): Keys => {
	const deriveKey = (purpose: string): string =>
		createHmac('sha256', secret).update(purpose).digest('base64url');
	const tokens = {act: secret, read: deriveKey('hive console: read')};
	const cookieKey = deriveKey('hive console: device');
	const proofKey = deriveKey('hive console: page');
	const signWith = (key: string, text: string): string =>
		createHmac('sha256', key).update(text).digest('base64url');
	const sign = (text: string): string => signWith(cookieKey, text);
	const proofOf = (cookie: string): string => signWith(proofKey, cookie);
	return {
		tokens,
		callerOf: token => {
			const scope = (['act', 'read'] as const).find(one => isSame(tokens[one], token));
			return scope === undefined ? undefined : {scope, label: 'token'};
		},
		seal: device => `${device}.${sign(device)}`,
		unseal: cookie => {
			const [device = '', signature = '', ...rest] = cookie.split('.');
			return rest.length === 0 && isSame(sign(device), signature) ? device : undefined;
		},
		proofOf,
		isProof: (cookie, proof) => isSame(proofOf(cookie), proof),
	};
};

export const minSecretLength = 32;

/** Compares in constant time, so the duration reveals nothing about the text. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
