import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import type {Caller} from './caller.ts';

/**
 * All that is made of the one secret of a console: another secret ends every token, cookie and link of the
 * one before.
 */
export type Keys = {
	readonly tokens: Readonly<Record<Caller['scope'], string>>;
	/** Who sends that token; nothing for any other text. */
	readonly callerOf: (token: string) => Caller | undefined;
	/** The cookie's value of a device, by its id. */
	readonly seal: (device: string) => string;
	/** The id of the device that a cookie is of. */
	readonly unseal: (cookie: string) => string | undefined;
	/**
	 * What the page keeps beside its cookie: whoever else is sent the cookie, such as another port of this
	 * machine, lacks it.
	 */
	readonly proofOf: (cookie: string) => string;
	readonly isProof: (cookie: string, proof: string) => boolean;
};

/** @param secret at least `shortestSecret` characters */
export const keysOf = (secret: string): Keys => {
	const derived = (purpose: string): string =>
		createHmac('sha256', secret).update(purpose).digest('base64url');
	const tokens = {act: secret, read: derived('hive console: read')};
	const cookieKey = derived('hive console: device');
	const proofKey = derived('hive console: page');
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

export const shortestSecret = 32;

/** How long a text takes to compare says nothing of it. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
