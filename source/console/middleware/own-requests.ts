import {createMiddleware} from 'hono/factory';
import type {Env} from '../call.ts';
import {type OwnNames, refuseForeign} from '../guard.ts';
import type {Reply} from '../reply.ts';

/** Refuses requests for another host name, and requests by other pages. */
export const acceptOwnRequests = (names: OwnNames, reply: Reply) =>
	createMiddleware<Env>(async (call, next) => {
		const request = {method: call.req.method, header: (name: string) => call.req.header(name)};
		const verdict = refuseForeign(request, names);
		return verdict.ok ? next() : reply.problem(call, verdict.refusal);
	});
