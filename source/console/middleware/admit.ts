import {createMiddleware} from 'hono/factory';
import {connectionOf, type Env} from '../call.ts';
import {credentialOf} from '../caller.ts';
import type {Callers} from '../callers.ts';
import type {Reply} from '../reply.ts';

/** Authorizes requests by their credential, and sets their `caller`. */
export const admitCallers = (callers: Callers, reply: Reply) =>
	createMiddleware<Env>(async (call, next) => {
		const caller = await callers.identify(call);
		if (!caller.ok) return reply.problem(call, caller.refusal);
		call.set('caller', caller.value);
		connectionOf(call).authorize?.(credentialOf(caller.value));
		return next();
	});
