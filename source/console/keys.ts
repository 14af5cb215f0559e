import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import type {Caller} from './caller.ts';

/** All that is made of the one secret of a console: another secret ends every token, cookie and link of the one before. */
export type Keys = {
	readonly tokens: Readonly<Record<Caller['scope'], string>>;
	/** Who sends that token; nothing for any other text. */
	readonly callerOf: (token: string) => Caller | undefined;
	/** A cookie's value, good until `until` (UTC milliseconds). */
	readonly seal: (caller: Caller, until: number) => string;
	readonly unseal: (cookie: string, now: number) => Caller | undefined;
	/** What the page keeps beside its cookie: whoever else is sent the cookie, such as another port of this machine, lacks it. */
	readonly proofOf: (cookie: string) => string;
	readonly isProof: (cookie: string, proof: string) => boolean;
};

/** @param secret at least `shortestSecret` characters */
export const keysOf = (secret: string): Keys => {
	const derived = (purpose: string): string =>
		createHmac('sha256', secret).update(purpose).digest('base64url');
	const tokens = {act: secret, read: derived('hive console: read')};
	const cookieKey = derived('hive console: cookie');
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
		seal: ({scope, label}, until) => {
			const text = [scope, String(until), Buffer.from(label).toString('base64url')].join('.');
			return `${text}.${sign(text)}`;
		},
		unseal: (cookie, now) => {
			const [scope, until = '', label = '', signature = '', ...rest] = cookie.split('.');
			if (rest.length > 0 || !isSame(sign([scope, until, label].join('.')), signature)) return undefined;
			if ((scope !== 'act' && scope !== 'read') || Number(until) <= now) return undefined;
			return {scope, label: Buffer.from(label, 'base64url').toString()};
		},
		proofOf,
		isProof: (cookie, proof) => isSame(proofOf(cookie), proof),
	};
};

export const shortestSecret = 32;

/** How long a text takes to compare says nothing of it. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
