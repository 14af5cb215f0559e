import {createMiddleware} from 'hono/factory';
import type {Env} from '../call.ts';
import type {Callers} from '../callers.ts';
import type {Limits} from '../limits.ts';
import type {Reply} from '../reply.ts';

/** Limits concurrent requests. Only authorized requests take a slot, so strangers cannot use them up. */
export const limitRequests = (limits: Limits, callers: Callers, reply: Reply) =>
	createMiddleware<Env>(async (call, next) => {
		const slot = limits.acquire(callers.requestOwner(call));
		if (!slot.ok) return reply.problem(call, slot.refusal);
		try {
			return await next();
		} finally {
			slot.value();
		}
	});
