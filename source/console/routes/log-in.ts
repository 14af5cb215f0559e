import {readBody} from '../body.ts';
import {type Call, connectionOf} from '../call.ts';
import {credentialOf} from '../caller.ts';
import type {Callers} from '../callers.ts';
import {createLogin} from '../login.ts';
import type {ConsoleParts} from '../parts.ts';
import type {Reply} from '../reply.ts';

/** Logs a browser in. It gets the device's cookie, and the proof that its page sends along. */
export const logIn = (
	{keyFile, cookieName, world: services}: Pick<ConsoleParts, 'keyFile' | 'cookieName' | 'world'>,
	callers: Callers,
	reply: Reply,
) => {
	const login = createLogin({keyFile, cookieName, clock: services.context.clock});
	return async (call: Call): Promise<Response> => {
		const body = await readBody(call);
		if (!body.ok) return reply.problem(call, body.refusal);
		const entered = await login({
			...{body: body.value, from: callers.addressOf(call)},
			...{origin: call.req.header('origin'), agent: call.req.header('user-agent')},
		});
		if (!entered.ok) return reply.problem(call, entered.refusal);
		const {caller, cookie, proof} = entered.value;
		connectionOf(call).authorize?.(credentialOf(caller));
		return reply.json(call, {caller, proof}, {'Set-Cookie': cookie});
	};
};
