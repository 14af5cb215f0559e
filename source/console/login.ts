import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import {browserName} from './agent-name.ts';
import type {Caller} from './caller.ts';
import type {KeyFile} from './key-file.ts';
import type {Keys} from './keys.ts';

/** Max age of the cookie in days, the maximum that browsers allow. Within it, the device decides. */
const cookieDays = 400;

/**
 * Max failed attempts per address and minute that are answered with a reason, and max addresses remembered.
 */
const maxFailures = 20;
const windowMs = 60_000;
const maxAddresses = 1000;

type Parts = {
	readonly keyFile: Pick<KeyFile, 'keys' | 'redeem' | 'devices'>;
	readonly clock: Pick<Awaited<ReturnType<Host['open']>>['clock'], 'now'>;
	readonly cookieName: string;
};

type LoginResult = {readonly caller: Caller; readonly cookie: string; readonly proof: string};

type LoginAttempt = {
	readonly body: Readonly<Record<string, unknown>>;
	readonly origin: string | undefined;
	/** The address under which its failures are counted. */
	readonly from: string;
	/** Its `User-Agent`. */
	readonly agent: string | undefined;
};

/**
 * Exchanges the code of a link, or a pasted token, for a cookie that scripts cannot read. A correct one is
 * accepted after any number of failures. Codes and tokens are too long to be guessed, and a limit could let
 * strangers lock a person out.
 */
export const createLogin = ({keyFile, clock, cookieName}: Parts) => {
	const failures = new Map<string, readonly number[]>();
	const findCaller = async (
		{code, token}: Readonly<Record<string, unknown>>,
		keys: Outcome<Keys>,
	): Promise<Caller | undefined> => {
		if (typeof code === 'string') return keyFile.redeem(code);
		return typeof token === 'string' && keys.ok ? keys.value.callerOf(token) : undefined;
	};
	const recordFailure = (from: string, earlier: readonly number[]): void => {
		failures.delete(from);
		failures.set(from, [...earlier, clock.now()]);
		for (const oldest of failures.keys()) {
			if (failures.size <= maxAddresses) break;
			failures.delete(oldest);
		}
	};
	return async ({body, origin, from, agent}: LoginAttempt): Promise<Outcome<LoginResult>> => {
		if (origin === undefined)
			return refuse('foreign_request', {message: 'The request does not say which page sent it.'});
		// Read once. If the secret changes meanwhile, the cookie belongs to the old one and is void.
		const keys = await keyFile.keys();
		const caller = await findCaller(body, keys);
		if (caller === undefined || !keys.ok) {
			const earlier = (failures.get(from) ?? []).filter(at => Math.abs(clock.now() - at) < windowMs);
			if (earlier.length >= maxFailures) return refuse('too_many_requests');
			recordFailure(from, earlier);
			return refuse('unauthorized', {
				message: 'The link was used before, is too old, or belongs to another console.',
				hint: 'Make a new link with "hive console link".',
			});
		}
		const {label: name, scope} = caller;
		const by = typeof body.code === 'string' ? 'link' : 'token';
		const device = await keyFile.devices.add({name, scope, by, agent: browserName(agent)});
		const sealed = keys.value.seal(device);
		const cookie = [
			`${cookieName}=${sealed}`,
			...['Path=/', `Max-Age=${(cookieDays * 24 * 60 * windowMs) / 1000}`, 'HttpOnly', 'SameSite=Strict'],
			...(origin.startsWith('https:') ? ['Secure'] : []),
		].join('; ');
		return accepted({caller: {...caller, device}, cookie, proof: keys.value.proofOf(sealed)});
	};
};
