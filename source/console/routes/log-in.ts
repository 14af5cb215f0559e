import {readBody} from '../body.ts';
import {type Call, connectionOf} from '../call.ts';
import {credentialOf} from '../caller.ts';
import type {Callers} from '../callers.ts';
import {createLogin} from '../login.ts';
import type {ConsoleParts} from '../parts.ts';
import type {Reply} from '../reply.ts';

/**
 * Creates the handler that logs a browser in. The reply sets the device's cookie. Its body has the
 * anti-forgery token, which the page sends with each request.
 */
export const createLoginHandler = (
	{keyFile, cookieName, world: services}: Pick<ConsoleParts, 'keyFile' | 'cookieName' | 'world'>,
	callers: Callers,
	reply: Reply,
) => {
	const login = createLogin({keyFile, cookieName, clock: services.context.clock});
	return async (call: Call): Promise<Response> => {
		const body = await readBody(call);
		if (!body.ok) return reply.problem(call, body.refusal);
		const result = await login({
			...{body: body.value, from: callers.addressOf(call)},
			...{origin: call.req.header('origin'), agent: call.req.header('user-agent')},
		});
		if (!result.ok) return reply.problem(call, result.refusal);
		const {caller, cookie, proof} = result.value;
		connectionOf(call).authorize?.(credentialOf(caller));
		return reply.json(call, {caller, proof}, {'Set-Cookie': cookie});
	};
};
