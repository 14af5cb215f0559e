import {createMiddleware} from 'hono/factory';
import type {Env} from '../call.ts';
import {type Names, refuseForeign} from '../guard.ts';
import type {Reply} from '../reply.ts';

/** Refuses requests for another host name, and requests by other pages. */
export const acceptOwnRequests = (names: Names, reply: Reply) =>
	createMiddleware<Env>(async (call, next) => {
		const asked = {method: call.req.method, header: (name: string) => call.req.header(name)};
		const own = refuseForeign(asked, names);
		return own.ok ? next() : reply.problem(call, own.refusal);
	});
