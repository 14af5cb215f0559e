import type {Outcome} from '../domain/errors.ts';
import {type Call, connectionOf} from './call.ts';
import {type Caller, credentialOf} from './caller.ts';
import {callerOf} from './guard.ts';
import type {RequestOwner} from './limits.ts';
import type {ConsoleParts} from './parts.ts';
import {callerAddress, rateLimitKey} from './proxy.ts';

/** Identifies the caller of a request, and the keys of its rate limits. */
export type Callers = {
	/**
	 * Refused (`unauthorized`, `read_only`, `foreign_request`) without a credential that permits the request.
	 */
	readonly identify: (call: Call) => Promise<Outcome<Caller>>;
	/** The address under which a caller is counted. */
	readonly addressOf: (call: Call) => string;
	/** For an authorized request. */
	readonly requestOwner: (call: Call) => RequestOwner;
};

export const createCallers = ({
	keyFile,
	cookieName,
	isProxy = () => false,
}: Pick<ConsoleParts, 'keyFile' | 'cookieName' | 'isProxy'>): Callers => {
	const {devices} = keyFile;
	const addressOf = (call: Call): string => {
		const remote = connectionOf(call).incoming?.socket.remoteAddress ?? '';
		return rateLimitKey(callerAddress({remote, forwarded: call.req.header('x-forwarded-for')}, isProxy));
	};
	return {
		addressOf,
		identify: async call => {
			const keys = await keyFile.keys();
			if (!keys.ok) return keys;
			const {method, path} = call.req;
			const request = {method, path, header: (name: string) => call.req.header(name)};
			return callerOf(request, {keys: keys.value, cookieName, devices});
		},
		requestOwner: call => {
			const caller = call.get('caller');
			const credential = credentialOf(caller);
			return {credential, caller: caller.device ?? `${credential} ${addressOf(call)}`};
		},
	};
};
